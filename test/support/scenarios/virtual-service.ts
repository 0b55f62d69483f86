import { mock } from "node:test"
import { setTimeout } from "node:timers/promises"
import type { Test } from "tap"
import type { Author } from "../../../core/access/changes.ts"
import type { Database } from "../../../core/data/database.ts"
import { recorderOf } from "../../../core/kernel/capabilities.ts"
import { capabilitiesOf } from "../../../core/kernel/capability.ts"
import type { Databases } from "../../../core/kernel/configured-database.ts"
import { type Instance, startInstance } from "../../../core/kernel/instance.ts"
import { generous, testConfig } from "../app.ts"
import { Builder } from "../builder.ts"
import { type Engine, freshUrl } from "../database.ts"
import { type ClockedWriter, openClocked } from "../polling/clocked.ts"
import { scannedLog } from "../scanned-log.ts"

/** The quotas of accounts that differ from the others, by their names. */
type Accounts = Readonly<Record<string, { readonly quota?: number }>>

/** The real service, with all that says how partners are doing, in a time that the test moves. */
export interface VirtualService {
  readonly database: Database
  readonly build: Builder
  /** Writes records as the platform does. */
  readonly platform: ClockedWriter
  /** The operator who changes accounts and grants. */
  readonly operator: Author
  /** How long deletions are remembered, in seconds. */
  readonly retention: number
  /** The Unix seconds that all clocks show: the database's and the process's. */
  readonly now: number
  /** Sends a request from an address. */
  send(request: Request, address: string): Promise<Response>
  /** Lets time pass. */
  passTo(time: number): void
  /** Looks at open changes, as the service does each second. */
  look(): Promise<void>
  /** Waits until all that was requested is recorded. */
  settle(): Promise<void>
}

/** Milliseconds between two looks for what requests wait for. */
const every = 50

/** What the service needs for this. No replication: its servers would each have a clock of their own. */
const capabilities = ["audit", "partners", "sessions", "feed", "waiting"]

/** Starts the service in virtual time, on an empty database. Removes both after the test. */
export async function startVirtual(
  t: Test,
  engine: Engine,
  { accounts }: { readonly accounts: Accounts },
): Promise<VirtualService> {
  const url = await freshUrl(t, engine)
  const world = await openClocked(engine, url)
  t.teardown(() => world.close())
  const { clock, database } = world
  mock.timers.enable({ apis: ["Date"], now: clock.now * 1000 })
  t.teardown(() => mock.timers.reset())
  const plan = await testConfig(url, {}, capabilities)
  const polling = { ...plan.polling, accounts }
  const databases = { use: () => Promise.resolve({ database, release: () => Promise.resolve() }) }
  const entries: Record<string, unknown>[] = []
  const instance: Instance = await startInstance(
    { ...plan, polling, accounts, limits: generous },
    {
      log: scannedLog(t, entries),
      databases: databases as unknown as Databases,
      recorderTimes: { delay: 1, longestPause: 10 },
      changes: { every },
    },
  )
  t.teardown(() => instance.close())
  return {
    database,
    build: new Builder(database),
    platform: world.connect(),
    operator: { actor: "root", address: "admin.example", record: recorderOf(capabilitiesOf(plan)) },
    retention: plan.polling.retention,
    get now() {
      return clock.now
    },
    send: (request, address) => instance.fetch(request, { address }),
    passTo(time) {
      clock.now = time
      mock.timers.setTime(clock.now * 1000)
    },
    async look() {
      await instance.nodes.changes.look()
    },
    async settle() {
      // A write that takes too long on a slow machine is tried again.
      for (;;) {
        const numbers = Object.values(instance.recorders.numbers)
        if (numbers.some(({ dropped }) => dropped > 0)) {
          const failed = entries.filter(({ level }) => level === "error")
          throw new Error("the service did not record what was requested", { cause: failed })
        }
        if (numbers.every(({ waiting }) => waiting === 0)) return
        await setTimeout(1)
      }
    },
  }
}
