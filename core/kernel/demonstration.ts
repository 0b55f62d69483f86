import { pathToFileURL } from "node:url"
import type { Kysely } from "kysely"
import { hasOrganizations } from "../access/organizations.ts"
import { hashPassword } from "../access/passwords.ts"
import type { Config } from "../config/read.ts"
import type { Database } from "../data/database.ts"
import type { Dialect } from "../data/dialect.ts"
import type { Schema } from "../data/schema.ts"
import { isLocked } from "../data/unavailable.ts"

/** The default export of the module that the setting `demonstration` names. */
export interface Demonstration {
  /** Fills an empty, migrated database, completely or not at all. */
  fill(target: DemonstrationTarget): Promise<void>
  /** Returns what a newcomer can try at this address. */
  guide(baseUrl: string): string
}

interface DemonstrationTarget {
  readonly db: Kysely<Schema>
  readonly dialect: Dialect["name"]
  /** Takes a quarter of a second of one core: call it concurrently. */
  hashPassword(password: string): Promise<string>
}

/** Loads the demonstration of a configuration. @throws {Error} if it names none, or one that does not load. */
export async function loadDemonstration({ demonstration, file }: Config): Promise<Demonstration> {
  if (!demonstration) {
    throw new Error(`There is no demonstration: ${file} does not name one. Nothing was changed.`)
  }
  const module = await import(pathToFileURL(demonstration).href).catch((error: unknown) => {
    throw new Error(
      `Cannot load the demonstration: ${
        (error as Error).message
      }. It needs the development dependencies.`,
      { cause: error },
    )
  })
  const { fill, guide } = module.default ?? {}
  if (typeof fill !== "function" || typeof guide !== "function") {
    throw new Error(
      `Cannot use the demonstration: ${demonstration} must export { fill, guide } by default.`,
    )
  }
  return module.default
}

/** Fills a database with a demonstration, unless it has organizations; two processes may do it at once. */
export async function fillDemonstration(
  demonstration: Demonstration,
  database: Database,
): Promise<void> {
  const { writer, dialect } = database
  while (!await hasOrganizations(database)) {
    try {
      await writer.connection().execute(async (db) => {
        await dialect.keepHistory?.begin.execute(db)
        try {
          await demonstration.fill({ db, dialect: dialect.name, hashPassword })
        } finally {
          await dialect.keepHistory?.end.execute(db)
        }
      })
    } catch (error) {
      // Another process fills it, or has just done so.
      if (!isLocked(error) && !await hasOrganizations(database)) throw error
    }
  }
}
