import { setTimeout } from "node:timers/promises"
import { Worker } from "node:worker_threads"
import { once } from "node:events"
import { sql } from "kysely"
import t from "tap"
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
