import t from "tap"
import { findMissing, hasTold, readTold } from "../../../../plugins/capabilities/connect/told.ts"
import { idOf } from "../../../../plugins/capabilities/connect/ids.ts"
import { plainText } from "../../../../plugins/capabilities/connect/values.ts"
import { quoteName, quotePath } from "../../../../plugins/capabilities/connect/sources/quote.ts"
import { allRows } from "../../../../plugins/capabilities/connect/sources/source.ts"
import {
  grantsOf,
  planOf,
  triggerNames,
  watchedTables,
} from "../../../../plugins/capabilities/connect/triggers.ts"
import { openSource } from "../../../../plugins/capabilities/connect/sources/open.ts"
import { readState } from "../../../../plugins/capabilities/connect/state.ts"
import { takeOver, takeUpTold } from "../../../../plugins/capabilities/connect/take-over.ts"
import {
  connectedDatabase,
  fillStatements,
  freshPlatform,
  mappingOf,
  openPlatform,
} from "../../../support/connect/platform.ts"
import { onEveryEngine } from "../../../support/database.ts"

t.test("quoteName quotes what is no plain name, quotation marks as well", (t) => {
  t.equal(quoteName("postgres", "public.person"), '"public.person"')
  t.equal(quotePath("postgres", "public.person"), "public.person")
  t.equal(quotePath("postgres", 'public."a.b"'), 'public."a.b"')
  t.equal(quotePath("mysql", "order items"), "`order items`")
  t.equal(quotePath("mysql", "`a``.b`"), "`a``.b`")
  t.equal(quoteName("postgres", 'Per"son'), '"Per""son"')
  t.equal(quoteName("mysql", "per`son"), "`per``son`")
  t.equal(quoteName("sqlite", "group"), '"group"')
  t.end()
})

