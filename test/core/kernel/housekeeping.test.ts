import { randomUUID } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import { sql } from "kysely"
import t, { type Test } from "tap"
import { FailedLogIns } from "../../../core/access/failed-log-ins.ts"
import { insertSession } from "../../../core/access/sessions.ts"
import type { Database } from "../../../core/data/database.ts"
import { startHousekeeping } from "../../../core/kernel/housekeeping.ts"
import type { Instance } from "../../../core/kernel/instance.ts"
import type { Service } from "../../../core/kernel/service.ts"
import { appendAudit } from "../../../plugins/capabilities/audit/audit-log.ts"
import { type Engine, onEmbedded } from "../../support/database.ts"
import { freshWorkshop } from "../../support/service.ts"
import { settleAll } from "../../support/settle.ts"

const { signal } = new AbortController()

await onEmbedded(t, async (t, engine) => {
  const begin = async (t: Test, engine: Engine) => {
    const workshop = await freshWorkshop(t, engine)
    workshop.write("  - use: health")
    await workshop.build.account("ann")
    return { ...workshop, service: await workshop.start() }
  }

  await t.test("housekeeping deletes expired failures, networks, sessions, audit entries and changes, again and again", async (t) => {
    const { database, service } = await begin(t, engine)
    const stop = startHousekeeping(service, { first: 0, every: 5 })
    for (let turn = 0; turn < 3; turn++) {
      await addExpired(database)
      while (await countExpired(database) > 0) await setTimeout(5)
      t.pass("all are gone")
    }
    stop()
  })

  await t.test("housekeeping keeps what has not expired", async (t) => {
    const { database, entries, service } = await begin(t, engine)
    await addExpired(database)
    await new FailedLogIns(database, "a secret").add([{ key: "ann", free: 5 }])
    await appendAudit(database, [audit(Math.floor(Date.now() / 1000) - 364 * 86_400)], signal)
    await addDisclosed(database, Math.floor(Date.now() / 1000) - 2189 * 86_400)
    const at = Math.floor(Date.now() / 1000) - 89 * 86_400
    await addChanges(database, [at])
    const stop = startHousekeeping(service, { first: 0 })
    const isPruned = () => entries.some(({ message }) => message === "pruned")
    while (!isPruned()) await setTimeout(5)
    t.equal(await countExpired(database), 5)
    stop()
  })

  await t.test("housekeeping goes on with a configuration that is reloaded", async (t) => {
    const { write, database, entries, service } = await begin(t, engine)
    const { held, reached, goOn } = holdRuns(service)
    const stop = startHousekeeping(held, { first: 0 })
    await reached()
    await addChanges(database, [1, 1])
    write("  - use: health", "limits: { burst: 5 }")
    t.match(await service.reload("a test"), { result: "applied" })
    goOn()
    while (await countExpired(database) > 0) await setTimeout(5)
    t.notOk(entries.some(({ level }) => level === "warn"))
    stop()
  })

  await t.test("a reload ends a run with the retention of the old configuration", async (t) => {
    const { write, database, service } = await begin(t, engine)
    write("  - use: health", "polling: { retention: 1 }")
    t.match(await service.reload("a test"), { result: "applied" })
    const { held, reached, goOn } = holdRuns(service)
    const stop = startHousekeeping(held, { first: 0 })
    await reached()
    const tenDaysAgo = Math.floor(Date.now() / 1000) - 10 * 86_400
    await addChanges(database, [1, tenDaysAgo])
    write("  - use: health", "polling: { retention: 30 }")
    t.match(await service.reload("a test"), { result: "applied" })
    goOn()
    const left = async () => {
      const rows = await database.writer.selectFrom("event_change").select("at").execute()
      return rows.map(({ at }) => at)
    }
    while ((await left()).includes(1)) await setTimeout(5)
    t.strictSame(await left(), [tenDaysAgo])
    stop()
  })

  await t.test("nothing runs once housekeeping has been stopped", async (t) => {
    const { database, service } = await begin(t, engine)
    const stop = startHousekeeping(service, { first: 0, every: 1 })
    stop()
    await addExpired(database)
    await setTimeout(30)
    t.equal(await countExpired(database), 6)
  })

  await t.test("stopping housekeeping ends a run at once, and closing the service waits for its last statement", async (t) => {
    const { database, entries, service } = await begin(t, engine)
    await addChanges(database, [1, 1])
    const { held, reached, goOn } = holdRuns(service)
    const stop = startHousekeeping(held, { first: 0 })
    await reached()
    stop()
    let isClosed = false
    const closing = service.close().then(() => (isClosed = true))
    await setTimeout(100)
    t.notOk(isClosed)
    goOn()
    await closing
    t.equal(await countExpired(database), 2)
    t.notOk(entries.some(({ level }) => level === "warn"))
  })
})

