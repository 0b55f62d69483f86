import { randomUUID } from "node:crypto"
import { readFile } from "node:fs/promises"
import { basename, resolve } from "node:path"
import { migrateBy } from "../former-database.ts"
import mysql from "mysql2/promise"

/** Tables to write to, each in a database of its own. */
export interface Schema {
  readonly name: string
  readonly url: string
  /** The event that all loads write to. */
  readonly event: string
  readonly guests: readonly string[]
}

/** What to measure besides tables without triggers and with them. */
export interface SchemaOptions {
  /** The folder of another checkout. */
  readonly against?: string
  /** Files of statements that change the triggers. */
  readonly also?: readonly string[]
}

/** The number of guests in the event of each schema. Each has a consent. */
export const guestCount = 10_000

const here = resolve(import.meta.dirname, "../../..")

/**
 * Creates the schemas on the server of `url`: `none` (without triggers), `former` (those of another checkout),
 * `present`, and one per file of statements. `close` drops them.
 */
export async function openSchemas(
  url: string,
  { against, also = [] }: SchemaOptions,
): Promise<{ readonly schemas: readonly Schema[]; close(): Promise<void> }> {
  const server = await mysql.createConnection({ uri: url, multipleStatements: true })
  const names: string[] = []
  const create = async (name: string, folder = here, file?: string): Promise<Schema> => {
    const database = `writes_${randomUUID().replaceAll("-", "")}`
    names.push(database)
    await server.query(`create database ${database} character set utf8mb4; use ${database}`)
    const own = new URL(url)
    own.pathname = `/${database}`
    await migrateBy(folder, own.href)
    if (name === "none") await dropTriggers(server)
    if (file !== undefined) await server.query(await readFile(file, "utf8"))
    return { name, url: own.href, ...await fill(server) }
  }
  const close = async () => {
    for (const name of names) await server.query(`drop database ${name}`)
    await server.end()
  }
  try {
    const schemas = [await create("none")]
    if (against !== undefined) schemas.push(await create("former", resolve(against)))
    schemas.push(await create("present"))
    for (const file of also) schemas.push(await create(basename(file, ".sql"), here, file))
    return { schemas, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function dropTriggers(server: mysql.Connection): Promise<void> {
  const [rows] = await server.query<mysql.RowDataPacket[]>("show triggers")
  for (const { Trigger } of rows) await server.query(`drop trigger ${Trigger}`)
}

/** Inserts an event with guests and their consents. */
async function fill(server: mysql.Connection): Promise<Pick<Schema, "event" | "guests">> {
  const [organization, event] = [randomUUID(), randomUUID()]
  const guests = Array.from({ length: guestCount }, () => randomUUID()).toSorted()
  await server.query("insert into organization (id, slug, name) values (?, 'acme', 'Acme')", [
    organization,
  ])
  await server.query(
    `insert into event (id, organization_id, name, status, currency, timezone, starts, ends)
     values (?, ?, 'Gala', 'running', 'GBP', 'Europe/London', 0, 1)`,
    [event, organization],
  )
  for (let from = 0; from < guests.length; from += 1000) {
    const some = guests.slice(from, from + 1000)
    await server.query(
      `insert into guest (event_id, id, first_name, last_name, email, mobile, external_id, sms_opt_in)
       values ?`,
      [some.map((id) => [event, id, "Ada", "Byron", `${id}@example.org`, "", id, 0])],
    )
    await server.query(
      "insert into consent (event_id, guest_id, asked, status, channels) values ?",
      [some.map((id) => [event, id, 0, "active", "email"])],
    )
  }
  await server.query("analyze table guest, consent")
  return { event, guests }
}
