import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { type AuditSummary, checkAudit } from "../chaos/audit-check.ts"
import { Client, type Failure } from "../chaos/client.ts"
import { compareCopies, type Comparison } from "../chaos/comparison.ts"
import { Crowd } from "../chaos/crowd.ts"
import { createData, leastRights, servingUser } from "../chaos/data.ts"
import { Observations } from "../chaos/observations.ts"
import { goodPartners } from "../chaos/partners.ts"
import { untilRecovered } from "../chaos/recovery.ts"
import { ServiceLog } from "../chaos/service-log.ts"
import { pipeOutput } from "../chaos/service-output.ts"
import { ServiceProcess } from "../chaos/service-process.ts"
import type { Scene } from "../chaos/stage.ts"
import { readTruth } from "../chaos/truth.ts"
import { secret } from "../support/app.ts"
import { urlOf } from "../support/cluster/node.ts"
import type { Random } from "../support/random.ts"
import { findStablePort } from "../support/stable-port.ts"
import { Readers } from "../upgrade/readers.ts"
import { Control } from "./control.ts"
import { type ClusterFault, faults } from "./faults.ts"
import { sequence } from "./sequence.ts"
import { Primary } from "./primary.ts"
import { Tally } from "./tally.ts"
import { tellPartners, type Told } from "./told.ts"
import type { Topology } from "./topology.ts"

export interface HalfOptions {
  readonly seconds: number
  readonly random: Random
  /** Only these faults. */
  readonly only?: readonly string[] | undefined
  readonly signal: AbortSignal
  /** Called with what is done. */
  readonly report: (line: string) => void
}

/** What happened on one of the topologies. */
export interface HalfResult {
  readonly topology: Topology
  readonly observations: Observations
  readonly crowd: Pick<Crowd, "polls" | "resyncs" | "commits">
  readonly readers: Pick<Readers, "woken" | "exports">
  readonly tally: Tally
  readonly failovers: number
  readonly faults: number
  /** Failovers in which commits were lost. */
  readonly losses: number
  /** Undefined if the run ended before. */
  readonly comparison: Comparison | undefined
  /** How often. */
  readonly comparisons: number
  readonly told: Told
  readonly audit: AuditSummary | undefined
  /** What the control lost. */
  readonly lostByControl: number
  /** Warnings and errors in the logs of the services, with how often each came. */
  readonly messages: readonly string[]
}

/** What the user that serves needs beside its tables, to see how servers replicate. */
const replicationRights = ["grant select on performance_schema.* to service@'127.0.0.1'"]

/** Seconds that a replica may be behind to be asked. */
const staleness = 10

/** Lets partners poll two services on these servers while writers write and one fault follows the other. */
export async function playHalf(topology: Topology, options: HalfOptions): Promise<HalfResult> {
  const ends: (() => unknown)[] = []
  try {
    return await play(topology, options, ends)
  } finally {
    for (const end of ends) await end()
  }
}

