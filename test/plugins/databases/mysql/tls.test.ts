import { sql } from "kysely"
import t from "tap"
import { openDatabase } from "../../../../core/data/open.ts"
import { createUser, whyNoUsers } from "../../../support/users.ts"
import { freshUrl } from "../../../support/database.ts"

const skip = await whyNoUsers({ tls: true })
const options = { connections: 1, timeLimit: 5 }

t.test("openDatabase accepts only the parameters ssl and ca in a URL", async (t) => {
  const wrong = ["ssl=maybe", "ca=/x.pem", "sll=verify", "ssl=verify&ca=/no/such/file.pem"]
  for (const parameters of wrong) {
    await t.rejects(openDatabase(`mysql://a:hunter2@127.0.0.1:9/b?${parameters}`, options), {
      message: /^Cannot read the (database URL: |file of)(?!.*hunter2).*(ssl|ENOENT)/,
    }, parameters)
  }
})

t.test("openDatabase refuses what is not a file as that of ca", async (t) => {
  await t.rejects(openDatabase("mysql://a@127.0.0.1:9/b?ssl=verify&ca=/dev/null", options), {
    message: /^Cannot read the file of the database URL's ca \(it is not a file\)/,
  })
})

t.test("openDatabase connects to a server that requires TLS", { skip }, async (t) => {
  const { owner, user, url } = await createUser(t, await freshUrl(t, "mysql"), {
    requires: "require ssl",
  })
  await owner.query(`grant all on \`${user.database}\`.* to '${user.name}'@'%'`)
  const open = async (parameters: string) => {
    const database = await openDatabase(url + parameters, options)
    try {
      const { rows } = await sql<{ Value: string }>`show session status like 'Ssl_version'`.execute(
        database.writer,
      )
      return rows[0]?.Value
    } finally {
      await database.close()
    }
  }

  await t.test("the server refuses a connection without TLS, and accepts one with ssl=required", async (t) => {
    await t.rejects(open(""), /^The database refuses the service: Access denied .*database\.url\.$/)
    t.match(await open("?ssl=required"), /^TLSv1\.[23]$/)
  })

  await t.test("ssl=verify rejects a server whose certificate has no trusted authority", async (t) => {
    await t.rejects(open("?ssl=verify"), /self.signed|unable to (get|verify)|certificate/i)
  })
})
