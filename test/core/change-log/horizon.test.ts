import { setTimeout } from "node:timers/promises"
import { sql } from "kysely"
import t from "tap"
import { readCompleteSince } from "../../../core/change-log/horizon.ts"
import { pruneChangeLog } from "../../../core/change-log/prune.ts"
import { requireResync } from "../../../plugins/capabilities/resync/require-resync.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { itemCategories } from "../../../core/records/kinds/items.ts"
import { Builder } from "../../support/builder.ts"
import { onEveryEngine, openFor, ownUrl } from "../../support/database.ts"
import { settleAll } from "../../support/settle.ts"

const aDay = 86_400

await onEveryEngine(t, async (t, engine) => {
  const url = await ownUrl(t, engine)
  const database = await openFor(t, url)
  const db = database.writer
  const build = new Builder(database, { isAlone: true })
  const organization = await build.organization("acme")
  const now = Math.floor(Date.now() / 1000)
  const horizonOf = (eventId: string, categories: readonly string[]) =>
    database.snapshot((snapshot) => readCompleteSince(snapshot, { eventId, categories }))
  const horizonsOf = async (event: string) => [
    await horizonOf(event, ["guests"]),
    await horizonOf(event, itemCategories),
    await horizonOf(event, ["guests", ...itemCategories]),
  ]

  /** Adds deletions of some ages, in days, and lets all changes be long ago. */
  const addDeletions = async (event: string, category: string, ages: readonly number[]) => {
    const rows = ages.map((age) => ({
      event_id: event,
      category,
      record_id: crypto.randomUUID(),
      at: now - age * aDay,
    }))
    for (let start = 0; start < rows.length; start += 500) {
      await db.insertInto("deletion").values(rows.slice(start, start + 500)).execute()
    }
    await db.insertInto("event_change").values({ event_id: event, at: now, mark: 1 }).execute()
    await db.updateTable("event_change").set({ at: now - 1000 * aDay }).execute()
    await settleAll(database)
  }

  await t.test("pruneChangeLog moves the horizon of the lists of which it forgets something, and no other", async (t) => {
    const [event, quiet] = [await build.event(organization), await build.event(organization)]
    await addDeletions(event, "guests", [20, 12, 3])
    await addDeletions(event, "tickets", [15])
    await addDeletions(quiet, "guests", [])
    await addDeletions(quiet, "tickets", [4])
    await pruneChangeLog(database, 10 * aDay)
    const [guests, items] = [now - 12 * aDay + 1, now - 15 * aDay + 1]
    t.strictSame(await horizonsOf(event), [guests, items, guests])
    t.strictSame(await horizonsOf(quiet), [0, 0, 0])
    await addDeletions(event, "guests", [30])
    await pruneChangeLog(database, 10 * aDay)
    t.strictSame(await horizonsOf(event), [guests, items, guests], "it never goes back")
    t.strictSame(await horizonsOf(quiet), [0, 0, 0], "again")
  })

  await t.test("pruneChangeLog moves no horizon for a deletion that it keeps, as the record was inserted again", async (t) => {
    const event = await build.event(organization)
    const id = await build.guest(event)
    await db.deleteFrom("guest").where("id", "=", id).execute()
    await build.guest(event, { id })
    await db.updateTable("deletion").set({ at: now - 30 * aDay }).where("event_id", "=", event)
      .execute()
    await addDeletions(event, "guests", [40])
    await pruneChangeLog(database, 10 * aDay)
    t.equal(await horizonOf(event, ["guests"]), now - 40 * aDay + 1)
  })

  await t.test("what others have moved the horizon for counts for all events, also after pruneChangeLog", async (t) => {
    const event = await build.event(organization)
    // A former version prunes: it remembers one time for both lists before it deletes from one.
    await addDeletions(event, "guests", [11])
    await pruneChangeLog(database, 10 * aDay)
    await db.updateTable("event_version").set({ forgotten: now - 10 * aDay })
      .where("event_id", "=", event).execute()
    t.strictSame(await horizonsOf(event), Array(3).fill(now - 10 * aDay + 1), "of an event")
    const former = now - 9 * aDay
    await db.updateTable("change_state").set({ complete_since: former }).execute()
    t.strictSame(await horizonsOf(event), Array(3).fill(former), "of all events")
    await pruneChangeLog(database, 8 * aDay)
    t.strictSame(await horizonsOf(event), Array(3).fill(former), "nothing else was forgotten")
    await db.transaction().execute((db) => requireResync({ db, dialect: database.dialect }))
    const restored = await horizonOf(event, ["guests"])
    t.ok(restored > now - 60, "the database was restored")
    await pruneChangeLog(database, 8 * aDay)
    t.strictSame(await horizonsOf(event), Array(3).fill(restored))
    await sql`delete from clock_step`.execute(db)
  })

  for (const [version, retained_since] of [["1.3", 5], ["this version", null]] as const) {
    await t.test(`pruneChangeLog lets no since count from before a step that it forgets, after ${version} has pruned`, async (t) => {
      await db.updateTable("change_state")
        .set({ recorded_since: retained_since, complete_since: 5, retained_since }).execute()
      const event = await build.event(organization)
      await addDeletions(event, "guests", [])
      for (const age of [30, 20, 3]) {
        const reached = now - age * aDay
        await db.insertInto("clock_step").values({ reached, back_to: reached - 50 }).execute()
      }
      await pruneChangeLog(database, 40 * aDay)
      t.equal(await horizonOf(event, ["guests"]), 5)
      await pruneChangeLog(database, 10 * aDay)
      t.strictSame(await horizonsOf(event), Array(3).fill(now - 20 * aDay + 1))
      const steps = await db.selectFrom("clock_step").select("reached").execute()
      t.strictSame(steps.map(({ reached }) => reached), [now - 3 * aDay])
      await sql`delete from clock_step`.execute(db)
    })
  }

  await t.test("what version 1.3 forgets beside this one moves the horizon of the lists that it notes, and no other", async (t) => {
    const event = await build.event(organization)
    await addDeletions(event, "guests", [])
    const cutoff = now - 5 * aDay
    await db.updateTable("change_state")
      .set({ recorded_since: 7, complete_since: cutoff, retained_since: cutoff }).execute()
    await pruneChangeLog(database, 8 * aDay)
    t.strictSame(await horizonsOf(event), [7, 7, 7])
  })

  await t.test("pruneChangeLog shows no reader a part of what it deletes, wherever it is stopped, and if two do it", async (t) => {
    await db.updateTable("change_state")
      .set({ recorded_since: 5, complete_since: 5, retained_since: 5 }).execute()
    const event = await build.event(organization)
    // Many have the same time: portions end between them.
    const ages = Array.from({ length: 1900 }, (_, n) => 20 + Math.floor(n / 800))
    await addDeletions(event, "guests", ages)
    await addDeletions(event, "guests", [2])
    const times = [...ages, 2].map((age) => now - age * aDay)
    const look = () =>
      database.snapshot(async (snapshot) => {
        const of = { eventId: event, categories: ["guests"] }
        const horizon = await readCompleteSince(snapshot, of)
        const { rows } = await snapshot.db.selectFrom("deletion")
          .select((eb) => eb.fn.countAll<number>().as("rows"))
          .where("event_id", "=", event).where("at", ">=", horizon).executeTakeFirstOrThrow()
        t.equal(rows, times.filter((at) => at >= horizon).length, `from ${horizon} on`)
        return horizon
      })
    t.equal(await look(), 5)
    const horizons = []
    for (const most of [1, 300, 1000]) {
      const stop = new AbortController()
      let deletions = 0
      const stopped = await openFor(t, url, {
        onStatement: (sql) => {
          if (/^delete from .deletion/.test(sql) && ++deletions === most) stop.abort()
        },
      })
      await pruneChangeLog(stopped, 10 * aDay, stop.signal)
      t.ok(stop.signal.aborted)
      horizons.push(await look())
    }
    t.strictSame(horizons, [21, 21, 20].map((age) => now - age * aDay + 1))
    // In one process, the embedded database would wait for itself.
    const others = engine === "mysql" ? [await openFor(t, url)] : []
    let isPruning = true
    // One that waits for a row of the other for long gives up.
    const pruning = Promise.allSettled(
      [database, ...others].map((each) => pruneChangeLog(each, 10 * aDay)),
    ).then(() => (isPruning = false))
    while (isPruning) {
      await look()
      await setTimeout(5)
    }
    await pruning
    await pruneChangeLog(database, 10 * aDay)
    t.equal(await look(), now - 20 * aDay + 1)
    const left = await db.selectFrom("deletion").select("at").where("event_id", "=", event)
      .execute()
    t.strictSame(left.map(({ at }) => at), [now - 2 * aDay])
  })

  await t.test("migrate can run a migration again after a failure halfway, and keeps the horizons", async (t) => {
    const event = await build.event(organization)
    await addDeletions(event, "tickets", [30])
    await pruneChangeLog(database, 10 * aDay)
    const before = await horizonsOf(event)
    t.match(before, [5, now - 30 * aDay + 1])
    await sql`delete from kysely_migration where name = '2000-kernel'`.execute(db)
    t.strictSame(await migrate(database), ["2000-kernel"])
    t.strictSame(await horizonsOf(event), before)
  })

  await t.test("readCompleteSince returns the time of the migration for tables of an operator that were in use before", async (t) => {
    for (const table of ["change_state", "event_change", "event_version", "deletion"]) {
      await sql`drop table ${sql.table(table)}`.execute(db)
    }
    const before = Math.floor(Date.now() / 1000) - 1
    await sql`delete from kysely_migration`.execute(db)
    await migrate(database)
    const found = await horizonOf("", ["guests"])
    t.ok(found >= before, `${found}`)
    await pruneChangeLog(database, aDay)
    t.equal(await horizonOf("", ["guests"]), found)
  })
})
