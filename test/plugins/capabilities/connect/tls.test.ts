import t from "tap"
import { openSource } from "../../../../plugins/capabilities/connect/sources/open.ts"
import { allRows } from "../../../../plugins/capabilities/connect/sources/source.ts"
import { freshUrl } from "../../../support/database.ts"
import { createUser, whyNoUsers } from "../../../support/users.ts"

const skip = await whyNoUsers({ tls: true })

t.test("a source in MySQL takes ssl and ca in its URL, and nothing else", async (t) => {
  for (
    const parameter of ["ssl=maybe", "sslmode=require", "typeCast=false", "multipleStatements=true"]
  ) {
    const opening = openSource(`mysql://a:hunter2@127.0.0.1:9/b?${parameter}`)
    await t.rejects(opening, { message: /only \?ssl=required(?!.*hunter2)/ }, parameter)
  }
  await t.rejects(openSource("mysql://a@one,two/b"), /several servers: name one/)
})

t.test("a source in MySQL is read over TLS", { skip }, async (t) => {
  const { url } = await createUser(t, await freshUrl(t, "mysql"), { requires: "require ssl" })
  const source = await openSource(`${url.replace(/[^/]*$/, "information_schema")}?ssl=required`)
  t.teardown(() => source.close())
  const rows = await source.snapshot((reader) =>
    allRows(reader, "show session status like 'Ssl_version'")
  )
  t.match(rows, [["Ssl_version", /^TLSv1\.[23]$/]])
})
