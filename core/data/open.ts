import { UserError } from "../errors.ts"
import { Database, type DatabaseOptions } from "./database.ts"
import type { Connections } from "./dialect.ts"
import { readConnectionOptions } from "./mysql/connection-options.ts"
import { openMysql } from "./mysql/open-mysql.ts"
import { openSqlite } from "./sqlite/open-sqlite.ts"
import { translateError } from "./unavailable.ts"

/**
 * Opens a database by its URL: `mysql://user:password@host:3306/name` (MySQL or MariaDB) or
 * `sqlite:path` (embedded; creates the file if it is missing).
 *
 * @throws {Unavailable} if MySQL cannot be reached; {UserError} if it refuses the service; an `Error` that
 *   never shows the password if the URL is of another kind.
 */
export async function openDatabase(url: string, options: DatabaseOptions): Promise<Database> {
  const { open } = openerOf(url)
  try {
    return new Database(await open(url, options), options)
  } catch (error) {
    throw describeDenial(error) ?? translateError(error)
  }
}

/** What MySQL says to a wrong user, password or name of a database: at the start, waiting does not help. */
const denials = new Set(["ER_ACCESS_DENIED_ERROR", "ER_DBACCESS_DENIED_ERROR", "ER_BAD_DB_ERROR"])

function describeDenial(error: unknown): UserError | undefined {
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (code === "HANDSHAKE_SSL_ERROR") {
    return new UserError(
      `The database's certificate cannot be trusted: ${message}. Renew it at the server, or correct ca in database.url.`,
      { cause: error },
    )
  }
  if (typeof code !== "string" || !denials.has(code)) return undefined
  return new UserError(
    `The database refuses the service: ${message}. Check the user, the password and the name of the ` +
      `database in database.url.`,
    { cause: error },
  )
}

/** Returns the address and the name of a database, without credentials. @throws as `targetOf`. */
export function locationOf(url: string): string {
  return openerOf(url).location(url)
}

/**
 * Returns a text that is different whenever a URL leads to another database or in another way, such as
 * with another certificate in a file that it names. It contains the password.
 *
 * @throws {Error} if the URL is malformed.
 */
export function targetOf(url: string): string {
  return JSON.stringify(openerOf(url).target(url))
}

interface Opener {
  open(url: string, options: DatabaseOptions): Promise<Connections>
  /** Returns what is opened, as JSON. */
  target(url: string): unknown
  location(url: string): string
}

const openers: Record<string, Opener> = {
  mysql: {
    open: openMysql,
    target: readConnectionOptions,
    location: (url) => {
      const { host, port, database } = readConnectionOptions(url)
      return `${host}:${port}/${database}`
    },
  },
  // Its path could be the URL of another by mistake, with a password.
  sqlite: { open: openSqlite, target: (url) => url, location: () => "the embedded database" },
}

function openerOf(url: string): Opener {
  const opener = openers[url.slice(0, url.indexOf(":"))]
  if (opener) return opener
  throw new Error(
    "Cannot open the database: the URL must begin with mysql:// or sqlite:, as in mysql://user@host:3306/name",
  )
}
