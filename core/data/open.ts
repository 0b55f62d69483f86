import { existsSync } from "node:fs"
import { extname } from "node:path"
import { Database, type DatabaseOptions } from "./database.ts"
import type { Driver } from "./driver.ts"
import { translateError } from "./unavailable.ts"

/**
 * Opens a database by its URL, with its driver in `plugins/databases/`.
 *
 * @throws {Unavailable} if it cannot be reached; {UserError} if it refuses the service; an `Error` that never shows the
 *   password if there is no driver.
 */
export async function openDatabase(url: string, options: DatabaseOptions): Promise<Database> {
  const { open } = await loadDriver(url)
  try {
    return new Database(await open(url, options), options)
  } catch (error) {
    throw translateError(error)
  }
}

/** Returns the address and the name of a database, without credentials. @throws {Error} if the URL is malformed. */
export async function describeLocation(url: string): Promise<string> {
  return (await loadDriver(url)).location(url)
}

/** Loads the driver that a URL begins with. Others are not loaded. @throws {Error} if there is none. */
export async function loadDriver(url: string): Promise<Driver> {
  const [, scheme = ""] = /^([a-z]+):/.exec(url) ?? []
  const path = `../../plugins/databases/${scheme}/driver${extname(import.meta.url)}`
  const file = new URL(path, import.meta.url)
  if (scheme && existsSync(file)) return (await import(file.href)).default
  throw new Error(
    "Cannot open the database: the URL must begin with mysql:// or sqlite:, as in mysql://user@host:3306/name",
  )
}