await onEveryEngine(t, async (t, engine) => {
  const fresh = async (t: Test, count: number) => {
    const database = await connectedDatabase(t, engine)
    const platform = await freshPlatform(t, engine)
    await platform.run(...fillStatements(count))
    const source = await openSource(platform.url)
    t.teardown(() => source.close())
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
    t.equal(await takeUpTold(options), false)
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
      await takeOver(options),
      { difference: { added: 0, changed: 0, gone: [] } },
      "nothing is left to find",
    )
  })

  await t.test("takeUpTold notes refused rows, holds mass deletions, and asks for a comparison after a new event", async (t) => {
    const { database, platform, source, options } = await fresh(t, 60)
    await platform.run("update person set mail = 'nobody' where id = 1")
    await takeUpTold(options)
    t.match((await readState(database)).refusals, [{ kind: "guest", key: "1", hasCopy: true }])
    await platform.run("update person set mail = 'ada@example.org' where id = 1")
    await takeUpTold(options)
    t.match(await readState(database), { refusals: [], refused: 0 })
    await platform.run("delete from attendee where id > 30")
    t.equal(await takeUpTold(options), true)
    t.ok(await hasTold(source), "the keys stay until all is compared")
    t.equal((await database.writer.selectFrom("guest").select("id").execute()).length, 60)
    await platform.run(
      "insert into gala select 3, charity_id, 'New', opens_at, closes_at, state, money, 0 from gala where id = 1",
    )
    t.equal(await takeUpTold(options), true)
  })

  await t.test("takeUpTold finds rows whatever stands in their SELECT and in their keys", async (t) => {
    const { database, platform, source } = await fresh(t, 1)
    const keys = ["o'brien", "x' or 1=1 -- ", 'a"b', "c?", "$1"]
    const values = keys.map((key) => `('${key.replaceAll("'", "''")}', 'Ada')`)
    await platform.run(
      "create table member (code varchar(60) primary key, nick varchar(60))",
      `insert into member values ${values.join(", ")}`,
    )
    const text = engine === "mysql" ? '"who?"' : "'who?'"
    const guest =
      `select code as id, 1 as event, coalesce(nick, ${text}) as firstName, '?' as lastName
      from member -- what: who?`
    const mapping = {
      ...mappingOf(platform.url, { guest }, "b"),
      keys: new Map([["guest" as const, [
        { table: "member", column: "code", of: undefined },
        {
          ...{ table: "member", column: "nick" },
          of: "select code from member where '?' <> '' and nick = ?",
        },
      ]]]),
    }
    for (const { apply } of planOf(source.name, watchedTables(mapping))) await source.change(apply)
    const options = { database, source, mapping, owner: "a" }
    await takeOver({ ...options, acceptsMapping: true, accepted: ["all"] })
    await platform.run("update member set nick = 'Eve'", "delete from member where code = 'c?'")
    await takeUpTold(options)
    const guests = await database.writer.selectFrom("guest").select(["id", "first_name"]).execute()
    const left = keys.filter((key) => key !== "c?")
    t.strictSame(
      guests.map(({ id, first_name }) => `${id} ${first_name}`).toSorted(),
      left.map((key) => `${idOf("guest", key)} Eve`).toSorted(),
    )
  })

  await t.test("records whose keys are bytes have UUIDs, and no key is taken for another", async (t) => {
    const { database, platform, source } = await fresh(t, 1)
    const ids = ["ffffffff-0000-7000-8000-0000000001f0", "01020304-0506-47c2-8070-000000000061"]
    const literals = ids.map((id) => `x'${id.replaceAll("-", "")}'`)
    await platform.run(
      `create table member (code ${
        engine === "mysql" ? "binary(16)" : "blob"
      }, nick varchar(60), no integer)`,
      ...literals.map((literal, no) => `insert into member values (${literal}, 'Ada', ${no})`),
    )
    const guest =
      "select code as id, 1 as event, nick as firstName, 'Byron' as lastName from member"
    const mapping = {
      ...mappingOf(platform.url, { guest }, "b"),
      keys: new Map([["guest" as const, [
        { table: "member", column: "code", of: undefined },
      ]]]),
    }
    const options = { database, source, mapping, owner: "a" }
    await takeOver({ ...options, acceptsMapping: true, accepted: ["all"] })
    for (const { apply } of planOf(source.name, watchedTables(mapping))) await source.change(apply)
    const guests = async (statement: string) => {
      await platform.run(statement)
      await takeUpTold(options)
      return await database.writer.selectFrom("guest").select(["id", "first_name"])
        .orderBy("first_name").execute()
    }
    t.match(await guests("update member set nick = 'Eve' where no = 0"), [
      { id: ids[1], first_name: "Ada" },
      { id: ids[0], first_name: "Eve" },
    ])
    t.same(await guests(`delete from member where code = ${literals[0]}`), [
      { id: ids[1], first_name: "Ada" },
    ])
  })

  await t.test("a trigger notes one key for a change, and two if the key is another", async (t) => {
    const { platform, source, mapping } = await fresh(t, 3)
    const noted = async (statement: string) => {
      await platform.run("delete from event_export_change", statement)
      const { records } = await source.snapshot((reader) => readTold(reader, mapping))
      const rows = await source.snapshot((reader) =>
        allRows(reader, "select name, value from event_export_change order by value")
      )
      const guests = [...records?.get("guest")?.keys() ?? []].toSorted()
      return [rows.map((row) => row.map(plainText).join(" ")), guests]
    }
    t.strictSame(await noted("update person set surname = 'A' where id = 1"), [["person.id 1"], [
      "1",
    ]])
    t.strictSame(
      await noted("update permission set attendee_id = 9 where attendee_id = 2"),
      [["permission.attendee_id 2", "permission.attendee_id 9"], ["2", "9"]],
    )
    t.strictSame(await noted("update place set town = 'B' where person_id = 3"), [
      ["place.person_id 3"],
      ["3"],
    ])
  })

  await t.test("takeUpTold leaves to a comparison of all what leads to thousands of records", async (t) => {
    const { platform, source, options, mapping } = await fresh(t, 3)
    const rows = Array.from({ length: 2001 }, (_, n) => `(${n + 10}, 1, 1, 0, null, null)`)
    await platform.run(`insert into attendee values ${rows.join(", ")}`)
    await takeOver(options)
    await platform.run("update person set surname = 'A' where id = 1")
    t.ok((await source.snapshot((reader) => readTold(reader, mapping))).records === undefined)
    t.equal(await takeUpTold(options), true)
  })

  await t.test("a key that is noted after the queue was read stays there", async (t) => {
    const { platform, source, options, names } = await fresh(t, 3)
    await platform.run("update person set surname = 'A' where id = 1")
    let hasWritten = false
    const late = {
      name: source.name,
      close: () => source.close(),
      snapshot: (work: Parameters<typeof source.snapshot>[0]) => source.snapshot(work),
      async change(statements: readonly string[]) {
        // The platform commits between the read and the end of the takeover.
        if (!hasWritten) await platform.run("update person set surname = 'B' where id = 2")
        hasWritten = true
        await source.change(statements)
      },
    } as unknown as typeof source
    await takeUpTold({ ...options, source: late })
    t.ok(await hasTold(source))
    await takeUpTold(options)
    t.strictSame(await names(), ["A", "B", "O'Byron 🦄"])
    t.notOk(await hasTold(source))
    t.same((await takeOver(options))?.difference.changed, 0)
  })

  await t.test("a key that is committed late is not lost, though later ones have been taken up", {
    skip: engine === "sqlite" && "writers of SQLite wait for one another",
  }, async (t) => {
    const { platform, options, names } = await fresh(t, 3)
    const other = await openPlatform(platform.url, { isEmpty: false })
    t.teardown(() => other.close())
    await other.run("begin", "update person set surname = 'Late' where id = 1")
    await platform.run("update person set surname = 'Early' where id = 2")
    await takeUpTold(options)
    t.strictSame(await names(), ["Early", "O'Byron 🦄"])
    await other.run("commit")
    await takeUpTold(options)
    t.strictSame(await names(), ["Early", "Late", "O'Byron 🦄"])
  })

  await t.test("a trigger never fails the platform's own statement, and one that is missing is noticed", async (t) => {
    const { platform, source, mapping, undo } = await fresh(t, 3)
    t.strictSame(await findMissing(source, mapping), [])
    await platform.run("drop trigger event_export_person_update")
    t.strictSame(await findMissing(source, mapping), ["event_export_person_update"])
    if (engine === "mysql") {
      await platform.run(
        "drop table event_export_change",
        "update attendee set texts = 0 where id = 1",
      )
    }
    await undo()
    t.equal(await findMissing(source, mapping), null)
    const schema = engine === "sqlite"
      ? "select name from sqlite_schema where name like 'sqlite_seq%' or name like 'event_export%'"
      : "select table_name from information_schema.tables where table_schema = database() and table_name like 'event_export%'"
    t.strictSame(await source.snapshot((reader) => allRows(reader, schema)), [], "nothing is left")
  })

  await t.test("triggers write names as a database wants them, also capitals and words of SQL", async (t) => {
    const { platform, source } = await fresh(t, 1)
    const quoted = engine === "mysql" ? ["`Order`", "`personId`"] : ['"Order"', '"personId"']
    await platform.run(`create table ${quoted[0]} (id integer primary key, ${quoted[1]} integer)`)
    const steps = planOf(source.name, [{ table: "Order", columns: ["id", "personId"] }])
    for (const { apply } of steps.slice(1)) await source.change(apply)
    await platform.run(
      `insert into ${quoted[0]} values (1, null)`,
      `update ${quoted[0]} set ${quoted[1]} = 7 where id = 1`,
    )
    const noted = await source.snapshot((reader) =>
      allRows(reader, "select name, value from event_export_change")
    )
    t.strictSame(noted.map((row) => row.map(plainText).join(" ")).toSorted(), [
      ...["Order.id 1", "Order.id 1", "Order.personId 7"],
    ])
    for (const { undo } of steps.slice(1)) await source.change(undo)
    await platform.run(`delete from ${quoted[0]}`)
  })

  await t.test("changes are told of tables and columns whose names need quotation marks", async (t) => {
    const { database, platform, source } = await fresh(t, 1)
    const quoted = (name: string) => engine === "mysql" ? `\`${name}\`` : `"${name}"`
    const [table, nick] = [quoted("crm.Gäste (neu)"), quoted("Vor.name")]
    await platform.run(
      `create table ${table} (code integer primary key, ${nick} varchar(60))`,
      `insert into ${table} values (7, 'Ada'), (8, 'Bo')`,
    )
    const guest =
      `select code as id, 1 as event, ${nick} as firstName, '' as lastName from ${table}`
    const key = { table: quoted("crm.Gäste (neu)"), column: "Vor.name" }
    const of = `select code from ${table} where ${nick} = ?`
    const mapping = {
      ...mappingOf(platform.url, { guest }, "b"),
      keys: new Map([["guest" as const, [{ ...key, of }, {
        ...key,
        column: "code",
        of: undefined,
      }]]]),
    }
    const options = { database, source, mapping, owner: "a" }
    await takeOver({ ...options, acceptsMapping: true, accepted: ["all"] })
    const steps = planOf(source.name, watchedTables(mapping))
    for (const { apply } of steps) await source.change(apply)
    t.strictSame(await findMissing(source, mapping), [])
    await platform.run(
      `update ${table} set ${nick} = 'Eve' where code = 7`,
      `delete from ${table} where code = 8`,
    )
    t.equal(await takeUpTold(options), false)
    const guests = await database.writer.selectFrom("guest").select(["id", "first_name"]).execute()
    t.same(guests, [{ id: idOf("guest", "7"), first_name: "Eve" }])
    for (const { undo } of steps.toReversed()) await source.change(undo)
  })

  await t.test("triggers of tables with long names have names of their own, as long as databases allow", async (t) => {
    const tables = ["a", "b"].map((end) => `${"long_".repeat(12)}${end}`)
    const names = tables.flatMap(triggerNames)
    t.equal(new Set(names).size, 6)
    t.ok(names.every((name) => name.length <= 63))
    t.strictSame(triggerNames("person")[0], "event_export_person_insert")
  })

  await t.test("grantsOf names the user of the mapping and its database", async (t) => {
    t.strictSame(grantsOf("mysql", "mysql://read%40er:x@db:3306/plat"), [
      "grant select, delete on `plat`.event_export_change to 'read@er'",
      "grant trigger on `plat`.* to 'read@er'",
    ])
    t.strictSame(grantsOf("postgres", "postgres://r:x@db/plat"), [
      'grant select, delete on event_export_change to "r"',
    ])
    t.strictSame(grantsOf("sqlite", "sqlite:x.db"), [])
  })
})

type Test = Parameters<Parameters<typeof onEveryEngine>[1]>[0]
