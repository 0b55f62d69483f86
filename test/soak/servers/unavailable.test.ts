import { sql } from "kysely"
import mysql from "mysql2/promise"
import t from "tap"
import type { Database } from "../../../core/data/database.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { Unavailable } from "../../../core/data/unavailable.ts"
import { Sessions } from "../../../core/access/sessions.ts"
import { startInstance } from "../../../core/kernel/instance.ts"
import { testConfig } from "../../support/app.ts"
import { Builder, password } from "../../support/builder.ts"
import { freshDatabase, openFor, withoutMysql } from "../../support/database.ts"
import { killEach } from "../../support/mysql/processes.ts"
import { privateMysql } from "./private-mysql.ts"

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const skip = withoutMysql

t.test(
  "POST /session returns 503 while the server is read-only, and 204 afterwards",
  { skip },
  async (t) => {
    const server = await privateMysql(t)
    const owner = await mysql.createConnection(server)
    await owner.query("create database export")
    const url = `${server}/export`
    const database = await openFor(t, url)
    await migrate(database)
    await new Builder(database).account("ann")
    const instance = await startInstance(await testConfig(url), { log: silent })
    const logIn = async (word: string) => {
      const response = await instance.fetch(
        new Request("http://localhost/session", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ username: "ann", password: word }),
        }),
      )
      const { code } = response.status === 204 ? { code: "" } : await response.json()
      return [response.status, code, response.headers.get("retry-after")]
    }

    await owner.query("set global super_read_only = 1")
    t.strictSame(await logIn(password), [503, "unavailable", "5"])
    t.strictSame(await logIn("wrong"), [503, "unavailable", "5"], "the same for a wrong password")
    await owner.query("set global super_read_only = 0, global read_only = 0")
    t.strictSame(await logIn(password), [204, "", null])
    await instance.close()
    await owner.end()
  },
)

t.test(
  "GET …/events returns 503 while the server has another password than the configuration",
  { skip },
  async (t) => {
    const server = await privateMysql(t)
    const owner = await mysql.createConnection(server)
    await owner.query("create database export")
    await owner.query("create user exporter identified by 'first'")
    await owner.query("grant all on export.* to exporter")
    const url = `mysql://exporter:first@${new URL(server).host}/export`
    const database = await openFor(t, `${server}/export`)
    await migrate(database)
    await new Builder(database).account("ann")
    const config = await testConfig(url)
    const instance = await startInstance(config, { log: silent })
    const opened = await new Sessions(database, config.session).open({
      id: await idOf(database),
      epoch: 0,
    })
    const cookie = opened.cookie.split(";")[0] ?? ""
    const poll = () =>
      instance.fetch(
        new Request("http://localhost/connector-a/v1/events", { headers: { cookie } }),
      )
    t.equal((await poll()).status, 200)

    await owner.query("alter user exporter identified by 'second'")
    await killEach(owner, "connection", ({ user }) => user === "exporter")
    // The first one may find its connection cut.
    for (let n = 0; n < 3; n++) {
      const refused = await poll()
      t.strictSame([refused.status, (await refused.json()).code], [503, "unavailable"])
    }
    await owner.query("alter user exporter identified by 'first'")
    t.equal((await poll()).status, 200)
    await instance.close()
    await owner.end()
  },
)

async function idOf({ writer }: Database): Promise<string> {
  const { id } = await writer.selectFrom("account").select("id").executeTakeFirstOrThrow()
  return id
}

t.test("a snapshot in which a table was rebuilt rejects with Unavailable", { skip }, async (t) => {
  const database = await freshDatabase(t, "mysql")
  if (database.dialect.version.startsWith("MariaDB")) return void t.comment("MariaDB goes on")
  await new Builder(database).organization("acme")
  const reading = database.snapshot(async ({ db, run }) => {
    await run(db.selectFrom("organization").select("id"))
    await sql`alter table guest force, algorithm = copy`.execute(database.writer)
    await run(db.selectFrom("guest").select("id"))
  })
  const error: unknown = await reading.catch((error: unknown) => error)
  t.ok(error instanceof Unavailable, String(error))
  t.match(error, { cause: { code: "ER_TABLE_DEF_CHANGED" } })
})
