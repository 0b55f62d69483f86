import { writeFileSync } from "node:fs"
import { join } from "node:path"
import t from "tap"
import { inspect, writeMapping } from "../../../plugins/capabilities/connect/inspect.ts"
import { readMapping } from "../../../plugins/capabilities/connect/mapping.ts"
import { readSchema } from "../../../plugins/capabilities/connect/schema.ts"
import { openSource } from "../../../plugins/capabilities/connect/sources/open.ts"
import { takeOver, takeUpTold } from "../../../plugins/capabilities/connect/take-over.ts"
import { findMissing, hasTold } from "../../../plugins/capabilities/connect/told.ts"
import { grantsOf, planOf, watchedTables } from "../../../plugins/capabilities/connect/triggers.ts"
import { playHistories } from "../../support/connect/histories.ts"
import {
  connectedDatabase,
  fillStatements,
  mappingOf,
  openPlatform,
} from "../../support/connect/platform.ts"
import { startPostgres } from "../support/postgres-server.ts"

const postgres = await startPostgres()
t.teardown(() => postgres.stop())

t.test("inspect, takeOver, triggers and their undo work on Postgres", async (t) => {
  const database = await connectedDatabase(t, "sqlite")
  const platform = await openPlatform(postgres.url)
  t.teardown(() => platform.close())
  await platform.run(...fillStatements(12))
  const source = await openSource(postgres.url)
  t.teardown(() => source.close())

  const file = join(t.testdir(), "platform.yaml")
  const secret = join(t.testdir({}), "platform-url")
  writeFileSync(secret, postgres.url, { mode: 0o600 })
  writeFileSync(file, writeMapping(await inspect(source), { file: secret }))
  const mapping = readMapping(file, {})
  const options = { database, source, mapping, owner: "a" }
  t.match((await takeOver(options))?.difference, { rows: 18, added: 18, refusedCount: 0 })
  t.match(
    await database.writer.selectFrom("guest").selectAll().where("first_name", "=", "Ada3")
      .execute(),
    [{ last_name: "O'Byron 🦄", sms_opt_in: 0, company_name: "Byron & Co" }],
  )
  t.match(
    await database.writer.selectFrom("event").select("starts").where("currency", "=", "GBP")
      .execute(),
    [{ starts: Date.UTC(2026, 9, 24, 17, 30) / 1000 }],
  )

  const before = await source.snapshot((reader) => readSchema("postgres", reader))
  const steps = planOf("postgres", watchedTables(mapping))
  await source.change(steps.flatMap(({ apply }) => apply))
  t.strictSame(await findMissing(source, mapping), [])
  await platform.run("update person set surname = 'Lovelace' where id = 1")
  await takeUpTold(options)
  const names = await database.writer.selectFrom("guest").select("last_name").distinct().execute()
  t.same(new Set(names.map(({ last_name }) => last_name)), new Set(["Lovelace", "O'Byron 🦄"]))
  await platform.run(
    "drop table event_export_change",
    "update person set surname = 'Byron' where id = 1",
  )
  t.equal(await findMissing(source, mapping), null, "and the platform's statement has not failed")
  await source.change(steps.toReversed().flatMap(({ undo }) => undo))
  t.strictSame(await source.snapshot((reader) => readSchema("postgres", reader)), before)
})

t.test("values do not depend on what the role of the source has set", async (t) => {
  const database = await connectedDatabase(t, "sqlite")
  const platform = await openPlatform(postgres.url)
  t.teardown(() => platform.close())
  await platform.run(...fillStatements(12), "alter table person alter surname type char(150)")
  const guest = `select id, 1 as event, forename as "firstName", surname as "lastName",
    '{"id": 12345678901234567890}'::jsonb as extra, timestamptz '2026-07-01 12:00+00' as created
    from person where '{"vip": 1}'::jsonb ? 'vip' -- Who are they?`
  const item = `select '\\xff00'::bytea as id, 1 as event, 'Sea?' as name, 'open' as status,
    123456.7::float4 as price, '{"Food, drink",NULL}'::text[] as categories`
  const mapping = {
    ...mappingOf(postgres.url, { guest, buy_now_item: item }),
    keys: new Map([["guest" as const, [{ table: "person", column: "id", of: undefined }]]]),
  }
  const read = async () => {
    const source = await openSource(postgres.url)
    t.teardown(() => source.close())
    return { source, options: { database, source, mapping, owner: "a" } }
  }
  const { source, options } = await read()
  t.match((await takeOver(options))?.difference, { added: 17, refusedCount: 0 })
  const items = await database.writer.selectFrom("buy_now_item").select(["price", "categories"])
    .execute()
  t.match(items, [{ price: 12_345_670, categories: '["Food, drink"]' }])
  const steps = planOf("postgres", watchedTables(mapping))
  await source.change(steps.flatMap(({ apply }) => apply))
  t.teardown(() => source.change(steps.toReversed().flatMap(({ undo }) => undo)))
  const settings = [
    ...["datestyle = 'German'", "datestyle = 'SQL, DMY'", "timezone = 'America/New_York'"],
    ...["extra_float_digits = 0", "bytea_output = 'escape'", "client_encoding = 'latin1'"],
    ...["idle_in_transaction_session_timeout = '1ms'", "default_transaction_read_only = on"],
  ]
  for (const [index, setting] of settings.entries()) {
    const change = `update person set forename = 'Ada${index} Łukasz' where id = 3`
    await source.change([change, `alter role owner set ${setting}`])
    try {
      const { options } = await read()
      t.equal(await takeUpTold(options), false, setting)
      t.notOk(await hasTold(options.source), setting)
      const { difference } = await takeOver(options) ?? {}
      t.match(difference, { changed: 0, added: 0, refusedCount: 0, gone: [] }, setting)
    } finally {
      await source.change([`alter role owner reset ${setting.replace(/ .*/, "")}`])
    }
  }
})

