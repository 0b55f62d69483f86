import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { isAbsolute, join } from "node:path"
import { sql } from "kysely"
import mysql from "mysql2/promise"
import t from "tap"
import { openDatabase } from "../../../../core/data/open.ts"
import { whyNoUsers } from "../../../support/users.ts"
import { freshUrl } from "../../../support/database.ts"

const skip = await whyNoUsers({ tls: true })
const options = { connections: 1, timeLimit: 5 }

t.test("a database URL takes ssl and ca, and nothing else", async (t) => {
  const wrong = ["ssl=maybe", "ca=/x.pem", "sll=verify", "ssl=verify&ca=/no/such/file.pem"]
  for (const parameters of wrong) {
    await t.rejects(openDatabase(`mysql://a:hunter2@127.0.0.1:9/b?${parameters}`, options), {
      message: /^Cannot read the (database URL: |file of)(?!.*hunter2).*(ssl|ENOENT)/,
    }, parameters)
  }
})

t.test("a server that requires TLS", { skip }, async (t) => {
  const url = new URL(await freshUrl(t, "mysql"))
  const owner = await mysql.createConnection(url.href)
  const name = `tls_${crypto.randomUUID().slice(0, 8)}`
  t.teardown(async () => {
    await owner.query(`drop user if exists '${name}'@'%'`)
    await owner.end()
  })
  await owner.query(`create user '${name}'@'%' identified by 'a password' require ssl`)
  await owner.query(`grant all on \`${url.pathname.slice(1)}\`.* to '${name}'@'%'`)
  const open = async (parameters: string) => {
    const own = new URL(url)
    own.username = name
    own.password = "a password"
    own.search = parameters
    const database = await openDatabase(own.href, options)
    try {
      const { rows } = await sql<{ Value: string }>`show session status like 'Ssl_version'`.execute(
        database.writer,
      )
      return rows[0]?.Value
    } finally {
      await database.close()
    }
  }

  await t.test("refuses a connection without it, and takes one with it", async (t) => {
    await t.rejects(open(""), { code: "ER_ACCESS_DENIED_ERROR" })
    t.match(await open("?ssl=required"), /^TLSv1\.[23]$/)
  })

  await t.test("is refused by ssl=verify where nobody trusted signed its certificate", async (t) => {
    await t.rejects(open("?ssl=verify"), /self.signed|unable to (get|verify)|certificate/i)
  })

  const authority = await readAuthority(owner)
  await t.test("is refused by ssl=verify under a name that its certificate does not have", {
    skip: authority ? false : "the server's authority cannot be read from here",
  }, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "event-export-"))
    t.teardown(() => rmSync(folder, { recursive: true }))
    const ca = join(folder, "ca.pem")
    writeFileSync(ca, authority ?? "")
    await t.rejects(open(`?ssl=verify&ca=${ca}`), /does not match|altnames|IP/i)
  })
})

/** The authority that a server made for itself, where its data folder is on this machine. */
async function readAuthority(owner: mysql.Connection): Promise<string | undefined> {
  try {
    const [rows] = await owner.query<mysql.RowDataPacket[]>(
      "select @@datadir as folder, @@ssl_ca as ca",
    )
    const { folder, ca } = rows[0] as { folder: string; ca: string }
    return readFileSync(isAbsolute(ca) ? ca : join(folder, ca), "utf8")
  } catch {
    return undefined
  }
}
