import { setTimeout } from "node:timers/promises"
import type { Kysely } from "kysely"
import { Migrator } from "kysely/migration"
import { UserError } from "../errors.ts"
import type { Database } from "./database.ts"
import type { Dialect } from "./dialect.ts"
import type { Schema } from "./schema.ts"
import { isLocked } from "./unavailable.ts"
import * as records from "./migrations/0001-records.ts"
import * as changeLog from "./migrations/0002-change-log.ts"
import * as accounts from "./migrations/0003-accounts.ts"
import * as polling from "./migrations/0004-polling.ts"
import * as access from "./migrations/0005-access.ts"
import * as versions from "./migrations/0006-versions.ts"
import * as logInWaits from "./migrations/0007-log-in-waits.ts"
import * as longCursors from "./migrations/0008-long-cursors.ts"
import * as sessionEnds from "./migrations/0009-session-ends.ts"
import * as logInNetworks from "./migrations/0010-log-in-networks.ts"
import * as eventChanges from "./migrations/0011-event-changes.ts"
import * as recordVersions from "./migrations/0012-record-versions.ts"
import * as operators from "./migrations/0013-operators.ts"
import * as syncHealth from "./migrations/0014-sync-health.ts"
import * as disclosures from "./migrations/0015-disclosures.ts"
import { retireChangeLog } from "./retire-change-log.ts"
import { restoreTriggers } from "./triggers.ts"

/** In order; a migration that has been released is never edited. */
const migrations = {
  "0001-records": records,
  "0002-change-log": changeLog,
  "0003-accounts": accounts,
  "0004-polling": polling,
  "0005-access": access,
  "0006-versions": versions,
  "0007-log-in-waits": logInWaits,
  "0008-long-cursors": longCursors,
  "0009-session-ends": sessionEnds,
  "0010-log-in-networks": logInNetworks,
  "0011-event-changes": eventChanges,
  "0012-record-versions": recordVersions,
  "0013-operators": operators,
  "0014-sync-health": syncHealth,
  "0015-disclosures": disclosures,
}

interface MigrateOptions {
  /** Called before each pause, with what the migration waits for. */
  readonly report?: (message: string) => void
  /** Ends the waiting. */
  readonly signal?: AbortSignal
  /** Milliseconds of the first pause. Doubles each time, up to half a minute. */
  readonly pause?: number
}

/**
 * Applies the pending migrations and returns their names. Then restores the triggers, and returns
 * what was not as it should be, as `trigger guest_insert` or `table guest`. Not bound by the time limit of requests.
 * Two processes may do it at once: one waits for the other.
 *
 * A statement that has to wait for a transaction which uses its table makes everybody else who needs
 * the table wait too. So it gives up after seconds, and after a pause the migration is begun again.
 *
 * @throws the first other failure, or on `signal`. A migration that failed can be run again once its
 *   cause is removed.
 */
export async function migrate(
  database: Database,
  { report = () => {}, signal, pause = 2000 }: MigrateOptions = {},
): Promise<string[]> {
  const applied = new Set<string>()
  for (let wait = pause;; wait = Math.min(2 * wait, longestPause)) {
    const { error, name } = await attempt(database, applied)
    if (!error) return [...applied]
    if (!isLocked(error)) {
      throw new Error(
        `${name} cannot be applied: ${error instanceof Error ? error.message : String(error)}`,
        { cause: error },
      )
    }
    report(
      `${name} waits for ${
        tableOf(error)
      }: another transaction uses it. Requests are let through ` +
        `now; the next attempt is in ${wait / 1000} seconds.`,
    )
    await setTimeout(wait, undefined, { signal }).catch(() => {
      throw new UserError(`${name} was interrupted. Run "event-export migrate" to go on.`)
    })
  }
}

/** Applies what is pending and adds it to `applied`. Returns the error that ends it, and where. */
async function attempt(
  database: Database,
  applied: Set<string>,
): Promise<{ readonly error?: unknown; readonly name: string }> {
  const { error, results = [] } = await migratorOf(database.migrator, database.dialect)
    .migrateToLatest()
  for (const { status, migrationName } of results) {
    if (status === "Success") applied.add(migrationName)
  }
  const failed = results.find(({ status }) => status === "Error")
  if (error) return { error, name: failed ? `Migration ${failed.migrationName}` : "The migration" }
  try {
    const isUpToDate = applied.size === 0
    const restored = await restoreTriggers(database)
    for (const name of isUpToDate ? restored : []) applied.add(name)
    await retireChangeLog(database)
    return { name: "" }
  } catch (error) {
    return { error, name: "Restoring the triggers" }
  }
}

const longestPause = 30_000

/** Returns the table that a statement is about, from the error of a driver. */
function tableOf(error: unknown): string {
  const { sql } = error as { sql?: unknown }
  const [, name] = /\b(?:on|table(?: if not exists)?) `?(\w+)/i.exec(String(sql)) ?? []
  return sql && name ? `the table ${name}` : "the database"
}

/** Returns the names of the migrations that have been applied, and of those that have not. */
export async function migrationState(
  { writer, dialect }: Database,
): Promise<{ readonly applied: readonly string[]; readonly pending: readonly string[] }> {
  const all = await migratorOf(writer, dialect).getMigrations()
  return {
    applied: all.filter(({ executedAt }) => executedAt).map(({ name }) => name),
    pending: all.filter(({ executedAt }) => !executedAt).map(({ name }) => name),
  }
}

type Migration = { up(db: Kysely<unknown>, dialect: Dialect): Promise<void> }

function migratorOf(db: Kysely<Schema>, dialect: Dialect): Migrator {
  const bound = Object.entries<Migration>(migrations).map(([name, migration]) => [
    name,
    { up: (db: Kysely<unknown>) => migration.up(db, dialect) },
  ])
  return new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(Object.fromEntries(bound)) },
  })
}
