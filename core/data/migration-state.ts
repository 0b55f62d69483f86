import { type Kysely, sql } from "kysely"
import { DEFAULT_MIGRATION_TABLE, Migrator } from "kysely/migration"
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
import * as logInNetworks from "./migrations/0010-log-in-networks.ts"
import * as eventChanges from "./migrations/0011-event-changes.ts"
import * as recordVersions from "./migrations/0012-record-versions.ts"
import * as operators from "./migrations/0013-operators.ts"
import * as syncHealth from "./migrations/0014-sync-health.ts"
import * as disclosures from "./migrations/0015-disclosures.ts"
import * as heartbeat from "./migrations/0016-heartbeat.ts"
import * as forgottenDeletions from "./migrations/0017-forgotten-deletions.ts"

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
  "0016-heartbeat": heartbeat,
  "0017-forgotten-deletions": forgottenDeletions,
}

type Migration = { up(db: Kysely<unknown>, dialect: Dialect): Promise<void> }

/** Names of migrations. */
export interface MigrationState {
  readonly applied: readonly string[]
  readonly pending: readonly string[]
  /** Those that this version does not know: a later one has applied them. */
  readonly later: readonly string[]
}

/** Returns which migrations have been applied, and which have not. */
export async function migrationState(
  { writer, dialect }: Pick<Database, "writer" | "dialect">,
): Promise<MigrationState> {
  const all = await migratorOf(writer, dialect).getMigrations()
  const applied = all.filter(({ executedAt }) => executedAt).map(({ name }) => name)
  return {
    applied,
    pending: all.filter(({ executedAt }) => !executedAt).map(({ name }) => name),
    later: applied.length > 0 ? await findLater(writer) : [],
  }
}

/** The table must exist. */
async function findLater(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}
    where name not in (${sql.join(Object.keys(migrations))}) order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** Returns what applies the migrations of this version. */
export function migratorOf(db: Kysely<Schema>, dialect: Dialect): Migrator {
  const bound = Object.entries<Migration>(migrations).map(([name, migration]) => [
    name,
    { up: (db: Kysely<unknown>) => migration.up(db, dialect) },
  ])
  return new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(Object.fromEntries(bound)) },
  })
}
