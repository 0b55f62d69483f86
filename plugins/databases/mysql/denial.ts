import { UserError } from "../../../core/driver.ts"

/** MySQL's codes for refusals that waiting does not change. */
const denials = new Set([
  "ER_ACCESS_DENIED_ERROR",
  "ER_ACCOUNT_HAS_BEEN_LOCKED",
  "ER_MUST_CHANGE_PASSWORD",
  "ER_MUST_CHANGE_PASSWORD_LOGIN",
  "ER_DBACCESS_DENIED_ERROR",
  "ER_BAD_DB_ERROR",
  "ER_HOST_NOT_PRIVILEGED",
  "ER_SECURE_TRANSPORT_REQUIRED",
  "ER_NOT_SUPPORTED_AUTH_MODE",
  "ER_PLUGIN_IS_NOT_LOADED",
])

/** Returns an error with advice if the server refuses the service; undefined for other errors. */
export function describeDenial(error: unknown): UserError | undefined {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  if (code === "HANDSHAKE_SSL_ERROR") {
    return new UserError(
      `The database's certificate cannot be trusted: ${message}. Renew it at the server, or correct ca in database.url.`,
      { cause: error },
    )
  }
  if (typeof code !== "string" || !denials.has(code)) return undefined
  return new UserError(
    `The database refuses the service: ${message}. Check the user, the password, the name of the ` +
      `database and ssl in database.url.`,
    { cause: error },
  )
}
