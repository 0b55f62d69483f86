import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import process from "node:process"
import { DatabaseSync } from "node:sqlite"
import { setTimeout } from "node:timers/promises"
import { Worker } from "node:worker_threads"
import { once } from "node:events"
import { sql } from "kysely"
import t from "tap"
import { migrate } from "../../../../core/data/migrate.ts"
import { Unavailable } from "../../../../core/data/unavailable.ts"
import { freshUrl, openFor } from "../../../support/database.ts"

t.test("openSqlite: a transaction that reads before it writes makes other writers wait, and does not fail", async (t) => {
  const url = await freshUrl(t, "sqlite")
  const { writer } = await openFor(t, url)
  await sql`create table counter (value integer)`.execute(writer)
  await sql`insert into counter values (1)`.execute(writer)

  const other = await writer.transaction().execute(async (db) => {
    await sql`select value from counter`.execute(db)
    const other = new Worker(
      `const { workerData, parentPort } = require("node:worker_threads")
      const { DatabaseSync } = require("node:sqlite")
      const file = new DatabaseSync(workerData, { timeout: 10_000 })
      parentPort.postMessage("writes")
      file.exec("update counter set value = value * 10")`,
      { eval: true, workerData: url.slice("sqlite:".length) },
    )
    await once(other, "message")
    // Gives the other writer time to write if it could.
    await setTimeout(100)
    await sql`update counter set value = value + 1`.execute(db)
    return other
  })
  await once(other, "exit")
  const { rows } = await sql<{ value: number }>`select value from counter`.execute(writer)
  t.equal(rows[0]?.value, 20)
})

t.test("openSqlite: a lock of another program makes writers wait, and holds up nobody else", async (t) => {
  const url = await freshUrl(t, "sqlite")
  const { writer } = await openFor(t, url)
  await sql`create table counter (value integer)`.execute(writer)
  const other = new DatabaseSync(url.slice("sqlite:".length))
  t.teardown(() => other.close())
  other.exec("begin immediate")
  const writing = [
    sql`insert into counter values (1)`.execute(writer),
    writer.transaction().execute((db) => sql`insert into counter values (2)`.execute(db)),
  ]
  await setTimeout(50)
  other.exec("commit")
  await Promise.all(writing)
  t.equal(other.prepare("select count(*) as n from counter").get()?.["n"], 2)
})

t.test("openSqlite: a transaction that a full disk has ended fails with that reason", async (t) => {
  const { writer } = await openFor(t, await freshUrl(t, "sqlite"))
  await sql`create table counter (value text)`.execute(writer)
  await sql`pragma max_page_count = 10`.execute(writer)
  const writing = writer.transaction().execute(async (db) => {
    await sql`insert into counter values (1)`.execute(db)
    await sql`insert into counter values (zeroblob(100000))`.execute(db)
  })
  await t.rejects(writing, { message: /disk is full/ })
})

t.test("openSqlite creates files and folders that only their owner can read, whatever the umask", async (t) => {
  const umask = process.umask(0)
  t.teardown(() => process.umask(umask))
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const file = join(folder, "new", "deeper", "test.db")
  const database = await openFor(t, `sqlite:${file}`)
  await migrate(database)
  const modes = (path: string) => (statSync(path).mode & 0o777).toString(8)
  t.strictSame(
    readdirSync(dirname(file)).sort().map((name) => [name, modes(join(dirname(file), name))]),
    [["test.db", "600"], ["test.db-shm", "600"], ["test.db-wal", "600"]],
  )
  for (const created of [dirname(file), dirname(dirname(file))]) t.equal(modes(created), "700")
})

t.test("openSqlite leaves the mode and the content of an existing file as they are", async (t) => {
  const url = await freshUrl(t, "sqlite")
  const file = url.slice("sqlite:".length)
  writeFileSync(file, "")
  chmodSync(file, 0o640)
  const first = await openFor(t, url)
  await migrate(first)
  const second = await openFor(t, url)
  t.strictSame(await migrate(second), [])
  t.equal(statSync(file).mode & 0o777, 0o640)
})

t.test("openSqlite says that a path is not a database, and leaves what is there", async (t) => {
  const url = await freshUrl(t, "sqlite")
  const file = url.slice("sqlite:".length)
  const text = "a text that is long enough to be taken for the head of a database, ".repeat(20)
  writeFileSync(file, text)
  await t.rejects(openFor(t, url), {
    name: "UserError",
    message: /not an SQLite database.* database\.url/,
  })
  t.equal(readFileSync(file, "utf8"), text)
  await t.rejects(openFor(t, `sqlite:${dirname(file)}`), { message: /not a file that can be read/ })
})

t.test("openSqlite limits the time of each search, not of all searches together", async (t) => {
  const database = await openFor(t, await freshUrl(t, "sqlite"), { timeLimit: 1 })
  const search = () =>
    database.snapshot(({ db, dialect, run }) =>
      run(
        db.selectNoFrom(
          sql`${dialect.mayContain(sql<string>`'Ångström'`, "ANGST")}`.as("found"),
        ),
      )
    )
  t.match(await search(), [{ found: 1 }])
  await setTimeout(1100)
  t.match(await search(), [{ found: 1 }])
})

t.test("openSqlite limits the time of a statement that hashes many texts", async (t) => {
  const database = await openFor(t, await freshUrl(t, "sqlite"), { timeLimit: 0.001 })
  const hashing = database.snapshot(({ db, dialect, run }) =>
    run(
      db.selectNoFrom(
        sql`(with recursive number (n) as (select 1 union all select n + 1 from number limit 100000)
          select count(*) from number where ${dialect.sha256(sql`n`)} = '')`.as("found"),
      ),
    )
  )
  await t.rejects(hashing, Unavailable)
})
