import type { Kysely } from "kysely"
import { Migrator } from "kysely/migration"
import type { Database } from "../../core/data/database.ts"
import { migrationState } from "../../core/data/migration-state.ts"

/** The name of the migration that `migrateLater` applies. */
export const laterMigration = "9999-later"

/** Applies all migrations of this version and one more, as a later version would. */
export async function migrateLater(
  { migrator, ...database }: Pick<Database, "migrator" | "writer" | "dialect">,
  up: (db: Kysely<unknown>) => Promise<void>,
): Promise<void> {
  const { applied } = await migrationState(database as Database)
  const known = applied.map((name) => [name, { up: () => Promise.resolve() }])
  const later = new Migrator({
    db: migrator,
    allowUnorderedMigrations: true,
    provider: {
      getMigrations: () =>
        Promise.resolve(Object.fromEntries([...known, [laterMigration, { up }]])),
    },
  })
  const { error } = await later.migrateToLatest()
  if (error) throw error
}

/** Expands: a nullable column, a column with a default and a table, which the version before does not know. */
export async function expand(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("guest").addColumn("pronouns", "varchar(40)").execute()
  await db.schema.alterTable("account").addColumn(
    "locale",
    "varchar(10)",
    (column) => column.notNull().defaultTo("en"),
  ).execute()
  await db.schema.createTable("guest_tag").addColumn(
    "id",
    "char(36)",
    (column) => column.primaryKey(),
  ).addColumn("tag", "varchar(40)").execute()
}
