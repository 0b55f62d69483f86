import type { DatabaseOptions } from "./database.ts"
import type { DatabaseHandles } from "./dialect.ts"
import type { Tables } from "./table.ts"

/**
 * Opens the databases of one kind. The default export of `plugins/databases/SCHEME/driver.ts`, where SCHEME is how
 * their URLs begin.
 */
export interface Driver {
  /** @throws {UserError} if the database refuses the service; whatever the database's own driver throws. */
  open(url: string, options: DatabaseOptions): Promise<DatabaseHandles>
  /** Returns the address and the name of a database, without credentials. @throws {Error} if the URL is malformed. */
  location(url: string): string
  /**
   * Returns the statements that grant a user the privileges for serving these tables. Missing if there are no users.
   */
  grants?(url: string, user: ServingUser, tables: Tables): readonly string[]
}

/** The user that serves. */
export interface ServingUser {
  /** If it is missing, the one of the URL. */
  readonly name?: string | undefined
  /** Where it connects from. */
  readonly host: string
  /** The tables of `performance_schema` that it reads. */
  readonly tablesOfServers?: readonly string[]
}
