import t from "tap"
import type { Database } from "../../../../core/data/database.ts"
import { idOf } from "../../../../plugins/capabilities/connect/ids.ts"
import { openSource } from "../../../../plugins/capabilities/connect/sources/open.ts"
import { Lease, readState } from "../../../../plugins/capabilities/connect/state.ts"
import {
  assertOutcome,
  type Outcome,
  takeOver,
} from "../../../../plugins/capabilities/connect/take-over.ts"
import {
  connectedDatabase,
  fillStatements,
  freshPlatform,
  mappingOf,
  selects,
} from "../../../support/connect/platform.ts"
import { onEveryEngine } from "../../../support/database.ts"

await onEveryEngine(t, async (t, engine) => {
  const fresh = async (t: Test, count: number) => {
    const database = await connectedDatabase(t, engine)
    const platform = await freshPlatform(t, engine)
    await platform.run(...fillStatements(count))
    const run = async (options: Partial<Parameters<typeof takeOver>[0]> = {}): Promise<Outcome> => {
      const mapping = options.mapping ?? mappingOf(platform.url)
      const source = await openSource(platform.url)
      t.teardown(() => source.close())
      const outcome = await takeOver({ database, source, mapping, owner: "a", ...options })
      assertOutcome(outcome)
      return outcome
    }
    return { database, platform, run }
  }

  await t.test("takeOver writes the time of creation of each record that has one", async (t) => {
    const guest = (selects.guest ?? "").replace(
      "attendee.id,",
      "attendee.id, case when attendee.id = NULLS then null else 1600000000 + attendee.id end as created,",
    )
    // In the order of their ids, which are hashes, each of them is the first once.
    for (const none of ["1", "2", "3"]) {
      const { database, platform, run } = await fresh(t, 3)
      await run()
      const mapping = mappingOf(platform.url, { guest: guest.replace("NULLS", none) }, "b")
      await run({ mapping, acceptsMapping: true })
      const rows = await database.writer.selectFrom("guest").select("created")
        .where("id", "!=", idOf("guest", none)).orderBy("created").execute()
      const expected = [1, 2, 3].filter((id) => String(id) !== none).map((id) => 1600000000 + id)
      t.strictSame(rows.map(({ created }) => created), expected)
    }
  })

  await t.test("takeOver takes conditions of old applications of MySQL: 0000-00-00 for never", async (t) => {
    const { platform, run } = await fresh(t, 3)
    const guest = `${selects.guest} or deleted_at = '0000-00-00'`
    const { difference } = await run({ mapping: mappingOf(platform.url, { guest }) })
    t.match(difference, { added: 9, refusedCount: 0 })
  })

  await t.test("takeOver writes each record as its SELECT has it, and nothing when nothing has changed", async (t) => {
    const { database, platform, run } = await fresh(t, 30)
    const { difference, removed } = await run()
    t.match(difference, { rows: 36, added: 36, changed: 0, refusedCount: 0 })
    t.equal(removed, 0)
    const id = idOf("guest", "3")
    const eventId = idOf("event", "1")
    t.match(await database.writer.selectFrom("guest").selectAll().where("id", "=", id).execute(), [{
      ...{
        event_id: eventId,
        first_name: "Ada3",
        last_name: "O'Byron 🦄",
        email: "ada3@example.org",
      },
      ...{ mobile: "+44 20 7946 3", sms_opt_in: 1, company_name: "Byron & Co", external_id: "" },
    }])
    t.match(
      await database.writer.selectFrom("consent").selectAll().where("guest_id", "=", id).execute(),
      [
        { asked: 1, status: "active", channels: "email,sms" },
      ],
    )
    t.match(
      await database.writer.selectFrom("address").selectAll().where("guest_id", "=", id).execute(),
      [
        {
          kind: "main",
          line1: "3 Sea Road",
          town: "Hove",
          postcode: "BN3",
          country: "GB",
          name: "",
          line2: null,
        },
      ],
    )
    t.match(
      await database.writer.selectFrom("buy_now_item").selectAll().orderBy("name").execute(),
      [
        { id: idOf("buy_now_item", "2"), price: 500, categories: "[]", quantity: null },
        {
          id: idOf("buy_now_item", "1"),
          price: 1999,
          categories: /^\["travel", ?"sea"\]$/,
          quantity: 3,
        },
      ],
    )
    t.match(
      await database.writer.selectFrom("event").selectAll().where("id", "=", eventId).execute(),
      [
        // In London, summer time ends between the two.
        { starts: Date.UTC(2026, 9, 24, 17, 30) / 1000, ends: Date.UTC(2026, 9, 25, 0) / 1000 },
      ],
    )
    const before = await logOf(database)
    t.equal(before, 35, "each record of an event, and each event, is logged once")
    t.match((await run()).difference, { rows: 36, added: 0, changed: 0, refusedCount: 0 })
    t.equal(await logOf(database), before, "nothing is written")

    await platform.run(
      "update person set surname = 'Lovelace' where id in (3, 4)",
      "update permission set given = 0 where attendee_id = 5",
      "delete from permission where attendee_id = 6",
      "delete from place where person_id = 7",
      "update attendee set deleted_at = '2026-01-01 00:00:00' where id = 8",
      "delete from attendee where id = 9",
      "insert into attendee values (31, 2, 1, 0, null, null)",
      "update attendee set gala_id = 2 where id = 10",
    )
    const changed = await run()
    t.match(changed.difference, { added: 1, changed: 6 })
    t.equal(changed.removed, 2)
    const deleted = await database.writer.selectFrom("deletion").select("record_id").execute()
    t.strictSame(
      new Set(deleted.map(({ record_id }) => record_id)),
      new Set(["8", "9", "10"].map((key) => idOf("guest", key))),
    )
    t.equal(
      (await database.writer.selectFrom("address").selectAll().where(
        "guest_id",
        "=",
        idOf("guest", "7"),
      ).execute()).length,
      0,
    )
    t.equal(
      (await database.writer.selectFrom("consent").selectAll().where(
        "guest_id",
        "=",
        idOf("guest", "6"),
      ).execute()).length,
      0,
    )
  })

  await t.test("takeOver takes fields of the platform's own, compares them, and refuses what is no object", async (t) => {
    const { database, platform, run } = await fresh(t, 2)
    const withExtra = (sql: string) => {
      const guest = (selects.guest ?? "").replace(/^select /i, `select ${sql} as extra, `)
      return { mapping: mappingOf(platform.url, { guest }) }
    }
    const stored = async () => {
      const rows = await database.writer.selectFrom("guest").select("extra").orderBy("id").execute()
      return rows.map(({ extra }) => JSON.parse(String(extra)))
    }
    await run(withExtra("json_object('table', person.surname)"))
    t.match(await stored(), [{ table: /Byron/ }, { table: /Byron/ }])
    const same = await run(withExtra("json_object('table', person.surname)"))
    t.match(same.difference, { added: 0, changed: 0 })
    t.match((await run(withExtra("json_object('table', 7)"))).difference, { changed: 2 })
    t.strictSame(await stored(), [{ table: 7 }, { table: 7 }])
    const { difference } = await run(withExtra("'seven'"))
    t.match(difference.refused, [{ reason: "not a JSON object", column: "extra" }, {}])
    t.strictSame(await stored(), [{ table: 7 }, { table: 7 }])
    t.match((await run(withExtra("null"))).difference, { changed: 2 })
    t.strictSame(await stored(), [null, null])
  })

  await t.test("takeOver keeps the copy of a row that it cannot take over, and says why", async (t) => {
    const { database, platform, run } = await fresh(t, 3)
    await run()
    await platform.run(
      `update person set surname = '${"x".repeat(101)}' where id = 1`,
      "update person set mail = 'nobody' where id = 2",
      "insert into attendee values (4, 99, 1, 0, null, null)",
      "update thing set price = 1.005 where id = 1",
    )
    const { difference, removed } = await run()
    t.equal(removed, 0)
    t.match(difference.refused, [
      { kind: "guest", key: "1", reason: "too long", column: "lastName", hasCopy: true },
      { kind: "guest", key: "2", reason: "not an e-mail address", column: "email" },
      { kind: "buy_now_item", key: "1", reason: "too precise", column: "price" },
    ])
    t.strictSame([...difference.leftOut], [["guest", 1]], "its event is not selected")
    t.equal((await readState(database)).refusals.length, 3)
    const names = await database.writer.selectFrom("guest").select("last_name").distinct().execute()
    t.strictSame(names.map(({ last_name }) => last_name), ["O'Byron 🦄"])
    await platform.run(
      "update person set surname = 'Byron' where id = 1",
      "update person set mail = '' where id = 2",
    )
    t.match((await run()).difference, { changed: 2, refusedCount: 1 })
  })

  await t.test("takeOver takes what an old database has for no date, flags for a consent, one step of bids, and any text for a slug", async (t) => {
    const { database, platform, run } = await fresh(t, 1)
    const guest = (selects.guest ?? "").replace(
      "asked as consentAsked",
      "'0000-00-00' as created, asked as consentAsked",
    )
      .replace("case when given = 1 then 'active' else 'inactive' end", "given")
    const lot =
      "select id, gala_id as event, title as name, state as status, price as startPrice, '2.50' as increments from thing where gala_id = 1"
    const mapping = mappingOf(platform.url, { guest, auction_item: lot })
    await platform.run("update charity set short_name = ' St Agnes_2 '")
    t.match((await run({ mapping })).difference, { refusedCount: 0 })
    t.match(await database.writer.selectFrom("organization").selectAll().execute(), [
      { slug: "st-agnes-2" },
    ])
    t.match(await database.writer.selectFrom("consent").selectAll().execute(), [{
      status: "active",
    }])
    const [lots] = await database.writer.selectFrom("auction_item").select("increments").execute()
    t.strictSame(JSON.parse(String(lots?.increments)), [{ from: 0, step: 250 }])
    const { difference } = await run({
      mapping: mappingOf(platform.url, {
        event: (selects.event ?? "").replace("opens_at as", "'0000-00-00 00:00:00' as"),
      }),
      acceptsMapping: true,
    })
    t.match(difference.refused, [{ kind: "event", reason: "empty", column: "starts" }, {}])
    const london = (selects.event ?? "").replace("'Europe/London'", "'London'")
    t.match(
      (await run({ mapping: mappingOf(platform.url, { event: london }), acceptsMapping: true }))
        .difference.refused,
      [{ kind: "event", reason: "not a time zone", column: "timezone", hasCopy: true }, {}],
    )
  })

  await t.test("takeOver refuses milliseconds, leaves empty words out of lists, and keeps no endless key", async (t) => {
    const { database, platform, run } = await fresh(t, 3)
    await platform.run('update thing set tags = \'["sea", null, ""]\' where id = 1')
    const mapping = mappingOf(platform.url, {
      guest: `select case id when 1 then '${"k".repeat(4000)}' else id end as id, gala_id as event,
        'Ada' as firstName, 'Byron' as lastName, '' as email, 'email,, sms,' as consentChannels,
        case id when 2 then 1790000000000 else 1790000000 end as created from attendee`,
    })
    const { difference } = await run({ mapping })
    t.match(difference.refused, [
      { key: `${"k".repeat(40)}…`, reason: "it has no id of at most 191 characters" },
      { key: "2", reason: /milliseconds/, column: "created" },
    ])
    const { channels } = await database.writer.selectFrom("consent").select("channels")
      .executeTakeFirstOrThrow()
    t.equal(channels, "email,sms")
    const { categories } = await database.writer.selectFrom("buy_now_item").select("categories")
      .where("id", "=", idOf("buy_now_item", "1")).executeTakeFirstOrThrow()
    t.strictSame(JSON.parse(String(categories)), ["sea"])
  })

  await t.test("takeOver deletes nothing of an event that loses too much at once, until told", async (t) => {
    const { database, platform, run } = await fresh(t, 100)
    await run()
    await platform.run(
      "delete from attendee where id > 70",
      "update person set surname = 'Y' where id = 1",
    )
    const { held, removed, difference } = await run()
    t.match({ held, removed, difference }, {
      held: [{ event: idOf("event", "1"), kind: "guest", gone: 30, known: 100 }],
      removed: 0,
      difference: { changed: 1 },
    })
    t.match(await readState(database), { held, removed: 0 })
    t.equal((await run({ accepted: ["1"] })).removed, 30)
    await platform.run("update gala set archived = 1 where id = 1")
    t.match(await run(), { removed: 0, held: [{}, {}, {}] })
    t.equal((await run({ accepted: [idOf("event", "1")] })).removed, 73)
    t.match(await database.writer.selectFrom("event").select("name").execute(), [{
      name: "Spring Ball",
    }])
  })

  await t.test("takeOver deletes nothing if a SELECT fails, and says so in its state", async (t) => {
    const { database, platform, run } = await fresh(t, 3)
    await run()
    await platform.run("drop table thing", "delete from attendee where id = 1")
    await t.rejects(run(), /thing/)
    t.equal((await database.writer.selectFrom("guest").selectAll().execute()).length, 3)
    t.match(await readState(database), { failure: /thing/, failed_at: Number, owner: "" })
  })

  await t.test("takeOver does not put a changed mapping in force by itself, and says what it would change", async (t) => {
    const { database, platform, run } = await fresh(t, 3)
    await run()
    const mapping = mappingOf(platform.url, { guest: `${selects.guest} and attendee.id < 3` }, "b")
    await t.rejects(
      run({ mapping }),
      /not the one in force. It would add 0 records, change 0, delete 1 and refuse 0 rows/,
    )
    t.equal((await database.writer.selectFrom("guest").selectAll().execute()).length, 3)
    t.equal((await run({ mapping, acceptsMapping: true })).removed, 1)
    await run({ mapping })
  })

  await t.test("takeOver refuses a SELECT that returns a column twice: nobody knows which one is meant", async (t) => {
    const { platform, run } = await fresh(t, 3)
    const charity = "select id, short_name as slug, title as name, short_name as NAME from charity"
    const mapping = mappingOf(platform.url, { organization: charity })
    await t.rejects(run({ mapping }), { message: /organization has the column NAME twice/ })
  })

  await t.test("takeOver leaves it to a process that is at it", async (t) => {
    const { database, run } = await fresh(t, 3)
    await run()
    await database.writer.updateTable("connect_state").set({ owner: "b", until: 2_000_000_000 })
      .execute()
    await t.rejects(run(), /Another process/)
    await database.writer.updateTable("connect_state").set({ until: 1 }).execute()
    await run()
  })

  await t.test("a process that is at it keeps the right of a minute: it renews it after a quarter of that", async (t) => {
    const { database } = await fresh(t, 1)
    let time = 0
    t.intercept(performance, "now", { value: () => time })
    const lease = new Lease(database, "a")
    const renewedAt = async (passed: number) => {
      await database.writer.updateTable("connect_state").set({ until: 5 }).execute()
      time = passed
      await lease.renew()
      const { until } = await readState(database)
      return until !== 5
    }
    const renewed = await lease.use(async () => [
      await renewedAt(14_999),
      await renewedAt(15_000),
      await renewedAt(29_999),
      await renewedAt(30_000),
    ])
    t.strictSame(renewed, [false, true, false, true])
  })
})

type Test = Parameters<Parameters<typeof onEveryEngine>[1]>[0]

async function logOf(database: Database): Promise<number> {
  return (await database.writer.selectFrom("event_change").selectAll().execute()).length
}
