import { randomUUID } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { setImmediate, setTimeout } from "node:timers/promises"
import { sql } from "kysely"
import t, { type Test } from "tap"
import { FailedLogIns } from "../../../core/access/failed-log-ins.ts"
import { insertSession } from "../../../core/access/sessions.ts"
import type { Database } from "../../../core/data/database.ts"
import { startHousekeeping } from "../../../core/kernel/housekeeping.ts"
import { appendAudit } from "../../../plugins/capabilities/audit/audit-log.ts"
import { type Engine, onEmbedded } from "../../support/database.ts"
import { freshWorkshop } from "../../support/service.ts"
import { settleAll } from "../../support/settle.ts"

const { signal } = new AbortController()

/** More changes than housekeeping deletes while a service is reloaded. */
const many = 15_000

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
    await database.writer.insertInto("event_change").values(change(at)).execute()
    await settleAll(database)
    const stop = startHousekeeping(service, { first: 0 })
    const isPruned = () => entries.some(({ message }) => message === "pruned")
    while (!isPruned()) await setTimeout(5)
    t.equal(await countExpired(database), 5)
    stop()
  })

  await t.test("housekeeping goes on with the database of a configuration that is reloaded", async (t) => {
    const { file, database, service } = await begin(t, engine)
    await addChanges(database, 1)
    await settleAll(database)
    const stop = startHousekeeping(service, { first: 0 })
    while (await countExpired(database) === many) await setImmediate()
    writeFileSync(
      file,
      readFileSync(file, "utf8").replace("database: {", "database: { connections: 5,"),
    )
    t.match(await service.reload("a test"), { result: "applied" })
    t.ok(await countExpired(database) > 0, "it had not ended")
    while (await countExpired(database) > 0) await setTimeout(5)
    stop()
  })

  await t.test("a reload ends a run with the retention of the old configuration", async (t) => {
    const { write, database, service } = await begin(t, engine)
    const tenDaysAgo = Math.floor(Date.now() / 1000) - 10 * 86_400
    await addChanges(database, tenDaysAgo)
    await settleAll(database)
    write("  - use: health", "polling: { retention: 1 }")
    t.match(await service.reload("a test"), { result: "applied" })
    const stop = startHousekeeping(service, { first: 0 })
    while (await countExpired(database) === many) await setImmediate()
    // The first run is past the audit log; the next deletes this, before it would come to the changes.
    await appendAudit(database, [audit(1)], signal)
    write("  - use: health", "polling: { retention: 30 }")
    t.match(await service.reload("a test"), { result: "applied" })
    const entries = () =>
      database.writer.selectFrom("audit_log").select("seq")
        .where("action", "<>", "reload").execute()
    while ((await entries()).length > 0) await setTimeout(5)
    const left = await countExpired(database)
    t.ok(left > 0, `${left}`)
    stop()
    await service.close()
    t.equal(await countExpired(database), left)
  })

  await t.test("nothing runs once housekeeping has been stopped", async (t) => {
    const { database, service } = await begin(t, engine)
    const stop = startHousekeeping(service, { first: 0, every: 1 })
    stop()
    await addExpired(database)
    await setTimeout(30)
    t.equal(await countExpired(database), 7)
  })

  await t.test("stopping housekeeping ends a run at once, and closing the service waits for its last statement", async (t) => {
    const { database, entries, service } = await begin(t, engine)
    await addChanges(database, 1)
    await settleAll(database)
    const stop = startHousekeeping(service, { first: 0 })
    const count = async () =>
      (await database.writer.selectFrom("event_change")
        .select((eb) => eb.fn.countAll<number>().as("rows")).executeTakeFirstOrThrow()).rows
    while (await count() === many) await setImmediate()
    stop()
    await service.close()
    const left = await count()
    t.ok(left > 0, `${left}`)
    t.notOk(entries.some(({ level }) => level === "warn"))
  })
})

/** An entry of the audit log. */
function audit(at: number) {
  const facts = { account: null, address: "", request_id: "", status: 204, milliseconds: 1 }
  return { action: "log-in" as const, at, ...facts }
}

/** A row of the change log. */
function change(at: number, eventId = "an event") {
  return { event_id: eventId, at, mark: 1 }
}

/** Adds changes of many events: each is folded by itself, so deleting them takes longer than a reload. */
async function addChanges({ writer }: Database, at: number): Promise<void> {
  for (let left = many; left > 0; left -= 5000) {
    const rows = Array.from(
      { length: 5000 },
      (_, n) => change(at, `${left} ${Math.floor(n / 100)}`),
    )
    await writer.insertInto("event_change").values(rows).execute()
  }
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
  await writer.insertInto("log_in_network")
    .values({ account_id: id, network: "192.0.2.1", last_used: 1 }).execute()
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
    "log_in_network",
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
