import { dirname, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import type { Kysely } from "kysely"
import { hashPassword } from "../../../core/accounts.ts"
import { type Database, type Dialect, isLocked } from "../../../core/capability.ts"
import { findModule } from "../../../core/commands.ts"
import type { Schema } from "../../../core/tables.ts"
import type { Happening } from "./happenings.ts"

/** The default export of the module that the setting `demonstration.module` names. */
export interface Demonstration {
  /** Fills an empty, migrated database, completely or not at all. */
  fill(target: DemonstrationTarget): Promise<void>
  /** Returns what a newcomer can try at this address, and what goes on there if it is `live`. */
  guide(baseUrl: string, live: boolean): string
  /** Returns those who do something while the demonstration is live: writers, simulated partners. */
  participants(): readonly Participant[]
}

/** Takes part in a live demonstration, one step after the other. */
export interface Participant {
  readonly name: string
  /** Returns the seconds until the next step. If it throws, the next step is taken a little later. */
  step(service: DemonstrationService): Promise<number>
}

/** The service, as participants see it. Both functions may fail: the database may be away. */
export interface DemonstrationService {
  /** The database of the configuration in force. */
  readonly db: Kysely<Schema>
  readonly dialect: Dialect["name"]
  /** Aborts when the demonstration ends: a step that takes long ends then, too. */
  readonly signal: AbortSignal
  /** Sends a request to a path of the service, over HTTP. */
  request(path: string, init?: RequestInit): Promise<Response>
  /** Counts something that the participant has done, to be shown. */
  count?(happening: Happening): void
}

interface DemonstrationTarget {
  readonly db: Kysely<Schema>
  readonly dialect: Dialect["name"]
  /** Takes a quarter of a second of one core: call it concurrently. */
  hashPassword(password: string): Promise<string>
}

/** The group `demonstration` of a configuration. */
export type DemonstrationSettings = {
  /** The path of a file, or of a folder with `demonstration.ts` or `.js`, from the folder of the configuration. */
  readonly module: string
  readonly live: boolean
  readonly local: boolean
} | undefined

/** Loads the demonstration of a configuration. @throws {Error} if it names none, or one that does not load. */
export async function loadDemonstration(
  file: string,
  settings: DemonstrationSettings,
): Promise<Demonstration> {
  if (!settings) {
    throw new Error(`There is no demonstration: ${file} does not name one. Nothing was changed.`)
  }
  const path = resolve(dirname(file), settings.module)
  const found = findModule(path, "demonstration") ?? path
  const module = await import(pathToFileURL(found).href).catch((error: unknown) => {
    throw new Error(`Cannot load the demonstration: ${(error as Error).message}.`, { cause: error })
  })
  const functions = ["fill", "guide", "participants"]
  if (functions.some((name) => typeof module.default?.[name] !== "function")) {
    throw new Error(
      `Cannot use the demonstration: ${path} must export { ${functions.join(", ")} } by default.`,
    )
  }
  return module.default
}

/**
 * Fills a database with a demonstration, unless it has organizations; two processes may do it at once. Calls `begin`
 * before it does.
 */
export async function fillDemonstration(
  demonstration: Demonstration,
  database: Database,
  begin: () => void = () => {},
): Promise<void> {
  const { writer, dialect } = database
  while (!await hasOrganizations(database)) {
    begin()
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

/** Returns true if there is any organization: the demonstration never fills such a database. */
export async function hasOrganizations({ writer }: Database): Promise<boolean> {
  const found = await writer.selectFrom("organization").select("id").limit(1).execute()
  return found.length > 0
}
