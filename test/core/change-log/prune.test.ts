import { randomUUID } from "node:crypto"
import t from "tap"
import { pruneChangeLog } from "../../../core/change-log/prune.ts"
import { walkLifetime } from "../../../core/change-log/walk-lifetime.ts"
import { Builder } from "../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"
import { settleAll } from "../../support/settle.ts"

const retention = 2 * walkLifetime

await onEveryEngine(t, async (t, engine) => {
  let onStatement = (_sql: string) => {}
  const database = await freshDatabase(t, engine, { onStatement: (sql) => onStatement(sql) })
  /** Prunes, and aborts as soon as a statement has run. */
  const pruneUntil = async (statement: RegExp) => {
    const stop = new AbortController()
    onStatement = (sql) => statement.test(sql) && stop.abort()
    await pruneChangeLog(database, retention, stop.signal)
    onStatement = () => {}
    t.ok(stop.signal.aborted)
  }
  const db = database.writer
  const build = new Builder(database, { isAlone: true })
  const organization = await build.organization("acme")
  const now = () => Math.floor(Date.now() / 1000)
  type Table = "event_change" | "deletion" | "vacant_position"

  const insertChanges = async (event_id: string, times: readonly number[]) => {
    for (let start = 0; start < times.length; start += 1000) {
      const rows = times.slice(start, start + 1000).map((at) => ({ event_id, at, mark: at }))
      await db.insertInto("event_change").values(rows).execute()
    }
  }
  const settle = () => settleAll(database)
  const left = async (table: Table, event: string) => {
    const rows = await db.selectFrom(table).select("at").where("event_id", "=", event).orderBy("at")
      .execute()
    return rows.map(({ at }) => at)
  }
  const foldedOf = async (event: string) => {
    const row = await db.selectFrom("event_version").select(["changes", "mark"])
      .where("event_id", "=", event).executeTakeFirst()
    return { ...row }
  }

  await t.test("pruneChangeLog folds the changes that it deletes, and keeps an hour more of them than of deletions", async (t) => {
    const event = randomUUID()
    const cutoff = now() - retention
    const times = [cutoff - 7300, cutoff - 3700, cutoff - 3500, cutoff - 10, cutoff + 100]
    await insertChanges(event, times)
    for (const at of times) {
      await db.insertInto("deletion")
        .values({ event_id: event, category: "guests", record_id: randomUUID(), at }).execute()
    }
    await settle()
    await pruneChangeLog(database, retention)
    t.strictSame(await left("event_change", event), times.slice(2))
    t.strictSame(await left("deletion", event), times.slice(4))
    t.match(await foldedOf(event), { changes: 5, mark: times.reduce((sum, at) => sum + at) })
  })

  await t.test("pruneChangeLog releases the positions of deleted records after a day", async (t) => {
    const event = await build.event(organization)
    const ages = [walkLifetime + 100, walkLifetime + 60, walkLifetime - 600, 0]
    const times = ages.map((age) => now() - age)
    for (const at of times) {
      const same = { event_id: event, category: "guests", record_id: randomUUID(), updated: 1 }
      await db.insertInto("vacant_position").values({ ...same, at }).execute()
    }
    await pruneChangeLog(database, retention)
    t.strictSame(await left("vacant_position", event), times.slice(2))
  })

  await t.test(
    "pruneChangeLog keeps changes that are not settled",
    { skip: engine === "sqlite" },
    async (t) => {
      const event = randomUUID()
      await settle()
      await db.deleteFrom("event_change").execute()
      await insertChanges(event, [1, 2, 3])
      await pruneChangeLog(database, retention)
      t.strictSame(await left("event_change", event), [1, 2, 3])
      await settle()
      await pruneChangeLog(database, retention)
      t.strictSame(await left("event_change", event), [])
    },
  )

  await t.test("pruneChangeLog deletes nothing that it has not folded when its signal aborts", async (t) => {
    await db.deleteFrom("event_change").execute()
    const events = Array.from({ length: 5 }, () => randomUUID())
    for (const event of events) await insertChanges(event, [1, 1])
    await settle()
    await pruneUntil(/^insert into .event_version/)
    const folded = await Promise.all(events.map(foldedOf))
    t.equal(folded.filter(({ changes }) => changes).length, 1, "it has stopped")
    const kept = await Promise.all(events.map((event) => left("event_change", event)))
    t.equal(kept.flat().length, 10, "nothing is deleted")
    await pruneChangeLog(database, retention)
    t.match(await Promise.all(events.map(foldedOf)), events.map(() => ({ changes: 2 })))
  })

  await t.test("pruneChangeLog forgets a deletion though another event has the record, of which all stays", async (t) => {
    const [here, there] = [await build.event(organization), await build.event(organization)]
    const id = randomUUID()
    for (const event of [here, there]) await build.guest(event, { id, created: now() })
    const gone = db.deleteFrom("guest").where("id", "=", id)
    await gone.where("event_id", "=", there).execute()
    await gone.where("event_id", "=", here).execute()
    await build.guest(here, { id, created: now() })
    await db.updateTable("deletion").set({ at: 1 }).execute()
    await db.updateTable("event_change").set({ at: 1 }).execute()
    await settle()
    const starts = async () => {
      const rows = await db.selectFrom("record_start").select("event_id")
        .where("record_id", "=", id).execute()
      return rows.map(({ event_id }) => event_id)
    }
    t.strictSame((await starts()).toSorted(), [here, there].toSorted())
    await pruneChangeLog(database, retention)
    t.strictSame(await left("deletion", there), [])
    t.strictSame(await left("deletion", here), [1], "it says when the record was there before")
    t.strictSame(await starts(), [here])
  })
})
