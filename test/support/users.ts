import process from "node:process"
import mysql from "mysql2/promise"
import { type Teardown, withoutMysql } from "./database.ts"

/** Returns the reason to skip tests of MySQL's users; false if they run. */
export async function whyNoUsers({ tls = false } = {}): Promise<string | false> {
  if (withoutMysql) return withoutMysql
  const connection = await mysql.createConnection(process.env["TEST_MYSQL_URL"] ?? "")
  const name = `probe_${crypto.randomUUID().slice(0, 8)}`
  try {
    await connection.query(`create user '${name}'@'%'`)
    await connection.query(`drop user '${name}'@'%'`)
    const [rows] = await connection.query<mysql.RowDataPacket[]>("select @@ssl_ca as ca")
    return tls && !rows[0]?.["ca"] ? "the server has no TLS" : false
  } catch (error) {
    return `the server has no users: ${(error as Error).message}`
  } finally {
    await connection.end()
  }
}

/**
 * Creates a user of a database without any privilege. Returns a connection of the database's owner, the user, and the
 * URL for it. Removes the user after the test.
 */
export async function createUser(t: Teardown, databaseUrl: string, { requires = "" } = {}) {
  const owner = await mysql.createConnection(databaseUrl)
  const name = `user_${crypto.randomUUID().slice(0, 8)}`
  t.teardown(async () => {
    await owner.query(`drop user if exists '${name}'@'%'`)
    await owner.end()
  })
  await owner.query(`create user '${name}'@'%' identified by 'a password' ${requires}`)
  const url = new URL(databaseUrl)
  const user = { name, host: "%", database: url.pathname.slice(1) }
  url.username = name
  url.password = "a password"
  return { owner, user, url: url.href }
}
