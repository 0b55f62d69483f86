import t from "tap"
import { openSource } from "../../../plugins/capabilities/connect/sources/open.ts"
import { allRows } from "../../../plugins/capabilities/connect/sources/source.ts"
import { ownMysql, startOwnMysql } from "../../support/mysql/own-server.ts"
import { openRelay } from "../../support/relay.ts"
import { startPostgres } from "../support/postgres-server.ts"

const program = await ownMysql()

t.test("a connection to a source that rests until a firewall forgets it is replaced", {
  skip: typeof program === "string" && program,
}, async (t) => {
  if (typeof program === "string") return
  const postgres = await startPostgres()
  t.teardown(() => postgres.stop())
  const mysql = `${await startOwnMysql(t, program)}/mysql`
  await Promise.all([mysql, postgres.url].map(async (target) => {
    const relay = await openRelay(t, target)
    const source = await openSource(relay.url)
    t.teardown(() => source.close())
    const read = () => source.snapshot((reader) => allRows(reader, "select 1 as one"))
    t.match(await read(), [[/1/]])
    relay.forget()
    t.match(await read(), [[/1/]], target.replace(/:.*/, ""))
  }))
})
