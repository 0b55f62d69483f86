import t from "tap"
import { pruneChangeLog } from "../../../core/change-log/prune.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { Builder } from "../../support/builder.ts"
import { copiedUrl, onEveryEngine, openFor } from "../../support/database.ts"

await onEveryEngine(t, async (t, engine) => {
  const statements: string[] = []
  const database = await openFor(t, await copiedUrl(t, engine), {
    onStatement: (statement) => statements.push(statement),
  })
  await migrate(database)
  const build = new Builder(database, { isAlone: true })
  const organization = await build.organization("acme")
  const events = [await build.event(organization), await build.event(organization)]

  await t.test("pruneChangeLog folds each event once, however many rows it deletes", async (t) => {
    const db = database.writer
    const ofEvent = (event: string | undefined) =>
      db.selectFrom("event_change").select((eb) => eb.fn.countAll<number>().as("rows"))
        .where("event_id", "=", event ?? "").executeTakeFirstOrThrow()
    const [before] = await Promise.all(events.map(ofEvent))
    for (let portion = 0; portion < 9; portion++) {
      const rows = Array.from({ length: 1000 }, (_, row) => ({
        event_id: events[row % 2] ?? "",
        at: 1,
        mark: 1,
      }))
      await db.insertInto("event_change").values(rows).execute()
    }
    await db.updateTable("event_change").set({ at: 1 }).execute()
    const { last } = await db.selectFrom("event_change").select((eb) => eb.fn.max("seq").as("last"))
      .executeTakeFirstOrThrow()
    await db.updateTable("change_state").set({ settled: last }).execute()
    statements.length = 0
    t.ok(await pruneChangeLog(database, 1000) >= 9000)
    t.equal((await ofEvent(events[0])).rows, 0)
    for (const event of events) {
      const version = await db.selectFrom("event_version").select("changes").where(
        "event_id",
        "=",
        event,
      )
        .executeTakeFirstOrThrow()
      t.equal(version.changes, 4500 + Number(before?.rows), "no change is lost")
    }
    const folds = statements.filter((statement) => /sum\(.mark.\)/.test(statement))
    // A fold sums up a thousand rows per statement, and ends when none is left.
    const each = Math.ceil((4500 + Number(before?.rows)) / 1000) + 1
    t.equal(folds.length, events.length * each)
  })
})
