import type { Kysely } from "kysely"
import { Migrator } from "kysely/migration"
import type { Database } from "./database.ts"
import type { Dialect } from "./dialect.ts"
import type { Schema } from "./schema.ts"
import * as records from "./migrations/0001-records.ts"
import * as changeLog from "./migrations/0002-change-log.ts"
import * as accounts from "./migrations/0003-accounts.ts"
import * as polling from "./migrations/0004-polling.ts"
import * as access from "./migrations/0005-access.ts"
import * as versions from "./migrations/0006-versions.ts"
import * as logInWaits from "./migrations/0007-log-in-waits.ts"
import * as longCursors from "./migrations/0008-long-cursors.ts"
import * as sessionEnds from "./migrations/0009-session-ends.ts"

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
}

/**
 * Applies the pending migrations and returns their names. Not bound by the time limit of requests.
 * Two processes may do it at once: one waits for the other.
 *
 * @throws the first failure; a failed migration can be run again once its cause is removed.
 */
export async function migrate(database: Database): Promise<string[]> {
  const { error, results = [] } = await migratorOf(database.migrator, database.dialect)
    .migrateToLatest()
  const failed = results.find((result) => result.status === "Error")
  if (error) {
    throw new Error(
      `Cannot apply migration ${failed?.migrationName ?? "(none begun)"}: ${
        error instanceof Error ? error.message : String(error)
      }`,
      { cause: error },
    )
  }
  return results.filter((result) => result.status === "Success").map((result) =>
    result.migrationName
  )
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
