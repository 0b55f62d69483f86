/**
 * What the service's statements, their results and their locks depend on. A server's own defaults may differ, so each
 * connection sets all of it before anything else; `test/soak/servers/session-variables.test.ts` tries every variable.
 */
const settings = {
  // Without it, a transaction is open before one begins.
  autocommit: "1",
  completion_type: "0",
  sql_mode:
    "'STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'",
  // What is computed from a date and a time, such as in an operator's view, is in UTC.
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

/** The statement that sets it. MySQL and MariaDB each read the comment of their own. */
export const setSession = `set session ${listOf(settings)}
  /*!80400 , ${listOf(ofMysql)} */ /*!90700 , ${listOf(ofMysql97)} */ /*M!101100 , ${
  listOf(ofMariaDb)
} */`

function listOf(values: Readonly<Record<string, string>>): string {
  return Object.entries(values).map(([name, value]) => `${name} = ${value}`).join(", ")
}
