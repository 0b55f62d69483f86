import { Database, type DatabaseOptions } from "./database.ts"
import type { Connections } from "./dialect.ts"
import { readTargets } from "./mysql/connection-options.ts"
import { describeDenial } from "./mysql/denial.ts"
import { openMysql } from "./mysql/open-mysql.ts"
import { openSqlite } from "./sqlite/open-sqlite.ts"
import { translateError } from "./unavailable.ts"

/**
 * Opens a database by its URL: `mysql://user:password@host:3306/name` (MySQL or MariaDB, with one host or
 * several) or `sqlite:path` (embedded; creates the file if it is missing).
 *
 * @throws {Unavailable} if MySQL cannot be reached, or no server takes writes; {UserError} if it refuses the service,
 *   or two servers take writes; an `Error` that never shows the password if the URL is of another kind.
 */
export async function openDatabase(url: string, options: DatabaseOptions): Promise<Database> {
  const { open } = openerOf(url)
  try {
    return new Database(await open(url, options), options)
  } catch (error) {
    throw describeDenial(error) ?? translateError(error)
  }
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
    target: (url) => readTargets(url),
    location: (url) => {
      const targets = readTargets(url)
      return `${targets.map(({ name }) => name).join(",")}/${targets[0].options.database}`
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
