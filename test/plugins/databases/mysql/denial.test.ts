import t from "tap"
import { UserError } from "../../../../core/errors.ts"
import { describeDenial } from "../../../../plugins/databases/mysql/denial.ts"

t.test("describeDenial says what to check if the server refuses whatever connects in this way", (t) => {
  const refusals = {
    ER_ACCESS_DENIED_ERROR: "Access denied",
    ER_HOST_NOT_PRIVILEGED: "Host '192.0.2.1' is not allowed to connect to this MySQL server",
    ER_SECURE_TRANSPORT_REQUIRED: "Connections using insecure transport are prohibited",
    ER_NOT_SUPPORTED_AUTH_MODE: "Client does not support authentication protocol",
    ER_PLUGIN_IS_NOT_LOADED: "Plugin 'mysql_native_password' is not loaded",
  }
  for (const [code, message] of Object.entries(refusals)) {
    const denial = describeDenial(Object.assign(new Error(message), { code }))
    t.ok(denial instanceof UserError, code)
    t.equal(
      denial?.message,
      `The database refuses the service: ${message}. Check the user, the password, the name of the database and ssl in database.url.`,
    )
  }
  t.end()
})

t.test("describeDenial leaves what waiting may cure", (t) => {
  const codes = ["ER_CON_COUNT_ERROR", "ER_HOST_IS_BLOCKED", "ECONNREFUSED", undefined]
  for (const code of codes) {
    t.equal(describeDenial(Object.assign(new Error("of the driver"), { code })), undefined)
  }
  t.equal(describeDenial(undefined), undefined)
  t.end()
})
