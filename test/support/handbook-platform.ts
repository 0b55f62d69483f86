import { readFileSync } from "node:fs"
import mysql from "mysql2/promise"
import type { Test } from "tap"
import type { Database } from "../../core/data/database.ts"
import { migrate } from "../../core/data/migrate.ts"
import { Builder } from "./builder.ts"
import { freshUrl, openFor } from "./database.ts"

const page = readFileSync("config/handbook/tables.md", "utf8")

/** Returns the statements of a text, without what only the command `mysql` understands. */
function statementsOf(text: string): string {
  return [...text.matchAll(/```sql\n(.*?)```/gs)].map(([, sql = ""]) => sql).join("\n")
    .replaceAll(/^ *delimiter .*$/gm, "").replaceAll("//", ";")
}

/** A database with the views of the handbook, on tables of a platform. */
export interface HandbookPlatform {
  readonly url: string
  readonly database: Database
  /** The event that there is, which the account `ann` may read. */
  readonly gala: string
  /** The name of the platform's database. */
  readonly name: string
  /** Sends statements to the database with the views. */
  readonly connection: mysql.Connection
  /** Opens a connection to the platform, which sends statements. */
  connect(): Promise<(statement: string, values?: unknown[]) => Promise<void>>
  /** Adds an attendee of the gala, and returns its id. */
  attend(forename: string, uuid?: string): Promise<string>
}

/** Runs the example of the handbook on MySQL, if wanted with its triggers, which come after the first gala. */
export async function openPlatform(
  t: Test,
  { triggers }: { readonly triggers: boolean },
): Promise<HandbookPlatform> {
  const [url, platform] = [await freshUrl(t, "mysql"), await freshUrl(t, "mysql")]
  const database = await openFor(t, url)
  await migrate(database)
  const name = new URL(platform).pathname.slice(1)
  const connection = await mysql.createConnection({ uri: url, multipleStatements: true })
  t.teardown(() => connection.end())
  const [views = "", logged = ""] = page
    .replaceAll("platform.", `${name}.`)
    .replaceAll("event_export.", `${new URL(url).pathname.slice(1)}.`)
    .split("\n## ").map(statementsOf)
  await connection.query("set time_zone = '+00:00'")
  await connection.query(views)
  await migrate(database)
  const [charity, gala] = [crypto.randomUUID(), crypto.randomUUID()]
  await connection.query(`
    insert into ${name}.charity values ('${charity}', 'acme', 'Acme', now());
    insert into ${name}.gala values
      ('${gala}', '${charity}', 'Gala', now(), now() + interval 1 day, now(), from_unixtime(1700000000))`)
  if (triggers) await connection.query(logged)
  const build = new Builder(database)
  await build.account("ann")
  await build.grant("ann", { organization: "acme" })
  const connect = async () => {
    const own = await mysql.createConnection(platform)
    t.teardown(() => own.end())
    return async (statement: string, values: unknown[] = []) => {
      await own.query(statement, values)
    }
  }
  const attend = async (forename: string, uuid: string = crypto.randomUUID()) => {
    await connection.query(
      `insert into ${name}.attendee
        (uuid, gala_uuid, forename, surname, mail, phone, crm_key, wants_texts, created_at,
          changed_at)
        values (?, ?, ?, 'Lovelace', 'ada@example.org', '', 'crm-1', true, now(),
          from_unixtime(1700000001))`,
      [uuid, gala, forename],
    )
    return uuid
  }
  return { url, database, gala, name, connection, connect, attend }
}
