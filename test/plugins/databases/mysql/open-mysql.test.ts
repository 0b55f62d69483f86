import { type Kysely, sql } from "kysely"
import t from "tap"
import type { Database } from "../../../../core/data/database.ts"
import { Unavailable } from "../../../../core/data/unavailable.ts"
import { freshUrl, openFor, withoutMysql } from "../../../support/database.ts"
import { processesOf } from "../../../support/mysql/processes.ts"

/** Returns some system variables of the connection for reading. */
async function variablesOfReader(database: Database, names: readonly string[]) {
  const [row] = await database.snapshot(({ db, run }) =>
    run(db.selectNoFrom(names.map((name) => sql.raw(`@@${name}`).as(name))))
  )
  return row
}

t.test("openMysql limits each connection on the server", { skip: withoutMysql }, async (t) => {
  const url = await freshUrl(t, "mysql")
  const database = await openFor(t, url, { connections: 1, timeLimit: 7 })
  const isMariaDb = database.dialect.version.startsWith("MariaDB")
  const [limit, milliseconds, isolation] = isMariaDb
    ? ["max_statement_time", 1, "tx_isolation"] as const
    : ["max_execution_time", 1000, "transaction_isolation"] as const
  t.match(await variablesOfReader(database, [limit, isolation]), {
    [limit]: 7 * milliseconds,
    [isolation]: "REPEATABLE-READ",
  })
  const names = [limit, "innodb_lock_wait_timeout", "lock_wait_timeout"]
  const { rows } = await sql`select ${
    sql.join(names.map((name) => sql.raw(`@@${name} as ${name}`)))
  }`
    .execute(database.writer)
  t.match(rows, [{
    [limit]: 7 * milliseconds,
    innodb_lock_wait_timeout: 7,
    lock_wait_timeout: 7,
  }])
})

t.test("a statement that is too large for the server is refused, and costs no connection", {
  skip: withoutMysql,
}, async (t) => {
  const database = await openFor(t, await freshUrl(t, "mysql"))
  const { background } = database
  const show = sql<{ id: number; most: number }>`
    select connection_id() as id, @@max_allowed_packet as most`
  const { rows: [before = { id: 0, most: 0 }] } = await show.execute(background)
  const large = sql`select length(${"x".repeat(Number(before.most))}) as length`
  await t.rejects(large.execute(background), { code: "ER_NET_PACKET_TOO_LARGE" })
  const reading = database.snapshot(({ db, run }) => run(db.selectNoFrom(large.as("length"))))
  await t.rejects(reading, Unavailable, "which requests answer with 503")
  t.match((await show.execute(background)).rows, [{ id: before.id }])
})

t.test("ping needs the same of the server as reading does: room for a prepared statement", {
  skip: withoutMysql,
}, async (t) => {
  const database = await openFor(t, await freshUrl(t, "mysql"), { connections: 1 })
  const countExecuted = () =>
    database.snapshot(async ({ db }) => {
      const status = sql<{ Value: string }>`show session status like 'Com_stmt_execute'`
      return Number((await status.execute(db as unknown as Kysely<unknown>)).rows[0]?.Value)
    })
  const before = await countExecuted()
  await database.ping()
  t.equal(await countExecuted(), before + 1)
})

t.test("openMysql sets up a connection for reading once, not at each use", {
  skip: withoutMysql,
}, async (t) => {
  const database = await openFor(t, await freshUrl(t, "mysql"), { connections: 1 })
  const countSettings = () =>
    database.snapshot(({ db, run }) =>
      run({
        execute: async () => {
          const status = sql`show session status like 'Com_set_option'`
          return (await status.execute(db as unknown as Kysely<unknown>)).rows
        },
      })
    )
  t.strictSame(await countSettings(), await countSettings())
})

t.test(
  "openMysql does nothing by itself with the only server",
  { skip: withoutMysql },
  async (t) => {
    const statements: string[] = []
    const onStatement = (sql: string) => void statements.push(sql)
    const url = await freshUrl(t, "mysql")
    const database = await openFor(t, url, { onStatement })
    // The server may see the connection that asked for its version end a moment later.
    let questions = 1
    while ((await processesOf(database.background, url)).length > 1) questions++
    t.equal(statements.length, questions, "nothing but the questions")
  },
)

t.test("reading fails at once with Unavailable if a hundred reads per connection wait already", {
  skip: withoutMysql,
}, async (t) => {
  const database = await openFor(t, await freshUrl(t, "mysql"), { connections: 1 })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const order: string[] = []
  const busy = database.snapshot(() => released).then(() => order.push("the first read"))
  const read = () =>
    database.readOnce(({ db, run }) => run(db.selectNoFrom((eb) => eb.lit(1).as("one"))))
  const waiting = Array.from({ length: 100 }, read)
  await t.rejects(read(), Unavailable)
  order.push("the refusal")
  release()
  await busy
  t.strictSame(order, ["the refusal", "the first read"])
  t.equal((await Promise.all(waiting)).length, 100, "those that wait are served")
  t.match(database.connections, { used: 0, waiting: 0 })
})
