import mysql from "mysql2/promise"
import t from "tap"
import { freshUrl, openFor, withoutMysql } from "../database.ts"
import { blockedOf, listProcesses, processesOf } from "./processes.ts"

t.test("processes are listed while one runs a statement with a character of four bytes", {
  skip: withoutMysql,
}, async (t) => {
  const url = await freshUrl(t, "mysql")
  const database = await openFor(t, url)
  const other = await mysql.createConnection({ uri: url, charset: "utf8mb4" })
  const sleeping = other.query("select sleep(60), '𝄞'").catch(() => {})
  t.teardown(async () => {
    await sleeping
    other.destroy()
  })
  const findIt = async () =>
    (await processesOf(database.writer, url)).find(({ id }) => id === other.threadId)
  while (!(await findIt())?.info?.startsWith("select sleep(60), ")) {
    await listProcesses(database.writer)
  }
  t.match(await findIt(), {
    db: new URL(url).pathname.slice(1),
    command: "Query",
    state: "User sleep",
  })
  const asking = await mysql.createConnection(url)
  t.ok(
    (await listProcesses(asking)).some(({ id }) => id === asking.threadId),
    "also the one that asks",
  )
  t.strictSame(await blockedOf(asking, url), [], "it waits for no row")
  await asking.query(`kill query ${other.threadId}`)
  await asking.end()
})

t.test("blockedOf lists who waits for the lock of a row, in one database", {
  skip: withoutMysql,
}, async (t) => {
  const [url, elsewhere] = [await freshUrl(t, "mysql"), await freshUrl(t, "mysql")]
  const database = await openFor(t, url)
  const [holder, waiter] = await Promise.all([1, 2].map(() => mysql.createConnection(url))) as [
    mysql.Connection,
    mysql.Connection,
  ]
  t.teardown(() => Promise.all([holder.end(), waiter.end()]))
  await holder.query("create table one (id int primary key)")
  await holder.query("insert into one values (1)")
  await holder.query("begin")
  await holder.query("select * from one for update")
  const waiting = waiter.query("select * from one for update")
  while ((await blockedOf(database.writer, url)).length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
  t.match(await blockedOf(database.writer, url), [{ id: waiter.threadId }])
  t.strictSame(await blockedOf(database.writer, elsewhere), [])
  await holder.query("rollback")
  await waiting
})
