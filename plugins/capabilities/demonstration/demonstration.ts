import { dirname, resolve } from "node:path"
import { setTimeout } from "node:timers/promises"
import { pathToFileURL } from "node:url"
import type { Kysely } from "kysely"
import { hashPassword } from "../../../core/accounts.ts"
import { type Database, isLocked } from "../../../core/capability.ts"
import { findModule } from "../../../core/commands.ts"
import type { Schema } from "../../../core/tables.ts"
import type { Happening } from "./happenings.ts"

/** The default export of the module in the setting `demonstration.module`. */
export interface Demonstration {
  /** The path of the mapping that brings records from the platform to the service. */
  readonly mapping: string
  /**
   * Fills a platform, unless already filled, and creates accounts in an empty, migrated database: each completely or
   * not at all.
   */
  fill(target: DemonstrationTarget): Promise<void>
  /** Returns true once the platform's records have reached the service. */
  hasArrived(db: Kysely<Schema>): Promise<boolean>
  /** Tells a newcomer what to try at this URL, and what happens there if the demonstration is `live`. */
  guide(baseUrl: string, live: boolean): string
  /** Returns the participants of a live demonstration: writers and simulated partners. */
  participants(): readonly Participant[]
}

/** The database of an organizer's own software. Only the demonstration knows its tables. */
export type Platform = Kysely<unknown>

/** Takes part in a live demonstration, step by step. */
export interface Participant {
  readonly name: string
  /** Takes a step, and returns the seconds until the next. If it throws, the next step comes a little later. */
  step(service: DemonstrationService): Promise<number>
}

/** The service as participants see it. Both functions may fail while the database is away. */
export interface DemonstrationService {
  /** The database of the configuration in force. */
  readonly db: Kysely<Schema>
  readonly platform: Platform
  /** Aborts when the demonstration ends, to end long steps as well. */
  readonly signal: AbortSignal
  /** Sends a request to a path of the service, over HTTP. */
  request(path: string, init?: RequestInit): Promise<Response>
  /** Counts something that the participant did, for display. */
  count?(happening: Happening): void
}

interface DemonstrationTarget {
  readonly db: Kysely<Schema>
  readonly platform: Platform
  /** Hashes a password. Takes a quarter of a second of one core, so call it concurrently. */
  hashPassword(password: string): Promise<string>
}

/** The group `demonstration` of a configuration. */
export type DemonstrationSettings = {
  /** The path of a file, or of a folder with `demonstration.ts` or `.js`, relative to the configuration's folder. */
  readonly module: string
  readonly live: boolean
  readonly local: boolean
} | undefined

/** Loads the demonstration of a configuration. @throws {Error} if there is none, or if it does not load. */
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
  const functions = ["fill", "hasArrived", "guide", "participants"]
  if (functions.some((name) => typeof module.default?.[name] !== "function")) {
    throw new Error(
      `Cannot use the demonstration: ${path} must export { mapping, ${
        functions.join(", ")
      } } by default.`,
    )
  }
  return module.default
}

/**
 * Fills a platform, and an empty database with a demonstration's accounts, after calling `begin`. Two processes may do
 * so at the same time.
 */
export async function fillDemonstration(
  demonstration: Demonstration,
  { database, platform }: { readonly database: Database; readonly platform: Platform },
  begin: () => void = () => {},
): Promise<void> {
  while (!await hasOrganizations(database)) {
    begin()
    try {
      await demonstration.fill({ db: database.writer, platform, hashPassword })
    } catch (error) {
      // Another process is filling it, or has just done so.
      if (!isLocked(error) && !await hasOrganizations(database)) throw error
    }
  }
}

/** Waits until the platform's records have arrived, but at most `most` milliseconds, in case something is wrong. */
export async function awaitArrival(
  demonstration: Demonstration,
  { writer }: Pick<Database, "writer">,
  most = 20_000,
): Promise<void> {
  const until = performance.now() + most
  while (!await demonstration.hasArrived(writer) && performance.now() < until) await setTimeout(50)
}

/** Returns true if there is an organization: the demonstration never fills such a database. */
export async function hasOrganizations({ writer }: Database): Promise<boolean> {
  const found = await writer.selectFrom("organization").select("id").limit(1).execute()
  return found.length > 0
}
