import { randomUUID } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import { sql } from "kysely"
import mysql from "mysql2/promise"
import t, { type Test } from "tap"
import { findSettled } from "../../../core/change-log/settled.ts"
import type { Database } from "../../../core/data/database.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { Builder } from "../../support/builder.ts"
import { freshUrl, onEveryEngine, openFor, withoutMysql } from "../../support/database.ts"

const noPause = () => Promise.resolve()
const { signal } = new AbortController()

await onEveryEngine(t, async (t, engine) => {
  await t.test("findSettled finds a log without open transactions settled up to its newest row", async (t) => {
    const { database, build, event } = await begin(t, engine)
    t.strictSame(await findSettled(database, { from: 0, pause: noPause, signal }), {
      upTo: 0,
      top: 0,
      open: new Set(),
    })
    await build.guests(event, 30)
    const { newest } = await database.writer
      .selectFrom("change_log").select((eb) => eb.fn.max("seq").as("newest"))
      .executeTakeFirstOrThrow()
    const settled = await findSettled(database, { from: 0, pause: noPause, signal })
    t.strictSame(settled, { upTo: newest, top: newest, open: new Set() })
    t.strictSame(await findSettled(database, { from: newest, pause: noPause, signal }), settled)
  })
})

/** A fresh database with an event, and a connection of the platform's. */
async function begin(t: Test, engine: "sqlite" | "mysql") {
  const url = await freshUrl(t, engine)
  const database = await openFor(t, url)
  await migrate(database)
  const build = new Builder(database)
  const event = await build.event(await build.organization("acme"))
  return { url, database, build, event }
}

/** Resolves once a connection waits for a row lock. */
async function untilWaiting({ writer }: Database, thread: number): Promise<void> {
  const waits = sql`select 1 from information_schema.innodb_trx
    where trx_state = 'LOCK WAIT' and trx_mysql_thread_id = ${sql.lit(thread)}`
  // MySQL brings this table up to date only if nobody has read it for a tenth of a second.
  while ((await waits.execute(writer)).rows.length === 0) await setTimeout(150)
}

const logRow = (event: string, seq: number | null) =>
  `insert into change_log (seq, event_id, category, record_id, operation, updated, at)
   values (${seq}, '${event}', 'guests', '${randomUUID()}', 'insert', 1, unix_timestamp())`