async function play(
  topology: Topology,
  { seconds, random, only, signal, report }: HalfOptions,
  ends: (() => unknown)[],
): Promise<HalfResult> {
  const observations = new Observations()
  const primary = await Primary.open(topology)
  ends.unshift(() => primary.close())
  const rights = [...leastRights, ...replicationRights]
  const { url: _, ...created } = await createData(primary, { rights })
  const data = { ...created, url: primary.lastingUrl("chaos") }
  await topology.settle()

  const tally = new Tally()
  const services = await startServices(topology, { observations, tally, ends })
  let isExcused = false
  const allows = ({ method, status, life, wasServing }: Failure) => {
    if (status === undefined) return observations.killedLives.has(life) || !wasServing
    // Nobody can log in without a primary.
    return isExcused || (method !== "GET" && observations.fault !== "none")
  }
  const clientOf = (random: Random) => new Client(services, { observations, random, allows })
  const client = clientOf(random.fork())
  const cookies: Record<string, string> = {}
  for (const name of ["acme-export", "partner"]) cookies[name] = await client.logIn(name)
  const scene: Scene = { server: primary, data, client, cookies, observations, services }
  const partners = goodPartners.map((partner) => ({
    ...partner,
    pause: [partner.pause[0] * 3, partner.pause[1] * 2] as const,
  }))
  const crowd = new Crowd(scene, random, { partners, writers: 3, clientOf })
  ends.unshift(() => crowd.dismiss())
  const readers = new Readers({
    client: clientOf(random.fork()),
    cookie: cookies["acme-export"] ?? "",
    eventIds: data.eventIds,
    observations,
  })
  const control = new Control(topology, data.eventIds[0], random.fork())
  let [count, losses, lostByControl, comparisons] = [0, 0, 0, 0]
  let comparison: Comparison | undefined
  const chosen = faults[topology.name].filter(({ name }) => only?.includes(name) ?? true)
  const told = { told: 0, beyond: 0 }
  let hasLost = false
  let audit: AuditSummary | undefined

  const inject = async (fault: ClusterFault) => {
    const began = performance.now()
    observations.fault = fault.name
    await fault.inject({
      topology,
      primary,
      services,
      random,
      excuse: () => isExcused = true,
      loseCommits: () => {
        losses++
        hasLost = true
      },
    })
    const injected = performance.now() - began
    const recovery = await Promise.all(
      services.map((service) => untilRecovered(service, { client, cookies, data })),
    )
    observations.fault = "none"
    isExcused = false
    count++
    const later = recovery.map(Math.round).join(" and ")
    report(
      `${topology.name}: ${fault.name} ${Math.round(injected)} ms, recovered ${later} ms later`,
    )
  }
  /** Compares all copies with the tables while nobody writes. */
  const compareAll = async (goesOn = true): Promise<Comparison> => {
    const began = performance.now()
    observations.fault = "comparison"
    await crowd.rest(() => topology.settle())
    if (hasLost) {
      const { told: more, beyond } = await tellPartners(scene, crowd.partners)
      told.told += more
      told.beyond += beyond
      hasLost = false
    }
    const found = await compareCopies(scene, crowd.partners)
    observations.fault = "none"
    comparisons++
    report(`${topology.name}: all compared, ${Math.round(performance.now() - began)} ms`)
    if (goesOn) await crowd.goOn()
    return found
  }
  try {
    await crowd.start()
    readers.start()
    control.start()
    for (const fault of sequence({ faults: chosen, seconds, random })) {
      if (signal.aborted) break
      if (fault === "compare") await compareAll()
      else await inject(fault)
      await sleep(random.between(200, 1000))
    }
    await readers.finish()
    await control.finish()
    comparison = await compareAll(false)
    const { guests } = await readTruth(primary, data.eventIds[0])
    lostByControl = control.lostOf(guests)
    if (losses === 0) audit = await checkAudit({ server: primary, services, observations })
    await crowd.finish()
    for (const service of services) await service.stop()
  } catch (error) {
    observations.violate((error as Error).stack ?? String(error))
  } finally {
    await crowd.dismiss()
  }
  const messages = services.flatMap(({ name, log }) =>
    [...log.messages].map(([message, count]) => `${name}: ${count} × ${message}`)
  )
  const { failovers } = primary
  return {
    ...{ topology, observations, crowd, readers, tally, failovers, losses },
    ...{ comparison, told, audit, lostByControl, messages },
    ...{ faults: count, comparisons },
  }
}

/** Starts two services that know all servers of a topology. */
async function startServices(
  { name: topology, nodes }: Topology,
  { observations, tally, ends }: {
    readonly observations: Observations
    readonly tally: Tally
    readonly ends: (() => unknown)[]
  },
): Promise<readonly ServiceProcess[]> {
  const folder = await mkdtemp(join(tmpdir(), "event-export-cluster-"))
  ends.unshift(() => rm(folder, { recursive: true, force: true }))
  const { name: user, password } = servingUser
  const services: ServiceProcess[] = []
  for (const number of [1, 2]) {
    const name = `${topology}-${number}`
    const configuration = {
      file: join(folder, `${name}.yaml`),
      port: await findStablePort(),
      adminPort: await findStablePort(),
      databaseUrl: urlOf(nodes, { database: "chaos", user, password }),
      secret,
      limit: 10,
      staleness,
    }
    const secrets = [password, encodeURIComponent(password), secret]
    const log = new ServiceLog(observations, secrets, tally.note)
    const output = pipeOutput(log)
    services.push(new ServiceProcess(name, { configuration, log, output, observations }))
  }
  ends.unshift(() => Promise.all(services.map((service) => service.kill())))
  await Promise.all(services.map((service) => service.start()))
  return services
}
