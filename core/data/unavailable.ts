/** The database is away, too slow or too busy now; the same request may succeed later. Over HTTP this is a 503. */
export class Unavailable extends Error {
  override readonly name = "Unavailable"
}

/** The time limit has passed: another server would take as long. */
export class StatementTimeout extends Unavailable {}

/** Codes of databases that stopped a statement at the time limit. */
const overtime = new Set<unknown>(["ER_QUERY_TIMEOUT", "ER_STATEMENT_TIMEOUT"])

/** Codes of a table that was altered after a snapshot had begun, or again and again while a statement was prepared. */
const changedTable = new Set<unknown>(["ER_TABLE_DEF_CHANGED", "ER_NEED_REPREPARE"])

/** Codes of mysql2, MySQL, node:net and node:sqlite for transient failures. */
const transient = new Set<unknown>([
  ...overtime,
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EPIPE",
  "ETIMEDOUT",
  "PROTOCOL_CONNECTION_LOST",
  "POOL_CLOSED",
  "ER_CON_COUNT_ERROR",
  "ER_TOO_MANY_USER_CONNECTIONS",
  "ER_USER_LIMIT_REACHED",
  "ER_SERVER_SHUTDOWN",
  "ER_QUERY_INTERRUPTED",
  "ER_LOCK_WAIT_TIMEOUT",
  "ER_LOCK_DEADLOCK",
  // MariaDB: a row that a transaction has read was changed by another one meanwhile.
  "ER_CHECKREAD",
  // A server that is read-only now, as after a failover.
  "ER_OPTION_PREVENTS_STATEMENT",
  "ER_READ_ONLY_MODE",
  "ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION",
  // A reader of Aurora, whose InnoDB is read-only.
  "ER_CANT_LOCK",
  ...changedTable,
  // A member of a group that becomes its primary, or ceases to be.
  "ER_BEFORE_DML_VALIDATION_ERROR",
  "ER_RUN_HOOK_ERROR",
  "ER_TRANSACTION_ROLLBACK_DURING_COMMIT",
  "ER_SERVER_OFFLINE_MODE",
  "ER_CLIENT_INTERACTION_TIMEOUT",
  // The password was changed at the server first: a reload brings it. Or the user was locked there.
  "ER_ACCESS_DENIED_ERROR",
  "ER_DBACCESS_DENIED_ERROR",
  // The database is being restored.
  "ER_BAD_DB_ERROR",
  "ER_ACCOUNT_HAS_BEEN_LOCKED",
  "ER_MUST_CHANGE_PASSWORD",
  "ER_MUST_CHANGE_PASSWORD_LOGIN",
  // Too many connections of this host have failed.
  "ER_HOST_IS_BLOCKED",
  // The server was set so that new connections are refused.
  "ER_HOST_NOT_PRIVILEGED",
  "ER_SECURE_TRANSPORT_REQUIRED",
  "ER_NOT_SUPPORTED_AUTH_MODE",
  "ER_PLUGIN_IS_NOT_LOADED",
  // An administrator has ended the session.
  "ER_SESSION_WAS_KILLED",
  "ER_CONNECTION_KILLED",
  // A node of Galera that is not ready.
  "ER_UNKNOWN_COM_ERROR",
  // What all programs of the server share is used up.
  "ER_MAX_PREPARED_STMT_COUNT_REACHED",
  "ER_CANT_CREATE_THREAD",
  "ER_OUT_OF_RESOURCES",
  "ER_OUTOFMEMORY",
  "ER_DA_CONN_LIMIT",
  "ER_DA_GLOBAL_CONN_LIMIT",
  "ER_TOO_MANY_CONCURRENT_TRXS",
  // The server's certificate has expired, or is another authority's: it is renewed there.
  "HANDSHAKE_SSL_ERROR",
  // A full disk, or full memory.
  "ER_DISK_FULL",
  "ER_RECORD_FILE_FULL",
  "ER_INNODB_UNDO_LOG_FULL",
  "ER_LOCK_TABLE_FULL",
  "ER_TEMP_FILE_WRITE_FAILURE",
  "ER_ERROR_ON_WRITE",
  "ER_IO_WRITE_ERROR",
])

/** What the errors of drivers have: the codes of MySQL, or the result code of SQLite. */
interface DriverError {
  readonly code?: unknown
  /** MySQL's number of the error: not every number has a code. */
  readonly errno?: number
  readonly sqlState?: unknown
  readonly errcode?: number
}

/** Codes of MySQL for values that it refuses, where the SQL state does not say so. */
const refused = new Set<unknown>([
  "ER_TRUNCATED_WRONG_VALUE_FOR_FIELD",
  "ER_CHECK_CONSTRAINT_VIOLATED",
  "ER_NET_PACKET_TOO_LARGE",
])

/** Result codes of SQLite: too big, constraint, mismatch, range. */
const refusedBySqlite = new Set([18, 19, 20, 25])

/** Returns true if a driver's error is about the values of a statement: without them it would succeed. */
export function isAboutValues(error: unknown): boolean {
  const { code, sqlState, errcode = 0 } = error as DriverError
  // Classes 22 and 23 of the SQL standard: data exceptions, and violated constraints.
  return /^2[23]/.test(String(sqlState)) || refused.has(code) ||
    refusedBySqlite.has(errcode & 0xff)
}

/** Returns true if a driver's error says that another transaction is in the way: the statement may be repeated. */
export function isLocked(error: unknown): boolean {
  const { code, errcode = 0 } = error as DriverError
  return code === "ER_LOCK_WAIT_TIMEOUT" || code === "ER_LOCK_DEADLOCK" ||
    code === "ER_CHECKREAD" ||
    // Deno has no `errcode`.
    (errcode & 0xff) === sqliteBusy || /database is locked/.test(String(error))
}

/** Returns true if a driver's error says that a table was altered meanwhile: a new snapshot can read it. */
export function isAboutChangedTable(error: unknown): boolean {
  return changedTable.has((error as DriverError).code)
}

/**
 * Returns true if a connection has failed, perhaps one of a proxy before the server: by the class of the SQL standard,
 * as one of MySQL's errors of clients, which proxies pass on, or as one of ProxySQL's own.
 */
function isAboutConnection({ code, errno = 0, sqlState }: DriverError): boolean {
  if (code === "ER_NET_PACKET_TOO_LARGE") return false
  return /^08/.test(String(sqlState)) || isWithin(errno, 2000, 2999) || isWithin(errno, 9000, 9999)
}

function isWithin(number: number, least: number, most: number): boolean {
  return number >= least && number <= most
}

/** The result code of SQLite for a database that another connection has locked. */
const sqliteBusy = 5

/**
 * Translates an error of a read as `translateError` does, and also that a page is too large for the server's settings.
 */
export function translateReading(error: unknown): unknown {
  const { code, message } = (error ?? {}) as DriverError & { readonly message?: string }
  return code === "ER_NET_PACKET_TOO_LARGE"
    ? new Unavailable(`The database takes no statement for a page: ${message}`, { cause: error })
    : translateError(error)
}

/** Translates an error of a driver: returns an `Unavailable` if waiting helps, else the error itself. */
export function translateError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Unavailable) return error
  const { code } = error as DriverError
  const isTransient = transient.has(code) || isAboutConnection(error as DriverError) ||
    error.name === "TimeoutError" ||
    /Queue limit reached|Pool is closed|closed state|in offline mode|database is locked|readonly database|disk is full/
      .test(
        error.message,
      )
  const Kind = overtime.has(code) ? StatementTimeout : Unavailable
  return isTransient
    ? new Kind(`The database cannot answer now: ${error.message}`, { cause: error })
    : error
}
