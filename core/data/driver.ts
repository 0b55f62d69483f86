import type { DatabaseOptions } from "./database.ts"
import type { Connections } from "./dialect.ts"

/**
 * Opens the databases of one kind. The default export of `plugins/databases/SCHEME/driver.ts`, where SCHEME is how
 * their URLs begin; MySQL's is part of the core.
 */
export interface Driver {
  open(url: string, options: DatabaseOptions): Promise<Connections>
  /** Returns what is opened, as JSON. @throws {Error} if the URL is malformed. */
  target(url: string): unknown
  /** Returns the address and the name of a database, without credentials. @throws as `target`. */
  location(url: string): string
}