t.test("on MySQL", { skip: withoutMysql }, async (t) => {
  const beginWith = async (t: Test) => {
    const all = await begin(t, "mysql")
    const connect = async () => {
      const connection = await mysql.createConnection(all.url)
      t.teardown(() => connection.end())
      return connection
    }
    return { ...all, connect }
  }

  await t.test("findSettled names the events with an uncommitted row, and passes over none", async (t) => {
    const { database, build, event, connect } = await beginWith(t)
    const other = await build.event(await build.organization("other"))
    await build.guest(event)
    const platform = await connect()
    await platform.query("begin")
    await platform.query(logRow(event, null))
    await build.guest(event)
    await build.guest(other)
    const settled = await findSettled(database, { from: 0, pause: noPause, signal })
    t.strictSame(settled.open, new Set([event]))
    t.ok(settled.upTo < settled.top)
    await platform.query("rollback")
    const { upTo, open } = await findSettled(database, { from: 0, pause: noPause, signal })
    t.strictSame([upTo, open], [settled.top, new Set()], "a row that is rolled back is gone")
  })

  await t.test("findSettled sees a row below the first committed one", async (t) => {
    const { database, build, event, connect } = await beginWith(t)
    const platform = await connect()
    await platform.query("begin")
    await platform.query(logRow(event, null))
    await build.guest(event)
    const { upTo, open } = await findSettled(database, { from: 0, pause: noPause, signal })
    t.strictSame([upTo, open], [0, new Set([event])])
    await platform.query("rollback")
  })

  await t.test("findSettled pauses between the newest number and the search for its rows", async (t) => {
    const { database, build, event, connect } = await beginWith(t)
    const platform = await connect()
    // Takes a number, which a row gets only in the pause.
    await platform.query("begin")
    await platform.query(logRow(event, null))
    const [rows] = await platform.query<mysql.RowDataPacket[]>(
      "select max(seq) as late from change_log",
    )
    const late = Number(rows[0]?.["late"])
    await platform.query("rollback")
    await build.guest(event)
    const pause = async () => {
      await platform.query("begin")
      await platform.query(logRow(event, late))
    }
    const { upTo, top, open } = await findSettled(database, { from: 0, pause, signal })
    t.ok(upTo < late && late < top)
    t.strictSame(open, new Set([event]))
    await platform.query("rollback")
  })

  await t.test("findSettled sees a row that waits for a lock before it is in all indexes", async (t) => {
    const { database, build, event, connect } = await beginWith(t)
    const id = await build.guest(event)
    const [archiver, platform] = [await connect(), await connect()]
    await archiver.query("begin")
    await archiver.query(`select * from change_log force index (change_log_event)
      where event_id = '${event}' and category = 'guests' and operation = 'delete' lock in share mode`)
    const deletion = platform.query(
      `delete from guest where event_id = '${event}' and id = '${id}'`,
    )
    await untilWaiting(database, platform.threadId)
    await build.item("tickets", event)
    const { open } = await findSettled(database, { from: 0, pause: noPause, signal })
    t.strictSame(open, new Set([event]))
    await archiver.query("rollback")
    await deletion
  })

  await t.test("findSettled does not take a row that is being pruned for one that is open", async (t) => {
    const { database, build, event, connect } = await beginWith(t)
    const [pruner, platform] = [await connect(), await connect()]
    await build.guests(event, 2)
    await pruner.query("update change_log set at = 1 where seq = 2")
    await pruner.query("update change_log_horizon set complete_since = 2")
    await pruner.query("begin")
    await pruner.query("delete from change_log where seq = 2")
    await platform.query("begin")
    await platform.query(logRow(event, null))
    await build.guest(event)
    // As many rows exist as are committed, but they are not the same.
    const { open } = await findSettled(database, { from: 0, pause: noPause, signal })
    t.strictSame(open, new Set([event]))
    await platform.query("rollback")
    await pruner.query("rollback")
  })

  await t.test("findSettled gives up if pruning moves the horizon between its counts", async (t) => {
    const { database, build, event, connect } = await beginWith(t)
    const pruner = await connect()
    await build.guests(event, 3)
    await pruner.query("begin")
    await pruner.query("update change_log_horizon set complete_since = 2")
    const { open } = await findSettled(database, { from: 0, pause: noPause, signal })
    t.strictSame(open, new Set([event]))
    await pruner.query("commit")
    const settled = await findSettled(database, { from: 0, pause: noPause, signal })
    t.strictSame(settled.open, new Set())
  })

  await t.test("findSettled searches a long log in portions, and stops between them on its signal", async (t) => {
    const { database, event, connect } = await beginWith(t)
    const platform = await connect()
    for (const seq of [5, 25_000, 61_000]) await platform.query(logRow(event, seq))
    t.match(await findSettled(database, { from: 0, pause: noPause, signal }), { upTo: 61_000 })
    await platform.query("begin")
    await platform.query(logRow(event, 30_000))
    const { upTo, top } = await findSettled(database, { from: 0, pause: noPause, signal })
    t.ok(upTo >= 20_000 && upTo < 30_000, `${upTo}`)
    t.equal(top, 61_000)
    await platform.query("rollback")
    await t.rejects(findSettled(database, {
      from: 0,
      pause: noPause,
      signal: AbortSignal.abort(),
    }))
  })

  await t.test("findSettled reads only rows that are not known to be settled", async (t) => {
    const { database, build, event } = await beginWith(t)
    await build.guests(event, 3000)
    await sql`analyze table change_log`.execute(database.writer)
    const { upTo } = await findSettled(database, { from: 0, pause: noPause, signal })
    await build.guests(event, 10)
    // The background has one connection, so this is its session.
    await sql`flush local status`.execute(database.background)
    await findSettled(database, { from: upTo, pause: noPause, signal })
    const { rows } = await sql<{ Value: string }>`show session status like 'Handler_read%'`
      .execute(database.background)
    const reads = rows.reduce((sum, { Value }) => sum + Number(Value), 0)
    t.ok(reads > 10 && reads < 200, `${reads}`)
  })
})
