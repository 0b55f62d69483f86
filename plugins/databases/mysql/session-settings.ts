import { type QueryExecutorProvider, sql } from "kysely"

/**
 * The variables on which the service's statements, results and locks depend. A server's defaults may differ, so each
 * connection sets them first; `test/soak/servers/session-variables.test.ts` tries every variable.
 */
const settings = {
  // Otherwise, a transaction is open before one begins.
  autocommit: "1",
  completion_type: "0",
  sql_mode:
    "'STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'",
  // Times that the database computes, such as in an operator's view, are in UTC.
  time_zone: "'+00:00'",
  character_set_client: "utf8mb4",
  character_set_results: "utf8mb4",
  collation_connection: "utf8mb4_unicode_ci",
  sql_select_limit: "18446744073709551615",
  sql_safe_updates: "0",
  sql_big_selects: "1",
  sql_auto_is_null: "0",
  sql_quote_show_create: "1",
  foreign_key_checks: "1",
  unique_checks: "1",
  default_storage_engine: "InnoDB",
  div_precision_increment: "4",
  group_concat_max_len: "1048576",
  max_sort_length: "1024",
  net_read_timeout: "30",
  net_write_timeout: "60",
}

const ofMysql = {
  resultset_metadata: "FULL",
  information_schema_stats_expiry: "0",
  cte_max_recursion_depth: "1000",
}

const ofMysql97 = {
  enable_cascade_triggers: "0",
}

const ofMariaDb = {
  check_constraint_checks: "1",
  max_recursive_iterations: "1000",
  idle_transaction_timeout: "0",
  idle_readonly_transaction_timeout: "0",
  idle_write_transaction_timeout: "0",
}

/** The statement that sets them. MySQL and MariaDB each execute their own comments in it. */
export const setSession = `set session ${listOf(settings)}
  /*!80400 , ${listOf(ofMysql)} */ /*!90700 , ${listOf(ofMysql97)} */ /*M!101100 , ${
  listOf(ofMariaDb)
} */`

/** The values that the server shows for the variables once they are set. The isolation level has two names. */
const shown: Readonly<Record<string, string>> = {
  ...settings,
  ...ofMysql,
  ...ofMysql97,
  ...ofMariaDb,
  transaction_isolation: "REPEATABLE-READ",
  tx_isolation: "REPEATABLE-READ",
}

const ofReading = { transaction_read_only: "1", tx_read_only: "1" }

/** Returns the variables that are not set on a connection, with their values. A server may lack some of them. */
export async function findUnset(
  db: QueryExecutorProvider,
  use: "reading" | "writing",
): Promise<string[]> {
  const wanted = use === "reading" ? { ...shown, ...ofReading } : shown
  const { rows } = await sql<{ Variable_name: string; Value: string }>`
    show session variables where variable_name in (${sql.join(Object.keys(wanted))})`.execute(db)
  return rows.flatMap(({ Variable_name: name, Value: value }) => {
    const expected = wanted[name]
    if (expected === undefined || plain(value) === plain(expected)) return []
    return [`${name} is ${value || "empty"} for ${use}`]
  })
}

/** Normalizes the value of a variable: servers write the same value in different ways. */
function plain(value: string): string {
  const words = value.replaceAll("'", "").toUpperCase().split(",").sort()
  return words.map((word) => numbers[word] ?? word).join()
}

const numbers: Readonly<Record<string, string>> = { ON: "1", OFF: "0", NO_CHAIN: "0" }

function listOf(values: Readonly<Record<string, string>>): string {
  return Object.entries(values).map(([name, value]) => `${name} = ${value}`).join(", ")
}
