import { createConnection } from "mysql2/promise"
import { randomBytes } from "node:crypto"
import process from "node:process"
import { untilReady } from "./ready.ts"
import type { RunningMysql } from "./way.ts"

/** Uses the server of TEST_DATABASE_URL. Rejects if unset or if its account can't create databases. */
export async function givenMysql(signal: AbortSignal): Promise<RunningMysql> {
  const given = process.env["TEST_DATABASE_URL"]
  if (!given) throw new Error("not set")
  const parsed = URL.parse(given)
  if (parsed?.protocol !== "mysql:") throw new Error("not a mysql:// URL")
  parsed.pathname = ""
  const url = parsed.toString()
  const version = await untilReady(url, 10_000, signal)
  await createAndDrop(url)
  return { url, how: `server ${version} at ${parsed.host}`, stop: async () => {} }
}

async function createAndDrop(url: string): Promise<void> {
  const database = `probe_${randomBytes(6).toString("hex")}`
  const connection = await createConnection({ uri: url })
  try {
    await connection.query(`create database ${database}`)
    await connection.query(`drop database ${database}`)
  } finally {
    await connection.end()
  }
}
