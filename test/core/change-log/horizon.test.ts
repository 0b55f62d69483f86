import { sql } from "kysely"
import t from "tap"
import { findHorizon } from "../../../core/records/deletions.ts"
import type { Database } from "../../../core/data/database.ts"
import { migrate, migrationState } from "../../../core/data/migrate.ts"
import { Builder } from "../../support/builder.ts"
import { freshDatabase, onEveryEngine } from "../../support/database.ts"

await onEveryEngine(t, async (t, engine) => {
  const database = await freshDatabase(t, engine)
  const { applied } = await migrationState(database)
  const fromHere = applied.filter((name) => name >= "0004")
  const horizon = () => database.snapshot((snapshot) => findHorizon(snapshot))

  await t.test("the change log of a new database is complete from the beginning", async (t) => {
    t.equal(await horizon(), 0)
  })

  await t.test("that of a database in use is complete from its migration on", async (t) => {
    await new Builder(database).organization("acme")
    await forgetMigration(database)
    const before = Math.floor(Date.now() / 1000) - 1
    t.strictSame(await migrate(database), fromHere)
    t.ok(await horizon() >= before)
  })

  await t.test("a migration that failed halfway can be run again", async (t) => {
    const before = await horizon()
    await sql`delete from kysely_migration where name >= '0004'`.execute(database.writer)
    t.strictSame(await migrate(database), fromHere)
    t.equal(await horizon(), before)
  })
})

/** As a database was before the migration; the index stays, as after a failure halfway. */
async function forgetMigration({ writer }: Database): Promise<void> {
  await sql`drop table change_log_horizon`.execute(writer)
  await sql`delete from kysely_migration where name >= '0004'`.execute(writer)
}