t.test("deletions of rows with binary keys are told, whoever deletes them, to a user who may only read", async (t) => {
  const database = await connectedDatabase(t, "sqlite")
  const platform = await openPlatform(postgres.url)
  t.teardown(() => platform.close())
  await platform.run(
    ...fillStatements(1),
    `create table "crm.Gäste" (code bytea primary key, "Vor.name" text)`,
    `insert into "crm.Gäste" values ('\\xff00', 'Ada'), ('\\x61', 'Bo'), ('\\x62', 'Cy')`,
    "drop role if exists reader",
    "create role reader login",
    "grant usage on schema public to reader",
    "grant select on all tables in schema public to reader",
  )
  const guest =
    `select code as id, 1 as event, "Vor.name" as "firstName", '' as "lastName" from "crm.Gäste"`
  const url = postgres.url.replace("owner@", "reader@")
  const key = { table: '"crm.Gäste"', column: "code", of: undefined }
  const mapping = { ...mappingOf(url, { guest }), keys: new Map([["guest" as const, [key]]]) }
  const owner = await openSource(postgres.url)
  const source = await openSource(url)
  t.teardown(() => Promise.all([owner.close(), source.close()]))
  const steps = planOf("postgres", watchedTables(mapping))
  await owner.change(steps.flatMap(({ apply }) => apply))
  await owner.change(grantsOf("postgres", url))
  t.strictSame(await findMissing(source, mapping), [])
  const options = { database, source, mapping, owner: "a" }
  await takeOver(options)
  await platform.run(
    "set bytea_output = 'escape'",
    `delete from "crm.Gäste" where code = '\\xff00'`,
    `update "crm.Gäste" set "Vor.name" = 'Eve' where code = '\\x61'`,
  )
  await takeUpTold(options)
  const guests = await database.writer.selectFrom("guest").select("first_name").orderBy(
    "first_name",
  )
    .execute()
  t.same(guests, [{ first_name: "Cy" }, { first_name: "Eve" }])
  await owner.change(steps.toReversed().flatMap(({ undo }) => undo))
})

t.test("a user who may only read inspects the tables of all schemas on its search_path", async (t) => {
  const platform = await openPlatform(postgres.url)
  t.teardown(() => platform.close())
  await platform.run(
    "create schema crm; create schema sales; create schema archive",
    "create domain crm.mail as text; create type sales.phase as enum ('open', 'cancelled')",
    `create table crm.person (id bigint generated always as identity primary key, first_name varchar(80), email crm.mail);
    create table sales.event (id bigint primary key, name text, starts_at timestamptz);
    create table archive.event (id bigint primary key, name text, starts_at timestamptz);
    create table sales.attendee (event_id bigint, id bigint, person_id bigint references crm.person, status sales.phase,
      paid_at timestamptz, primary key (id), foreign key (event_id) references sales.event)`,
    `insert into sales.event values (1, 'Ball', now());
    insert into sales.attendee values (1, 1, null, 'open'), (1, 2, null, 'cancelled')`,
    "create role auditor login",
    "alter role auditor set search_path = sales, crm",
    "grant usage on schema crm, sales, archive to auditor",
    "grant select on all tables in schema crm, sales, archive to auditor",
  )
  const source = await openSource(postgres.url.replace("owner@", "auditor@"))
  t.teardown(async () => {
    await source.close()
    await platform.run(
      "drop schema crm, sales, archive cascade",
      "drop owned by auditor",
      "drop role auditor",
    )
  })
  const tables = await source.snapshot((reader) => readSchema("postgres", reader))
  t.strictSame(tables.map(({ name, key }) => ({ name, key })), [
    { name: "attendee", key: ["id"] },
    { name: "event", key: ["id"] },
    { name: "person", key: ["id"] },
  ])
  t.strictSame(tables[0]?.references, [
    { column: "event_id", table: "event", to: "id" },
    { column: "person_id", table: "person", to: "id" },
  ])
  const types = tables.flatMap(({ columns }) => columns.map(({ type }) => type))
  t.strictSame([types[3], types.at(-1)], ["enum", "text"])
  const guest = (await inspect(source)).proposals.find(({ kind }) => kind === "guest")
  t.match(guest?.sql, /left join person on .*\nwhere .*status not in \('cancelled'\)/)
})

t.test("after any history and any kills, partners are served what the SELECT returns", async (t) => {
  const platforms: { close(): Promise<void> }[] = []
  t.teardown(() => Promise.all(platforms.map((platform) => platform.close())))
  await playHistories(t, {
    runs: 25,
    async open() {
      await platforms.pop()?.close()
      const platform = await openPlatform(postgres.url)
      platforms.push(platform)
      return platform
    },
  })
})
