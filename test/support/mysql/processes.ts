import { setTimeout } from "node:timers/promises"
import { type Kysely, sql } from "kysely"
import type mysql from "mysql2/promise"

/** What MySQL says of one connection. `info` is the statement that it runs, or null. */
export type Process = {
  readonly id: number
  readonly user: string
  readonly db: string | null
  readonly command: string
  readonly state: string
  readonly info: string | null
}

type Row = Readonly<Record<string, unknown>>

/** What a statement can be sent through: an open database, a connection, or a server of a cluster. */
// deno-lint-ignore no-explicit-any
type Sender = Kysely<any> | mysql.Connection | { run(statement: string): Promise<readonly Row[]> }

/**
 * Lists the connections of a MySQL server, with the one that asks.
 *
 * `information_schema.processlist` would fail while any of them runs a statement with a character of four bytes.
 */
export async function listProcesses(sender: Sender): Promise<Process[]> {
  const rows = await send(sender, "show full processlist")
  return rows.map((row) => ({
    id: Number(row["Id"]),
    user: String(row["User"]),
    db: textOrNull(row["db"]),
    command: String(row["Command"]),
    state: String(row["State"] ?? ""),
    info: textOrNull(row["Info"]),
  }))
}

/** Lists the connections to the database of a URL. */
export async function processesOf(sender: Sender, url: string): Promise<Process[]> {
  const db = new URL(url).pathname.slice(1)
  return (await listProcesses(sender)).filter((each) => each.db === db)
}

/**
 * Lists the connections to the database of a URL that wait for the lock of a row.
 *
 * MySQL answers from a cache until nobody has asked for 0.1 s.
 */
export async function blockedOf(sender: Sender, url: string): Promise<Process[]> {
  const ids = await findWaiting(sender)
  return (await processesOf(sender, url)).filter(({ id }) => ids.has(id))
}

/** MySQL fails while a statement of any connection is cut within a letter in this table: then it is asked again. */
async function findWaiting(sender: Sender): Promise<ReadonlySet<number>> {
  const statement =
    "select trx_mysql_thread_id as id from information_schema.innodb_trx where trx_state = 'LOCK WAIT'"
  for (;;) {
    try {
      return new Set((await send(sender, statement)).map(({ id }) => Number(id)))
    } catch (error) {
      if ((error as { code?: string }).code !== "ER_CANNOT_CONVERT_STRING") throw error
      await setTimeout(150)
    }
  }
}

/** Ends other connections, or only their statements, that meet a condition. */
export async function killEach(
  connection: mysql.Connection,
  what: "connection" | "query",
  isMeant: (process: Process) => boolean,
): Promise<void> {
  for (const each of (await listProcesses(connection)).filter(isMeant)) {
    if (each.id === connection.threadId) continue
    // It may have ended meanwhile.
    await connection.query(`kill ${what} ${each.id}`).catch(() => {})
  }
}

async function send(sender: Sender, statement: string): Promise<readonly Row[]> {
  if ("run" in sender) return await sender.run(statement)
  if ("executeQuery" in sender) return (await sql.raw<Row>(statement).execute(sender)).rows
  return (await sender.query<mysql.RowDataPacket[]>(statement))[0]
}

function textOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value)
}
