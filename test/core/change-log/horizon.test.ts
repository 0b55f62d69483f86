import { sql } from "kysely"
import t from "tap"
import { findHorizon } from "../../../core/records/deletions.ts"
import type { Database } from "../../../core/data/database.ts"
import { migrationState } from "../../../core/data/migration-state.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { Builder } from "../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const horizon = () => database.snapshot((snapshot) => findHorizon(snapshot))

  await t.test("findHorizon returns 0 for a new database, whose deletions are all known", async (t) => {
    t.equal(await horizon(), 0)
  })

  await t.test("migrate can run its migrations again after a failure halfway, and keeps the horizon", async (t) => {
    await database.writer.updateTable("change_state").set({ complete_since: 77 }).execute()
    const before = await horizon()
    const forgotten = await forgetMigrations(database)
    t.strictSame(await migrate(database), forgotten)
    t.equal(await horizon(), before)
  })

  await t.test("findHorizon returns the time of the migration for tables of an operator that were in use before", async (t) => {
    const older = await freshDatabase(t, engine)
    await new Builder(older).organization("acme")
    for (const table of ["change_state", "event_change", "event_version", "deletion"]) {
      await sql`drop table ${sql.table(table)}`.execute(older.writer)
    }
    const before = Math.floor(Date.now() / 1000) - 1
    await sql`delete from kysely_migration`.execute(older.writer)
    await migrate(older)
    const found = await older.snapshot((snapshot) => findHorizon(snapshot))
    t.ok(found >= before, `${found}`)
  })
})

/** Makes the database forget its migrations, and returns their names. Its tables and triggers stay. */
async function forgetMigrations(database: Database): Promise<readonly string[]> {
  await sql`delete from kysely_migration`.execute(database.writer)
  return (await migrationState(database)).pending
}
