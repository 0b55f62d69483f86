import { Database, type DatabaseOptions } from "./database.ts"
import { openMysql } from "./mysql/open-mysql.ts"
import { openSqlite } from "./sqlite/open-sqlite.ts"
import { translateError } from "./unavailable.ts"

/**
 * Opens a database by its URL: `mysql://user:password@host:3306/name` (MySQL or MariaDB) or
 * `sqlite:path` (embedded; creates the file if it is missing).
 *
 * @throws {Unavailable} if MySQL cannot be reached; an `Error` that never shows the password if the
 *   URL is of another kind.
 */
export async function openDatabase(url: string, options: DatabaseOptions): Promise<Database> {
  const open = openers[url.slice(0, url.indexOf(":"))]
  if (!open) {
    throw new Error(
      "Cannot open the database: the URL must begin with mysql:// or sqlite:, as in mysql://user@host:3306/name",
    )
  }
  try {
    return new Database(await open(url, options), options)
  } catch (error) {
    throw translateError(error)
  }
}

const openers: Record<string, typeof openMysql> = { mysql: openMysql, sqlite: openSqlite }
