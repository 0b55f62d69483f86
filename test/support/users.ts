import process from "node:process"
import mysql from "mysql2/promise"
import { withoutMysql } from "./database.ts"

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
