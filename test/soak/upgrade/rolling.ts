import { execFile } from "node:child_process"
import { globSync } from "node:fs"
import { dirname, join } from "node:path"
import process from "node:process"
import { setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import type { Test } from "tap"
import { compareCopies } from "../chaos/comparison.ts"
import { writeConfiguration } from "../chaos/configuration.ts"
import { Crowd } from "../chaos/crowd.ts"
import { createData, host, servingUser } from "../chaos/data.ts"
import { Observations } from "../chaos/observations.ts"
import type { PlayResult } from "../chaos/play.ts"
import { PrivateMysql } from "../chaos/private-mysql.ts"
import { openScene, startServices } from "../chaos/stage.ts"
import { secret } from "../../support/app.ts"
import type { Program } from "../../support/mysql/programs.ts"
import { differences } from "../../support/pull/copies.ts"
import { Random } from "../../support/random.ts"
import { readTruth } from "../../support/truth.ts"
import { Balancer } from "./balancer.ts"
import type { Installed, Versions } from "./packages.ts"
import { Puller } from "./puller.ts"

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
export interface UpgradeResult extends PlayResult {
  /** Runs of the client pull. */
  readonly pulls: number
}

const run = promisify(execFile)

/** Seconds that a service goes on after SIGTERM, and that the database may take. */
const settings = { drain: 2, limit: 10, mapping: null }

/**
 * Lets two services of the previous version serve, behind a balancer, while writers write and partners of all kinds
 * read. Migrates with the next version, and restarts one service after the other as that; then back.
 */
export async function rollOver(t: Test, options: UpgradeOptions): Promise<UpgradeResult> {
  const { program, versions: { previous, next }, seconds, signal, report } = options
  const server = await PrivateMysql.start(program, { megabytes: 256, signal })
  t.teardown(() => server.remove())
  const file = join(t.testdir(), "owner.yaml")
  writeConfiguration({
    ...{ file, port: 0, adminPort: 0, secret, ...settings },
    databaseUrl: `${server.url}/chaos`,
  })
  const migrate = async ({ version, program }: Installed) => {
    const { stdout, stderr } = await run(process.execPath, [program, "migrate", "--config", file])
    report(`migrate of ${version}: ${(stdout + stderr).trim()}`)
  }
  const { name, password } = servingUser
  const data = await createData(server, {
    migrate: () => migrate(previous),
    rights: [`grant select, insert, update, delete on chaos.* to ${name}@'${host}'`],
  })
  const observations = new Observations()
  const url = `mysql://${name}:${encodeURIComponent(password)}@127.0.0.1:${server.port}/chaos`
  const services = await startServices(t, {
    ...{ observations, settings },
    urls: { one: url, two: url },
    program: previous.program,
  })
  const balancer = await Balancer.open(services.map(({ url }) => url))
  t.teardown(() => balancer.close())
  await balancer.untilReady(2)

  const random = new Random(options.seed)
  const scene = await openScene({ server, data, observations, services: [balancer], random })
  const crowd = new Crowd(scene, random)
  t.teardown(() => crowd.dismiss())
  // As partners downloaded it before: a new one may need what only the next version serves.
  const places = join(dirname(previous.program), "../plugins/documents/pull/pull.{js,mjs}")
  const [pull] = globSync(places)
  if (pull === undefined) throw new Error(`${previous.version} has no client pull at ${places}`)
  const puller = new Puller(balancer.url, pull, observations)
  t.teardown(() => puller.partner.remove())
  await crowd.start()
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

  await crowd.finish()
  await crowd.rest(() => Promise.resolve())
  await puller.finish()
  const comparison = await compareCopies(scene, crowd)
  for (const eventId of data.eventIds) {
    const truth = await readTruth(server, eventId)
    for (const difference of differences(puller.partner, eventId, truth)) {
      observations.violate(`the copy of pull: ${difference}`)
    }
  }
  for (const service of services) await service.stop()
  const stage = { ...scene, services, settle: () => Promise.resolve() }
  return { stage, crowd, injected: [], comparison, audit: undefined, pulls: puller.pulls }
}
