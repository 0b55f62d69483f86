import mysql from "mysql2/promise"
import t from "tap"
import { migrate } from "../../../core/data/migrate.ts"
import { Sessions } from "../../../core/access/sessions.ts"
import { startInstance } from "../../conformance/instance.ts"
import { testConfig } from "../../support/app.ts"
import { Builder } from "../../support/builder.ts"
import { openFor, withoutMysql } from "../../support/database.ts"
import { startLocal } from "../../support/mysql/local-server.ts"
import { killEach } from "../../support/mysql/processes.ts"
import { localMysql } from "../../support/mysql/programs.ts"

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

t.test(
  "GET …/events returns 503 while the server has another password than the configuration",
  { skip: withoutMysql },
  async (t) => {
    const { signal } = new AbortController()
    const { url: server, stop } = await startLocal(await localMysql(signal), signal)
    t.teardown(stop)
    const owner = await mysql.createConnection(server)
    await owner.query("create database export")
    await owner.query("create user exporter identified by 'first'")
    await owner.query("grant all on export.* to exporter")
    const url = `mysql://exporter:first@${new URL(server).host}/export`
    const database = await openFor(t, `${server}/export`)
    await migrate(database)
    const id = await new Builder(database).account("ann")
    const config = await testConfig(url)
    const instance = await startInstance(config, { log: silent })
    const opened = await new Sessions(database, config.session).open({ id, epoch: 0 })
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
