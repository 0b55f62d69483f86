import { setTimeout } from "node:timers/promises"
import { sql } from "kysely"
import mysql from "mysql2/promise"
import t, { type Test } from "tap"
import type { Database } from "../../core/data/database.ts"
import { migrationState } from "../../core/data/migration-state.ts"
import { migrate } from "../../core/data/migrate.ts"
import { Builder } from "../support/builder.ts"
import {
  freshDatabase,
  freshUrl,
  onEveryEngine,
  openFor,
  withoutMysql,
} from "../support/database.ts"
import { type Process, processesOf } from "../support/mysql/processes.ts"

t.test("on MySQL, while a transaction has read guests", { skip: withoutMysql }, async (t) => {
  const stage = async (t: Test) => {
    const url = await freshUrl(t, "mysql")
    const database = await openFor(t, url)
    await migrate(database)
    const build = new Builder(database)
    const event = await build.event(await build.organization("acme"))
    await build.guests(event, 10)
    await sql`drop trigger guest_insert`.execute(database.writer)
    await sql`delete from kysely_migration where name >= '0016'`.execute(database.writer)
    const reader = await mysql.createConnection(url)
    t.teardown(() => reader.end())
    await reader.query("begin")
    await reader.query("select * from guest limit 1")
    return { url, database, build, event, reader }
  }

  await t.test("migrate waits for it, and nobody waits for migrate until it ends", async (t) => {
    const { url, database, build, event, reader } = await stage(t)
    const { writer } = database
    const reports: string[] = []
    const report = (message: string) => reports.push(message)
    const migrating = migrate(database, { report, pause: 10 })
    let hasEnded = false
    void migrating.finally(() => hasEnded = true)
    // Others get through although they come while a statement of the migration waits.
    for (let turn = 0; turn < 2; turn++) {
      await untilBlocked(database, url)
      await build.guest(event)
      await writer.selectFrom("guest").select("id").limit(1).execute()
      t.notOk(hasEnded)
    }
    t.match(reports[0], /^Restoring the triggers waits for the table guest: /)
    await reader.query("commit")
    t.ok((await migrating).includes("2000-kernel"))
    t.strictSame((await migrationState(database)).pending, [])
  })

  await t.test("migrate that waits ends on its signal, and can be run again", async (t) => {
    const { database, reader } = await stage(t)
    const stop = new AbortController()
    const report = () => stop.abort()
    await t.rejects(migrate(database, { report, signal: stop.signal, pause: 1_000_000 }), {
      message: /was interrupted. Run "event-export migrate" to continue/,
    })
    await reader.query("commit")
    t.ok((await migrate(database)).length > 0)
  })
})

/** Resolves once a statement waits for a table. */
async function untilBlocked({ writer }: Database, url: string): Promise<void> {
  const isBlocked = ({ state }: Process) => state === "Waiting for table metadata lock"
  while (!(await processesOf(writer, url)).some(isBlocked)) await setTimeout(20)
}

await onEveryEngine(t, async (t, engine) => {
  await t.test("migrate resumes wherever it was interrupted", async (t) => {
    const expected = await describe(await freshDatabase(t, engine))
    const url = await freshUrl(t, engine)
    let left = 0
    let interruptions = 0
    const database = await openFor(t, url, {
      onStatement: (sql) => {
        // Transactions begin and end whole.
        if (left-- <= 0 && !/^(begin|commit|rollback)/i.test(sql)) throw new Error("interrupted")
      },
    })
    // Each attempt goes a little farther than the one before it.
    for (let statements = 1;; statements += engine === "sqlite" ? 11 : 17) {
      left = statements
      try {
        await migrate(database)
        break
      } catch (error) {
        if (!/interrupted/.test((error as Error).message)) throw error
        interruptions++
      }
    }
    t.ok(interruptions > 3, `${interruptions}`)
    left = Infinity
    t.strictSame(await describe(database), expected)
  })
})

/** Returns the tables, columns, indexes and triggers of a database. */
async function describe({ writer, dialect }: Database): Promise<unknown> {
  const statements = dialect.name === "sqlite"
    ? [sql`select name, sql from sqlite_schema order by name`]
    : [
      sql`select table_name, column_name, column_type, is_nullable, column_default
        from information_schema.columns where table_schema = database() order by 1, 2`,
      sql`select table_name, index_name, column_name, seq_in_index
        from information_schema.statistics where table_schema = database() order by 1, 2, 4`,
      sql`select trigger_name, event_object_table, action_statement
        from information_schema.triggers where trigger_schema = database() order by 1`,
    ]
  return await Promise.all(statements.map(async (each) => (await each.execute(writer)).rows))
}
