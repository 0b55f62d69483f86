import t from "tap"
import {
  isAboutChangedTable,
  isAboutValues,
  translateError,
  Unavailable,
} from "../../../core/data/unavailable.ts"

/** Errors of the drivers by their codes: the same request may succeed later. */
const transient = [
  "ECONNREFUSED",
  "ECONNRESET",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EPIPE",
  "PROTOCOL_CONNECTION_LOST",
  "ER_CON_COUNT_ERROR",
  "ER_TOO_MANY_USER_CONNECTIONS",
  "ER_SERVER_SHUTDOWN",
  "ER_QUERY_INTERRUPTED",
  "ER_QUERY_TIMEOUT",
  "ER_STATEMENT_TIMEOUT",
  "ER_LOCK_WAIT_TIMEOUT",
  "ER_LOCK_DEADLOCK",
  "ER_OPTION_PREVENTS_STATEMENT",
  "ER_READ_ONLY_MODE",
  "ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION",
  "ER_TABLE_DEF_CHANGED",
  "ER_NEED_REPREPARE",
  "ER_CLIENT_INTERACTION_TIMEOUT",
  "ER_ACCESS_DENIED_ERROR",
  "ER_ACCOUNT_HAS_BEEN_LOCKED",
  "ER_MUST_CHANGE_PASSWORD_LOGIN",
  "ER_HOST_IS_BLOCKED",
  "ER_HOST_NOT_PRIVILEGED",
  "ER_SECURE_TRANSPORT_REQUIRED",
  "ER_NOT_SUPPORTED_AUTH_MODE",
  "ER_PLUGIN_IS_NOT_LOADED",
  "ER_DBACCESS_DENIED_ERROR",
  "ER_BAD_DB_ERROR",
  "ER_SESSION_WAS_KILLED",
  "ER_MAX_PREPARED_STMT_COUNT_REACHED",
  "ER_CANT_CREATE_THREAD",
  "ER_OUT_OF_RESOURCES",
  "HANDSHAKE_SSL_ERROR",
]

t.test("translateError makes a transient failure Unavailable, with the failure as its cause", (t) => {
  for (const code of transient) {
    const error = Object.assign(new Error("of the driver"), { code })
    const translated = translateError(error)
    t.ok(translated instanceof Unavailable, code)
    t.equal((translated as Error).cause, error)
  }
  for (const message of ["Queue limit reached.", "Pool is closed.", "database is locked"]) {
    t.ok(translateError(new Error(message)) instanceof Unavailable, message)
  }
  for (
    const fields of [
      // Half of a connection was closed: MySQL may still say so.
      { code: "ER_NET_READ_ERROR", errno: 1158, sqlState: "08S01" },
      // What MySQL Router, MaxScale and ProxySQL pass on of their own connections, and ProxySQL's own.
      { errno: 2003, sqlState: "HY000" },
      { errno: 2013, sqlState: "HY000" },
      { errno: 9001, sqlState: "HY000" },
      { errno: 9005, sqlState: "" },
    ]
  ) {
    const error = Object.assign(new Error("of a proxy"), fields)
    t.ok(translateError(error) instanceof Unavailable, JSON.stringify(fields))
  }
  t.ok(translateError(new DOMException("late", "TimeoutError")) instanceof Unavailable)
  t.end()
})

t.test("translateError returns any other error as it is", (t) => {
  const own = new Unavailable("already")
  for (
    const error of [
      own,
      new TypeError("a defect"),
      Object.assign(new Error("no such table"), { code: "ER_NO_SUCH_TABLE" }),
      Object.assign(new Error("denied"), { code: "ER_TABLEACCESS_DENIED_ERROR" }),
      // The same statement is too long again.
      Object.assign(new Error("too long"), {
        ...{ code: "ER_NET_PACKET_TOO_LARGE", errno: 1153, sqlState: "08S01" },
      }),
      Object.assign(new Error("a full log"), { errno: 1114, sqlState: "HY000" }),
      Object.assign(new Error("of MySQL"), { errno: 3000, sqlState: "HY000" }),
      "a text",
    ]
  ) {
    t.equal(translateError(error), error)
  }
  t.end()
})

t.test("isAboutChangedTable is true for what another snapshot can read", (t) => {
  const codes = transient.filter((code) => isAboutChangedTable({ code }))
  t.strictSame(codes, ["ER_TABLE_DEF_CHANGED", "ER_NEED_REPREPARE"])
  t.end()
})

t.test("isAboutValues is true for what other values would avoid, by the codes of all drivers", (t) => {
  // The second byte of SQLite's codes says which constraint it was.
  const constraint = 19
  for (
    const error of [
      { sqlState: "22001" },
      { sqlState: "23000" },
      { code: "ER_CHECK_CONSTRAINT_VIOLATED" },
      { code: "ER_NET_PACKET_TOO_LARGE" },
      { errcode: constraint },
      { errcode: constraint | 8 << 8 },
    ]
  ) {
    t.equal(isAboutValues(error), true, JSON.stringify(error))
  }
  for (const error of [{ sqlState: "42000" }, { code: "ER_NO_SUCH_TABLE" }, { errcode: 5 }, {}]) {
    t.equal(isAboutValues(error), false, JSON.stringify(error))
  }
  t.end()
})
