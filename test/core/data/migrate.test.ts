import { setTimeout } from "node:timers/promises"
import { type Kysely, sql } from "kysely"
import mysql from "mysql2/promise"
import t from "tap"
import { createBaseline } from "../../../core/data/create-tables.ts"
import type { Database } from "../../../core/data/database.ts"
import { generated, id, integer, nullable, slug, table, text } from "../../../core/data/table.ts"
import { findMissing } from "../../../core/data/check-tables.ts"
import { migrationState } from "../../../core/data/migration-state.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { freshUrl, onEveryEngine, openFor, withoutMysql } from "../../support/database.ts"

/** The server's lock that Kysely's migrator takes. */
const kyselysLock = "ea586330-2c93-47c8-908d-981d9d270f9d"

await onEveryEngine(t, async (t, engine) => {
  await t.test("migrate applies every migration once, in order", async (t) => {
    const database = await openFor(t, await freshUrl(t, engine))
    const { applied, pending } = await migrationState(database)
    t.strictSame(applied, [])
    t.ok(pending.length > 0)
    t.strictSame(await migrate(database), pending)
    t.strictSame(await migrate(database), [])
    t.strictSame(await migrationState(database), {
      recorded: pending,
      applied: pending,
      pending: [],
      later: [],
      isTooOld: false,
    })
  })

  await t.test("migrate changes nothing in a database that has such tables of something else", async (t) => {
    const database = await openFor(t, await freshUrl(t, engine))
    await sql`create table event (id integer, title varchar(90))`.execute(database.writer)
    await t.rejects(migrate(database), { message: /another program .* needs: event\. Give/ })
    t.strictSame((await migrationState(database)).recorded, [])
  })
})

t.test("migrate on MySQL", { skip: withoutMysql }, async (t) => {
  const url = await freshUrl(t, "mysql")
  const waiting = await openFor(t, await freshUrl(t, "mysql"), { timeLimit: 1 })
  const indexesOf = async ({ writer }: Database) => {
    const { rows } = await sql<{ name: string }>`
      select distinct concat(table_name, '.', index_name) as name
      from information_schema.statistics where table_schema = database()`.execute(writer)
    return rows.map(({ name }) => name).sort()
  }

  await t.test("waits for another process longer than the time limit of requests", async (t) => {
    const other = await mysql.createConnection(url)
    t.teardown(() => other.end())
    await other.query(`select get_lock('${kyselysLock}', 10)`)
    let isWaiting = true
    const migrating = migrate(waiting).finally(() => (isWaiting = false))
    // Twice the time limit of requests. While the lock is taken, only an error ends the migration.
    await setTimeout(2000)
    t.ok(isWaiting)
    await other.query(`select release_lock('${kyselysLock}')`)
    t.ok((await migrating).length > 0)
  })

  await t.test("creates the tables of capabilities in a new database if it was interrupted before, with every index", async (t) => {
    let noted = 0
    const interrupted = await openFor(t, url, {
      onStatement: (text) => {
        if (!/^insert into `kysely_migration`/.test(text)) return
        if (++noted === 2) throw new Error("interrupted")
      },
    })
    // Begins again, since migrations have been noted meanwhile.
    await migrate(interrupted)
    t.strictSame(await findMissing(interrupted), [])
    // Another database of the server had the same indexes before.
    const indexes = await indexesOf(interrupted)
    t.ok(indexes.includes("session.session_ends"), indexes.join())
    t.strictSame(indexes, await indexesOf(waiting))
  })
})

await onEveryEngine(t, async (t, engine) => {
  await t.test("a baseline adds to a table the columns and indexes that it lacks, and takes nothing away", async (t) => {
    const database = await openFor(t, await freshUrl(t, engine))
    const before = table({ privileges: [], columns: { id, other: slug }, key: ["id"] })
    const columns = { id, note: nullable(text(40)), count: generated(integer) }
    const now = table({ privileges: [], columns, key: ["id"], indexes: { thing_count: ["count"] } })
    const { migrator, dialect } = database
    const db = migrator as unknown as Kysely<Record<"thing", Record<string, unknown>>>
    await createBaseline({ thing: before }).up(migrator as never, dialect)
    await db.insertInto("thing").values({ id: "1", other: "kept" }).execute()
    for (const _ of ["once", "twice"]) {
      await createBaseline({ thing: now }).up(migrator as never, dialect)
    }
    await db.insertInto("thing").values({ id: "2", other: "", note: "new", count: 2 }).execute()
    t.strictSame(
      (await db.selectFrom("thing").selectAll().orderBy("id").execute()).map((row) => ({ ...row })),
      [
        { id: "1", other: "kept", note: null, count: 0 },
        { id: "2", other: "", note: "new", count: 2 },
      ],
    )
    await dialect.addIndex(migrator as never, {
      index: "thing_count",
      table: "thing",
      columns: ["count"],
    })
  })
})
