import { sql } from "kysely"
import t from "tap"
import { findHorizon } from "../../../core/records/deletions.ts"
import type { Database } from "../../../core/data/database.ts"
import { migrate, migrationState } from "../../../core/data/migrate.ts"
import { Builder } from "../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const horizon = () => database.snapshot((snapshot) => findHorizon(snapshot))

  await t.test("findHorizon returns 0 for a new database, whose change log is complete", async (t) => {
    t.equal(await horizon(), 0)
  })

  await t.test("findHorizon returns the time of migration 0004 for a database that was in use before", async (t) => {
    await new Builder(database).organization("acme")
    await sql`drop table change_log_horizon`.execute(database.writer)
    const forgotten = await forgetMigrations(database)
    const before = Math.floor(Date.now() / 1000) - 1
    t.strictSame(await migrate(database), forgotten)
    t.ok(await horizon() >= before)
  })

  await t.test("migrate can run migration 0004 again after a failure halfway", async (t) => {
    const before = await horizon()
    const forgotten = await forgetMigrations(database)
    t.strictSame(await migrate(database), forgotten)
    t.equal(await horizon(), before)
  })
})

/**
 * Makes the database forget migration 0004 and all later ones, and returns their names. Their tables
 * and triggers stay, as after a failure halfway.
 */
async function forgetMigrations(database: Database): Promise<readonly string[]> {
  await sql`delete from kysely_migration where name >= '0004'`.execute(database.writer)
  const { pending } = await migrationState(database)
  if (pending[0] !== "0004-polling") throw new Error(`Expected 0004-polling, not ${pending[0]}`)
  return pending
}
