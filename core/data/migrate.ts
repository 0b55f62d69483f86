import { setTimeout } from "node:timers/promises"
import { UserError } from "../errors.ts"
import { describeStrangers, describeViews } from "./check-tables.ts"
import type { Database } from "./database.ts"
import { type MigrationState, migrationState, migratorOf, readTables } from "./migration-state.ts"
import { restoreTriggers } from "./triggers.ts"
import { isLocked } from "./unavailable.ts"

interface MigrateOptions {
  /** Called before each pause, with what the migration waits for. */
  readonly report?: (message: string) => void
  /** Ends the waiting. */
  readonly signal?: AbortSignal
  /** Milliseconds of the first pause. Doubles up to half a minute, and begins again after each step forward. */
  readonly pause?: number
}

/**
 * Applies the pending migrations, and restores the triggers. Returns the names of the migrations; if there were none,
 * what was not as it should be, as `trigger guest_insert` or `table guest`. Two processes may do it at once: one waits
 * for the other. If a later version has migrated the database, reports that and changes nothing.
 *
 * A statement that waits for another transaction's table blocks everybody who needs that table. So it gives up after
 * seconds, and the migration begins again after a pause.
 *
 * @throws {UserError} if views or tables of another program are in the place of tables; the first other failure, or on
 *   `signal`. What has failed can be run again.
 */
export async function migrate(
  database: Database,
  { report = () => {}, signal, pause = 2000 }: MigrateOptions = {},
): Promise<string[]> {
  const tables = await readTables(database.writer)
  const obstacle = describeViews(database, tables) ?? describeStrangers(database, tables)
  if (obstacle !== undefined) throw new UserError(`Nothing was migrated: ${obstacle}.`)
  const done = { applied: new Set<string>(), restored: new Set<string>() }
  let wait = pause
  while (true) {
    const state = await migrationState(database)
    if (leaveToLater(state, report)) return []
    const before = done.applied.size + done.restored.size
    const { recorded } = state
    const failure = await attempt(database, recorded, done)
    if (!failure) return [...done.applied.size > 0 ? done.applied : done.restored]
    const { error, name } = failure
    if (done.applied.size + done.restored.size > before) wait = pause
    if (!isLocked(error)) {
      // A later version may have migrated while this one waited for it.
      const now = await migrationState(database)
      if (leaveToLater(now, report)) return []
      // Another process may have applied migrations of a storage that is off here.
      if (recorded.join() !== now.recorded.join()) continue
      throw new Error(
        `${name} cannot be applied: ${error instanceof Error ? error.message : String(error)}`,
        { cause: error },
      )
    }
    const table = tableOf(error)
    report(
      `${name} waits for ${table}: another transaction uses it. Requests are let through now; ` +
        `the next attempt is in ${wait / 1000} seconds.`,
    )
    await setTimeout(wait, undefined, { signal }).catch(() => {
      throw new UserError(`${name} was interrupted. Run "event-export migrate" to continue.`)
    })
    wait = Math.min(2 * wait, longestPause)
  }
}

/**
 * Returns true if a later version has migrated the database, and reports it.
 *
 * @throws {UserError} if it has not applied all that this version needs, or is of a version before 1.3.
 */
function leaveToLater(
  { pending, later, isTooOld }: MigrationState,
  report: (message: string) => void,
): boolean {
  if (isTooOld) {
    throw new UserError(
      `The database is of a version of event-export before 1.3. Nothing was changed. ` +
        `Run "event-export migrate" of version 1.3 first, and then of this one.`,
    )
  }
  if (later.length === 0) return false
  const known = `This version of event-export does not know ${later.join(", ")}`
  if (pending.length > 0) {
    throw new UserError(
      `${known}, and the database lacks ${pending.join(", ")}: it belongs to another version. ` +
        `Nothing was changed. Run "event-export migrate" of the newest version that uses it.`,
    )
  }
  report(
    `${known}: a later version has migrated the database, and it stays as it is. This version can ` +
      `serve it.`,
  )
  return true
}

/** Applies what is pending, restores triggers, and adds what is done. Returns the error that ends it, and where. */
async function attempt(
  database: Database,
  recorded: readonly string[],
  { applied, restored }: { readonly applied: Set<string>; readonly restored: Set<string> },
): Promise<{ readonly error: unknown; readonly name: string } | undefined> {
  const { error, results = [] } = await migratorOf(database, recorded).migrateToLatest()
  for (const { status, migrationName } of results) {
    if (status === "Success") applied.add(migrationName)
  }
  const failed = results.find(({ status }) => status === "Error")
  if (error) return { error, name: failed ? `Migration ${failed.migrationName}` : "The migration" }
  try {
    await restoreTriggers(database, { restored, recorded })
    return undefined
  } catch (error) {
    return { error, name: "Restoring the triggers" }
  }
}

const longestPause = 30_000

/** Returns the table that a statement is about, from the error of a driver. */
function tableOf(error: unknown): string {
  const { sql } = error as { sql?: unknown }
  const [, name] = /\b(?:on|tables?(?: if not exists)?) `?(\w+)/i.exec(String(sql)) ?? []
  return sql && name ? `the table ${name}` : "the database"
}
