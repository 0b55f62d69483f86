import { setTimeout } from "node:timers/promises"
import { sql } from "kysely"
import mysql from "mysql2/promise"
import t from "tap"
import type { Database } from "../../../core/data/database.ts"
import { findMissing } from "../../../core/data/check-tables.ts"
import type { Trigger } from "../../../core/data/dialect.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { migrationState } from "../../../core/data/migration-state.ts"
import { describeFault, findTriggerFaults, triggersOf } from "../../../core/data/triggers.ts"
import { onEveryEngine, openFor, ownUrl } from "../../support/database.ts"
import { processesOf } from "../../support/mysql/processes.ts"
import { expand, laterMigration, migrateLater } from "../../support/later-version.ts"

const left = `This version of event-export does not know ${laterMigration}: a later version has ` +
  `migrated the database, and it stays as it is. This version can serve it.`

await onEveryEngine(t, async (t, engine) => {
  const url = await ownUrl(t, engine)
  const database = await openFor(t, url)

  await t.test("migrate that waits while a later version migrates leaves the database to it", {
    skip: engine === "sqlite" && "it waits for the lock of the file",
  }, async (t) => {
    const other = await mysql.createConnection(url)
    t.teardown(() => other.end())
    // The server's lock that Kysely's migrator takes.
    const lock = "ea586330-2c93-47c8-908d-981d9d270f9d"
    await other.query(`select get_lock('${lock}', 10)`)
    const reports: string[] = []
    const migrating = migrate(database, { report: (message) => reports.push(message) })
    const isWaiting = async () =>
      (await processesOf(other, url)).some(({ state }) => state === "User lock")
    while (!await isWaiting()) await setTimeout(20)
    await other.query(
      `insert into kysely_migration (name, timestamp) values ('${laterMigration}', '')`,
    )
    await other.query(`select release_lock('${lock}')`)
    t.strictSame(await migrating, [])
    t.strictSame(reports, [left])
    await other.query(`delete from kysely_migration where name = '${laterMigration}'`)
  })

  await t.test("migrate leaves a database as a later version has made it, which has all that this version needs", async (t) => {
    await migrateLater(database, expand)
    t.strictSame(await findMissing(database), [])
    // A trigger of the later version, one that it no longer has, and a table that it has made anew.
    await replaceTrigger(database, triggerOf(database, "guest"))
    const gone = triggerOf(database, "ticket")
    await sql`drop trigger ${sql.table(gone.name)}`.execute(database.migrator)
    await sql`update watched_table set made = 'another time'`.execute(database.migrator)
    const reports: string[] = []
    t.strictSame(await migrate(database, { report: (message) => reports.push(message) }), [])
    t.strictSame(reports, [left])
    t.strictSame((await migrationState(database)).later, [laterMigration])
    t.strictSame((await findTriggerFaults(database)).map(describeFault), [
      `${gone.name} on ticket`,
    ])
  })

  await t.test("migrate refuses a database that has and lacks migrations", async (t) => {
    await sql`delete from kysely_migration where name = '2000-kernel'`
      .execute(database.migrator)
    await t.rejects(migrate(database), {
      name: "UserError",
      message: /does not know 9999-later, and the database lacks 2000-kernel/,
    })
  })
})

/** Returns one of the triggers of a table. */
function triggerOf(database: Database, table: string): Trigger {
  const trigger = triggersOf(database).find((each) => each.table === table)
  if (!trigger) throw new Error(`${table} has no trigger`)
  return trigger
}

/** Puts another trigger in the place of one. */
async function replaceTrigger(
  { migrator }: Database,
  { name, definition }: Trigger,
): Promise<void> {
  await sql`drop trigger ${sql.table(name)}`.execute(migrator)
  const other = definition.replace(/\bbegin\b/, "begin /* another one */")
  await sql.raw(`create trigger ${name} ${other}`).execute(migrator)
}