/**
 * Returns a service in which runs of housekeeping wait in a capability until `goOn` is called. Changes are deleted after
 * that. `reached` resolves once a run waits.
 */
function holdRuns(service: Service) {
  const { promise: going, resolve: goOn } = Promise.withResolvers<void>()
  let isReached = false
  const cleanUp = async () => {
    isReached = true
    await going
    return 0
  }
  const reached = async () => {
    while (!isReached) await setTimeout(5)
  }
  const known = new WeakMap<Instance, Instance>()
  const held = {
    get instance() {
      const { instance } = service
      const own = known.get(instance) ??
        { ...instance, capabilities: new Map([...instance.capabilities, ["slow", { cleanUp }]]) }
      known.set(instance, own)
      return own
    },
    get log() {
      return service.log
    },
  }
  return { held, reached, goOn }
}

/** An entry of the audit log. */
function audit(at: number) {
  const facts = { account: null, address: "", request_id: "", status: 204, milliseconds: 1 }
  return { action: "log-in" as const, at, ...facts }
}

/** A row of the change log. */
function change(at: number) {
  return { event_id: "an event", at, mark: 1 }
}

/** Adds changes of some times that are settled. */
async function addChanges(database: Database, times: readonly number[]): Promise<void> {
  await database.writer.insertInto("event_change").values(times.map((at) => change(at))).execute()
  await settleAll(database)
}

/** Adds one row of each kind that housekeeping deletes. */
async function addExpired(database: Database): Promise<void> {
  const { writer } = database
  await writer.insertInto("rate_limit").values({ name: randomUUID(), points: 1, expires: 1 })
    .execute()
  await appendAudit(database, [audit(1)], signal)
  await writer.insertInto("event_change").values(change(1)).execute()
  await addDisclosed(database, 1)
  const { id } = await writer.selectFrom("account").select("id").executeTakeFirstOrThrow()
  await insertSession(database, id, -91 * 86_400)
}

async function addDisclosed({ writer }: Database, at: number): Promise<void> {
  const about = { event_id: "e", account_id: "a", prefix: "/p", list: "guests" }
  const range = { from_time: 1, to_time: 1 }
  await writer.insertInto("disclosure")
    .values({ ...about, ...range, fields: "", whole: 1, first_at: 1, last_at: at, first_next: 1 })
    .execute()
  await writer.insertInto("erasure_notice").values({ ...about, ...range, kind: "told", at })
    .execute()
}

async function countExpired({ writer }: Database): Promise<number> {
  const tables = [
    "rate_limit",
    "session",
    "audit_log",
    "event_change",
    "disclosure",
    "erasure_notice",
  ] as const
  const counts = tables.map(async (table) =>
    (await writer.selectFrom(table).select((eb) => eb.fn.countAll<number>().as("rows"))
      // Reloads are in the audit log, too.
      .$if(table === "audit_log", (query) => query.where(sql.ref("action"), "<>", "reload"))
      .executeTakeFirstOrThrow()).rows
  )
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}
