import { execFile } from "node:child_process"
import { globSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import process from "node:process"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import { Client, logInPartners } from "../chaos/client.ts"
import { checkControl, compareCopies, type Comparison } from "../chaos/comparison.ts"
import { type ConfigurationFile, writeConfiguration } from "../chaos/configuration.ts"
import { Crowd } from "../chaos/crowd.ts"
import { createData, host, servingUser } from "../chaos/data.ts"
import { Observations } from "../chaos/observations.ts"
import { PrivateMysql } from "../chaos/private-mysql.ts"
import { ServiceLog } from "../chaos/service-log.ts"
import { pipeOutput } from "../chaos/service-output.ts"
import { ServiceProcess } from "../chaos/service-process.ts"
import { readTruth } from "../../support/truth.ts"
import { secret } from "../../support/app.ts"
import type { Program } from "../../support/mysql/programs.ts"
import { differences } from "../../support/pull/copies.ts"
import { Random } from "../../support/random.ts"
import { findStablePort } from "../../support/stable-port.ts"
import { Balancer } from "./balancer.ts"
import type { Installed, Versions } from "./packages.ts"
import { Puller } from "./puller.ts"
import { Readers } from "./readers.ts"

export interface UpgradeOptions {
  readonly program: Program
  readonly versions: Versions
  /** Seconds of load between two steps. */
  readonly seconds: number
  readonly seed: number
  readonly signal: AbortSignal
  /** Called with what is done, and with what commands print. */
  readonly report: (line: string) => void
}

/** What an upgrade and a rollback under load did and found. */
export interface UpgradeResult {
  readonly observations: Observations
  readonly crowd: Pick<Crowd, "polls" | "resyncs" | "commits">
  readonly readers: Pick<Readers, "woken" | "exports" | "interrupted">
  /** Runs of the client pull. */
  readonly pulls: number
  readonly comparison: Comparison
  /** Warnings and errors in the logs of the services, with how often each came. */
  readonly messages: readonly string[]
}

const run = promisify(execFile)

/** Seconds that a service goes on after SIGTERM. */
const drain = 2

/**
 * Lets two services of the previous version serve, behind a balancer, while writers write and partners of all kinds
 * read. Migrates with the next version, and restarts one service after the other as that; then back.
 */
export async function rollOver(options: UpgradeOptions): Promise<UpgradeResult> {
  const { program, versions: { previous, next }, seconds, signal, report } = options
  const folder = await mkdtemp(join(tmpdir(), "event-export-upgrade-"))
  const ends: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })]
  try {
    const server = await PrivateMysql.start(program, { megabytes: 256, signal })
    ends.unshift(() => server.remove())
    const { name, password } = servingUser
    const configuration = async (name: string): Promise<ConfigurationFile> => ({
      file: join(folder, `${name}.yaml`),
      port: await findStablePort(),
      adminPort: await findStablePort(),
      databaseUrl: `mysql://${servingUser.name}:${
        encodeURIComponent(password)
      }@127.0.0.1:${server.port}/chaos`,
      secret,
      drain,
      limit: 10,
    })
    const owner = { ...await configuration("owner"), databaseUrl: `${server.url}/chaos` }
    writeConfiguration(owner)
    const migrate = async ({ version, program }: Installed) => {
      const { stdout, stderr } = await run(process.execPath, [
        program,
        "migrate",
        "--config",
        owner.file,
      ])
      report(`migrate of ${version}: ${(stdout + stderr).trim()}`)
    }
    const data = await createData(server, {
      migrate: () => migrate(previous),
      rights: [`grant select, insert, update, delete on chaos.* to ${name}@'${host}'`],
    })
    const observations = new Observations()
    const services: ServiceProcess[] = []
    for (const name of ["one", "two"]) {
      const log = new ServiceLog(observations, [password, secret])
      const output = pipeOutput(log)
      services.push(
        new ServiceProcess(name, {
          configuration: await configuration(name),
          log,
          output,
          observations,
        }),
      )
    }
    ends.unshift(() => Promise.all(services.map((service) => service.kill())))
    for (const service of services) await service.start(previous.program)
    const balancer = await Balancer.open(services.map(({ url }) => url))
    ends.unshift(() => balancer.close())
    await balancer.untilReady(2)

    const random = new Random(options.seed)
    const client = new Client([balancer], { observations, random: random.fork() })
    const cookies = await logInPartners(client)
    const scene = { server, data, client, cookies, observations, services: [balancer] }
    const crowd = new Crowd(scene, random)
    ends.unshift(() => crowd.dismiss())
    const readers = new Readers({
      client,
      cookie: cookies["acme-export"] ?? "",
      eventIds: data.eventIds,
      observations,
    })
    // As partners downloaded it before: a new one may need what only the next version serves.
    // Version 1.1 has it in another folder than later ones.
    const places = join(dirname(previous.program), "../plugins/{documents/,}pull/pull.js")
    const [pull] = globSync(places)
    if (pull === undefined) throw new Error(`${previous.version} has no client pull at ${places}`)
    const puller = new Puller(balancer.url, pull, observations)
    ends.unshift(() => puller.partner.remove())
    await crowd.start()
    readers.start()
    puller.start()

    const step = async (name: string, work: () => Promise<void>) => {
      observations.fault = name
      const began = performance.now()
      await work()
      report(`${name}: ${((performance.now() - began) / 1000).toFixed(1)} s`)
      await sleep(seconds * 1000)
    }
    const replaceAll = async ({ version, program }: Installed) => {
      for (const service of services) {
        await step(`restart of service ${service.name} as ${version}`, async () => {
          await service.stop()
          await service.start(program)
          await balancer.untilReady(2)
        })
      }
    }
    await step(`two services of ${previous.version}`, () => Promise.resolve())
    await step(`migrate of ${next.version}`, () => migrate(next))
    await replaceAll(next)
    await step("the present client takes over a copy", () => puller.handOver())
    await step(`migrate of ${previous.version}, to roll back`, () => migrate(previous))
    await replaceAll(previous)

    await readers.finish()
    await crowd.finish()
    await puller.finish()
    const comparison = await compareCopies(scene, crowd.partners)
    checkControl(comparison, observations)
    for (const eventId of data.eventIds) {
      const truth = await readTruth(server, eventId)
      for (const difference of differences(puller.partner, eventId, truth)) {
        observations.violate(`the copy of pull: ${difference}`)
      }
    }
    for (const service of services) await service.stop()
    const messages = services.flatMap(({ name, log }) =>
      [...log.messages].map(([message, count]) => `service ${name}: ${count} × ${message}`)
    )
    return { observations, crowd, readers, pulls: puller.pulls, comparison, messages }
  } finally {
    for (const end of ends) await end()
  }
}
