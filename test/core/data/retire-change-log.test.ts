import { globSync } from "node:fs"
import { basename, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { type Kysely, sql } from "kysely"
import { Migrator } from "kysely/migration"
import t, { type Test } from "tap"
import type { Database } from "../../../core/data/database.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { retireChangeLog } from "../../../core/data/retire-change-log.ts"
import { findTriggerFaults, triggersOf } from "../../../core/data/triggers.ts"
import { Builder, past } from "../../support/builder.ts"
import { type Engine, freshUrl, onEveryEngine, openFor } from "../../support/database.ts"

/** The former triggers of guests, items and their parts. */
const former: Record<Engine, (record: string, category: string) => string[]> = {
  mysql: (table, category) => [
    `create trigger ${table}_before_update before update on ${table} for each row
      set new.updated = greatest(old.updated, if(new.updated = old.updated, unix_timestamp(), new.updated))`,
    ...["insert", "update", "delete"].map((operation) => {
      const row = operation === "delete" ? "old" : "new"
      return `create trigger ${table}_log_${operation} after ${operation} on ${table} for each row
        insert into change_log (event_id, category, record_id, operation, updated, at)
        values (${row}.event_id, '${category}', ${row}.id, '${operation}', ${row}.updated, unix_timestamp())`
    }),
  ],
  sqlite: (table, category) =>
    ["insert", "update", "delete"].map((operation) => {
      const row = operation === "delete" ? "old" : "new"
      return `create trigger ${table}_after_${operation} after ${operation} on ${table} for each row begin
        insert into change_log (event_id, category, record_id, operation, updated, at)
        values (${row}.event_id, '${category}', ${row}.id, '${operation}', ${row}.updated, unixepoch()); end`
    }),
}

/** Creates a database as it was before the former change log was given up. */
async function formerDatabase(t: Test, url: string, engine: Engine): Promise<Database> {
  const database = await openFor(t, url)
  const files = globSync("core/data/migrations/00[01][0-9]-*.ts").sort()
    .filter((path) => basename(path) < "0011")
  const migrations = await Promise.all(files.map(async (path) => {
    const { up } = await import(pathToFileURL(resolve(path)).href)
    return [basename(path, ".ts"), {
      up: (db: Kysely<unknown>) => up(db, database.dialect),
    }] as const
  }))
  const { error } = await new Migrator({
    db: database.migrator,
    provider: { getMigrations: () => Promise.resolve(Object.fromEntries(migrations)) },
  }).migrateToLatest()
  if (error) throw error
  const consent = engine === "mysql"
    ? `create trigger consent_before_insert before insert on consent for each row
        update guest set updated = greatest(updated, unix_timestamp())
        where event_id = new.event_id and id = new.guest_id`
    : `create trigger consent_after_insert after insert on consent for each row begin
        update guest set updated = max(updated, unixepoch())
        where event_id = new.event_id and id = new.guest_id; end`
  for (
    const statement of [
      ...former[engine]("guest", "guests"),
      ...former[engine]("ticket", "tickets"),
      consent,
    ]
  ) await sql.raw(statement).execute(database.writer)
  return database
}

async function triggerNames({ writer, dialect }: Database): Promise<string[]> {
  const { rows } =
    await (dialect.name === "mysql"
      ? sql<{ name: string }>`select trigger_name as name from information_schema.triggers
        where trigger_schema = database()`
      : sql<{ name: string }>`select name from sqlite_master where type = 'trigger'`).execute(
        writer,
      )
  return rows.map(({ name }) => name).sort()
}

await onEveryEngine(t, async (t, engine) => {
  const url = await freshUrl(t, engine)
  const database = await formerDatabase(t, url, engine)
  const { writer } = database
  const build = new Builder(database)
  const event = await build.event(await build.organization("acme"))
  const [gone = "", again = "", old = ""] = await build.guests(event, 4)
  const ticket = await build.item("tickets", event)
  await writer.deleteFrom("ticket").where("id", "=", ticket).execute()
  for (const id of [gone, again, old]) {
    await writer.deleteFrom("guest").where("id", "=", id).execute()
  }
  await build.guest(event, { id: again })
  await writer.deleteFrom("guest").where("id", "=", again).execute()
  const at = (days: number) => sql`${database.dialect.now} - ${sql.lit(days * 86_400)}`
  await sql`update change_log set at = ${at(2)} where record_id = ${old}`.execute(writer)
  const positions = () =>
    writer.selectFrom("vacant_position").select(["category", "record_id", "updated"])
      .where("event_id", "=", event).execute()
  await sql`update change_log_horizon set complete_since = ${past}`.execute(writer)

  await t.test("migrate keeps the deletions and positions of the former change log", async (t) => {
    await migrate(database)
    const deletions = await writer.selectFrom("deletion").select(["category", "record_id", "at"])
      .where("event_id", "=", event).execute()
    t.strictSame(
      deletions.map(({ category, record_id }) => `${category} ${record_id}`).sort(),
      [`guests ${gone}`, `guests ${again}`, `guests ${old}`, `tickets ${ticket}`].sort(),
    )
    const { now } = await writer.selectNoFrom(database.dialect.now.as("now"))
      .executeTakeFirstOrThrow()
    const timeOf = (id: string) => deletions.find(({ record_id }) => record_id === id)?.at ?? 0
    t.ok(Math.abs(now - timeOf(gone)) < 60)
    t.ok(Math.abs(now - 2 * 86_400 - timeOf(old)) < 60)
    const kept = new Set((await positions()).map(({ record_id }) => record_id))
    t.strictSame(kept, new Set([gone, again, ticket]), "those of the last day")
    const { complete_since } = await writer.selectFrom("change_state").select("complete_since")
      .executeTakeFirstOrThrow()
    t.equal(complete_since, past)
  })

  await t.test("migrate leaves nothing of the former change log, and the present triggers", async (t) => {
    const names = (await writer.introspection.getTables()).map(({ name }) => name)
    t.notOk(names.some((name) => name.startsWith("change_log")))
    t.strictSame(
      await triggerNames(database),
      triggersOf(database.dialect).map(({ name }) => name).sort(),
    )
    t.strictSame(await findTriggerFaults(database), [])
    t.strictSame(await migrate(database), [])
  })

  await t.test("the deletions that were taken over are pruned with a change of their event", async (t) => {
    const changes = await writer.selectFrom("event_change").select(["event_id", "at"]).execute()
    t.ok(changes.some(({ event_id }) => event_id === event))
  })

  await t.test("records change after the upgrade, and two processes retire the former change log at once", async (t) => {
    await build.guest(event)
    await sql`create table change_log (event_id varchar(36), category varchar(64), record_id varchar(36),
      operation varchar(6), updated bigint, at bigint)`.execute(writer)
    await sql`insert into change_log select event_id, category, record_id, 'delete', updated, at
      from vacant_position`.execute(writer)
    const before = await positions()
    const beside = await openFor(t, url)
    await Promise.all([retireChangeLog(database), retireChangeLog(beside)])
    t.strictSame(await positions(), before, "no position is there twice")
  })
})
