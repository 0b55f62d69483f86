import t from "tap"
import { translateError, Unavailable } from "../../../core/data/unavailable.ts"

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
  "ER_CLIENT_INTERACTION_TIMEOUT",
  "ER_ACCESS_DENIED_ERROR",
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
      "a text",
    ]
  ) {
    t.equal(translateError(error), error)
  }
  t.end()
})
