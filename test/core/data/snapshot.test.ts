import { sql } from "kysely"
import t from "tap"
import { translateError, Unavailable } from "../../../core/data/unavailable.ts"
import { Builder } from "../../support/builder.ts"
import { freshUrl, onEveryEngine, openFor, ownUrl } from "../../support/database.ts"
import { processesOf } from "../../support/mysql/processes.ts"

await onEveryEngine(t, async (t, engine) => {
  const url = await ownUrl(t, engine)
  const database = await openFor(t, url)
  const build = new Builder(database, { isAlone: true })
  const event = await build.event(await build.organization("acme"))
  await build.guest(event)
  const one = sql<number>`1`.as("one")

  await t.test("a snapshot does not see changes that are committed during it, and the next one does", async (t) => {
    const counts: number[] = []
    const count = () =>
      database.snapshot(async ({ db, run }) => {
        const guests = db.selectFrom("guest").select("id")
        counts.push((await run(guests)).length)
        if (counts.length > 1) return
        await build.guest(event)
        counts.push((await run(guests)).length)
      })
    await count()
    await count()
    t.strictSame(counts, [1, 1, 2])
  })

  await t.test("a snapshot that meets a table which was altered since begins again", async (t) => {
    let attempts = 0
    let id: string | undefined
    const found = await database.snapshot(async ({ db, run }) => {
      attempts++
      await run(db.selectFrom("event").select("id"))
      if (attempts === 1) {
        id = await build.guest(event)
        await database.migrator.schema.alterTable("guest").addColumn("more", "integer").execute()
      }
      return await run(db.selectFrom("guest").select("id"))
    })
    // The embedded database has snapshots of its schema, too.
    const isAgain = engine === "mysql"
    t.equal(attempts, isAgain ? 2 : 1)
    t.equal(found.some((each) => each.id === id), isAgain)
  })

  await t.test("a snapshot that meets altered tables again and again is Unavailable", {
    skip: engine === "sqlite" && "the embedded database has snapshots of its schema, too",
  }, async (t) => {
    let attempts = 0
    const running = database.snapshot(async ({ db, run }) => {
      await run(db.selectFrom("event").select("id"))
      const column = `more_${++attempts}`
      await database.migrator.schema.alterTable("guest").addColumn(column, "integer").execute()
      return await run(db.selectFrom("guest").select("id"))
    })
    await t.rejects(running, { name: "Unavailable" })
    t.equal(attempts, 2)
    await database.snapshot(({ db, run }) => run(db.selectFrom("guest").select("id")))
    t.equal(database.connections.used, 0)
  })

  await t.test("a snapshot cannot write, even with other types", async (t) => {
    const write = database.snapshot(({ db }) =>
      (db as unknown as typeof database.writer).deleteFrom("organization").execute()
    )
    await t.rejects(write, { message: /read.?only/i })
    t.equal((await database.writer.selectFrom("organization").selectAll().execute()).length, 1)
  })

  await t.test("a write to a database that is read-only now is Unavailable", {
    skip: engine === "mysql" && "see mysql/unavailable.test.ts",
  }, async (t) => {
    await sql`pragma query_only = on`.execute(database.writer)
    const error: unknown = await build.organization("other").catch((error) => error)
    await sql`pragma query_only = off`.execute(database.writer)
    t.ok(translateError(error) instanceof Unavailable, String(error))
  })

  await t.test("a write to a database that is full now is Unavailable", async (t) => {
    const full = await openFor(t, await freshUrl(t, engine))
    const error = await full.writer.connection().execute(async (db) => {
      if (engine === "mysql") {
        await sql`set session max_heap_table_size = 16384`.execute(db)
        await sql`create table small (pad char(255)) engine = memory`.execute(db)
      } else {
        await sql`create table small (pad text)`.execute(db)
        await sql`pragma max_page_count = 1`.execute(db)
      }
      for (let rows = 0; rows < 1000; rows++) {
        const insert = sql`insert into small values (${"x".repeat(255)})`.execute(db)
        const error: unknown = await insert.then(() => undefined, (error) => error)
        if (error) return error
      }
    })
    t.ok(translateError(error) instanceof Unavailable, String(error))
  })

  await t.test("connections counts the reads that run, that wait, and that had to wait", async (t) => {
    const database = await openFor(t, url, { connections: 1 })
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const first = database.snapshot(() => {
      begin()
      return released
    })
    const second = database.readOnce(({ db, run }) => run(db.selectNoFrom(one)))
    await begun
    t.strictSame(database.connections, { most: 1, used: 1, waiting: 1, waits: 1 })
    release()
    await Promise.all([first, second])
    await t.rejects(database.snapshot(() => Promise.reject(new RangeError("mine"))))
    await t.rejects(database.readOnce(() => Promise.reject(new RangeError("mine"))))
    t.strictSame(database.connections, { most: 1, used: 0, waiting: 0, waits: 1 })
  })

  await t.test("connections counts no read that ended without a connection", async (t) => {
    const database = await openFor(t, url, { connections: 1 })
    await database.ping()
    await database.close()
    await t.rejects(database.ping())
    t.match(database.connections, { used: 0, waiting: 0 })
  })

  await t.test("readOnce refuses a second statement, which could see another moment", async (t) => {
    await t.rejects(
      database.readOnce(async ({ db, run }) => {
        await run(db.selectNoFrom(one))
        return await run(db.selectNoFrom(one))
      }),
      TypeError,
    )
  })

  await t.test("a query over the time limit rejects with Unavailable, and stops on the server", {
    skip: engine === "sqlite" && "a statement ends before anything else runs",
  }, async (t) => {
    const hasty = await openFor(t, url, { timeLimit: 1 })
    const slow = sql`sleep(60)`.as("slept")
    await t.rejects(hasty.snapshot(({ db, run }) => run(db.selectNoFrom(slow))), Unavailable)
    // The server's own limit stops the query. Otherwise this loop would take a minute.
    const isRunning = async () =>
      (await processesOf(database.writer, url)).some(({ info }) =>
        info?.startsWith("select sleep(60)")
      )
    while (await isRunning());
    t.equal(database.connections.used, 0)
    await database.ping()
  })

  await t.test("a snapshot past its time limit sends no further statement", async (t) => {
    const statements: string[] = []
    const database = await openFor(t, url, {
      timeLimit: 0.2,
      onStatement: (sql) => statements.push(sql),
    })
    const { promise: passed, resolve: pass } = Promise.withResolvers<void>()
    const { promise: tried, resolve: end } = Promise.withResolvers<unknown>()
    const snapshot = database.snapshot(async ({ db, run }) => {
      await passed
      await run(db.selectNoFrom(sql`1`.as("late"))).then(end, end)
    })
    await t.rejects(snapshot, Unavailable)
    pass()
    t.ok(await tried instanceof Unavailable)
    t.notOk(statements.some((sql) => sql.includes("late")))
  })
})

t.test("openDatabase rejects other URLs, and never shows a password", async (t) => {
  for (
    const url of [
      "postgres://u:hunter2@h/db",
      "mysql://u:hunter2@/",
      "mysql://u:hunter2@h/db?ssl=1",
      "sqlite:",
      "nonsense",
    ]
  ) {
    const error = await openFor(t, url).then(() => undefined, (error: Error) => error)
    t.match(error?.message, /Cannot (open|read) the .*database/, url)
    t.notMatch(error?.message, /hunter2/)
  }
})
