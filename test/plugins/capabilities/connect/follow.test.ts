import t from "tap"
import { findWatching, hasTold } from "../../../../plugins/capabilities/connect/follow.ts"
import { idOf } from "../../../../plugins/capabilities/connect/ids.ts"
import { planOf, watchedTables } from "../../../../plugins/capabilities/connect/keys.ts"
import { openSource } from "../../../../plugins/capabilities/connect/sources/open.ts"
import { listRefused } from "../../../../plugins/capabilities/connect/state.ts"
import { takeOver, takeUpTold } from "../../../../plugins/capabilities/connect/take-over.ts"
import {
  connectedDatabase,
  fillStatements,
  freshPlatform,
  mappingOf,
} from "../../../support/connect/platform.ts"
import { onEveryEngine } from "../../../support/database.ts"

await onEveryEngine(t, async (t, engine) => {
  const fresh = async (t: Test, count: number) => {
    const database = await connectedDatabase(t, engine)
    const platform = await freshPlatform(t, engine)
    await platform.run(...fillStatements(count))
    const source = await openSource(platform.url)
    const mapping = mappingOf(platform.url)
    const options = { database, source, mapping, owner: "a" }
    await takeOver(options)
    const steps = planOf(source.name, watchedTables(mapping))
    for (const { apply } of steps) await source.change(apply)
    const undo = async () => {
      for (const { undo } of steps.toReversed()) await source.change(undo)
    }
    const names = async () =>
      (await database.writer.selectFrom("guest").select("last_name").distinct().orderBy("last_name")
        .execute())
        .map(({ last_name }) => last_name)
    return { database, platform, source, mapping, options, undo, names }
  }

  await t.test("takeUpTold takes over what triggers tell, also of joined tables, and empties the queue", async (t) => {
    const { database, platform, source, options, names } = await fresh(t, 10)
    t.notOk(await hasTold(source))
    await platform.run(
      "update person set surname = 'Lovelace' where id = 1",
      "update permission set given = 0 where attendee_id = 1",
      "delete from attendee where id = 2",
      "update attendee set deleted_at = '2026-01-01 00:00:00' where id = 3",
      "insert into attendee values (11, 2, 4, 0, null, null)",
      "update attendee set gala_id = 2 where id = 5",
      "update thing set price = 20.50 where id = 1",
    )
    t.ok(await hasTold(source))
    t.strictSame(await takeUpTold(options), { hasMore: false, whole: false })
    t.notOk(await hasTold(source))
    t.strictSame(await names(), ["Lovelace", "O'Byron 🦄"])
    const guests = await database.writer.selectFrom("guest").select(["id", "event_id"]).execute()
    t.equal(guests.length, 9)
    t.strictSame(
      new Set(guests.filter(({ event_id }) => event_id === idOf("event", "2")).map(({ id }) => id)),
      new Set(["5", "11"].map((key) => idOf("guest", key))),
      "one that moved to another event is there only",
    )
    t.match(
      await database.writer.selectFrom("buy_now_item").select("price").where("price", ">", 1000)
        .execute(),
      [
        { price: 2050 },
      ],
    )
    t.match(
      (await takeOver(options)).difference,
      { added: 0, changed: 0, gone: [] },
      "nothing is left to find",
    )
  })

  await t.test("takeUpTold notes refused rows, holds mass deletions, and asks for a comparison after a new event", async (t) => {
    const { database, platform, options } = await fresh(t, 60)
    await platform.run("update person set mail = 'nobody' where id = 1")
    await takeUpTold(options)
    t.match(await listRefused(database, "database"), [{
      kind: "guest",
      source_key: "1",
      has_copy: 1,
    }])
    await platform.run("update person set mail = 'ada@example.org' where id = 1")
    await takeUpTold(options)
    t.strictSame(await listRefused(database, "database"), [])
    await platform.run("delete from attendee where id > 30")
    t.match(await takeUpTold(options), { whole: true })
    t.equal((await database.writer.selectFrom("guest").select("id").execute()).length, 60)
    await platform.run(
      "insert into gala select 3, charity_id, 'New', opens_at, closes_at, state, money, 0 from gala where id = 1",
    )
    t.match(await takeUpTold(options), { whole: true })
  })

  await t.test("a trigger never fails the platform's own statement, and one that is missing is noticed", async (t) => {
    const { platform, source, mapping, undo } = await fresh(t, 3)
    t.strictSame(await findWatching(source, mapping), { hasQueue: true, missing: [] })
    await platform.run("drop trigger event_export_person_update")
    t.strictSame(await findWatching(source, mapping), {
      hasQueue: true,
      missing: ["event_export_person_update"],
    })
    if (engine === "mysql") {
      await platform.run(
        "drop table event_export_change",
        "update attendee set texts = 0 where id = 1",
      )
    }
    await undo()
    t.strictSame(await findWatching(source, mapping), { hasQueue: false, missing: [] })
  })
})

type Test = Parameters<Parameters<typeof onEveryEngine>[1]>[0]
