import type { ServingUser, Tables } from "../../../core/driver.ts"

/** The tables of the migrations, which the service reads at start. */
const bookkeeping = ["kysely_migration", "kysely_migration_lock"]

/** The serving user, with its database. */
interface MysqlUser extends ServingUser {
  readonly name: string
  readonly database: string
}

/**
 * Returns statements that grant a MySQL user exactly the privileges for serving with these tables. They do not set a
 * password.
 */
export function grantStatements(
  { name, host, database, tablesOfServers = [] }: MysqlUser,
  tables: Tables,
): string[] {
  const user = `${quoted(name)}@${quoted(host)}`
  const on = (privileges: readonly string[], table: string, schema = database) =>
    `grant ${privileges.join(", ")} on ${identifier(schema)}.${identifier(table)} to ${user};`
  return [
    ...Object.entries(tables).map(([table, { privileges }]) => on(privileges, table)),
    ...bookkeeping.map((table) => on(["select"], table)),
    ...tablesOfServers.map((table) => on(["select"], table, "performance_schema")),
  ]
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`
}

function identifier(text: string): string {
  return `\`${text.replaceAll("`", "``")}\``
}
