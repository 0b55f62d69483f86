import * as v from "valibot"
import { Sessions } from "../../../core/accounts.ts"
import { type Config, type Database, partnerUrl, UserError } from "../../../core/capability.ts"
import type { Status } from "../../../core/plugin.ts"

/** The part of a status that is checked before it is used. */
const checkedPart = v.looseObject({
  config: v.looseObject({ file: v.string(), hash: v.string() }),
  routes: v.array(v.looseObject({ method: v.string(), path: v.string(), plugin: v.string() })),
  fixedSettings: v.record(v.string(), v.unknown()),
})

/**
 * Requests the status of a running server. Opens a session of one minute for an operator account,
 * with the secrets and the database of the configuration.
 *
 * @throws {UserError} if there is no operator account or no such server, or if it refuses.
 */
export async function readRunningStatus(
  database: Database,
  config: Config,
  url: string,
): Promise<Status> {
  const operator = await findOperator(database)
  if (!operator) {
    throw new UserError(
      'This needs an operator account, and there is none. "account add NAME --role operator" adds one.',
    )
  }
  const { secrets, idle } = config.session
  let status = 401
  // A server that has not been reloaded since a rotation has only the later ones.
  for (const secret of secrets) {
    // The status is asked for with a token: no cookie is made.
    const unused = { cookie: "unused", secure: true }
    const sessions = new Sessions(database, { secrets: [secret], idle, lifetime: 60, ...unused })
    const opened = await sessions.open(operator)
    const response = await fetch(new URL("/status", url), {
      headers: { authorization: `Bearer ${opened.token}` },
      redirect: "manual",
    }).catch((error: unknown) => {
      throw new UserError(`There is no response from ${url}: ${reasonOf(error)}.`)
    }).finally(() => sessions.forget(opened))
    const body: unknown = await response.json().catch(() => undefined)
    status = response.status
    if (status === 200 && v.is(checkedPart, body)) return body as unknown as Status
    if (status !== 401) break
  }
  throw new UserError(
    `${url}/status returned ${status}. Does it use the plugin status, the same database ` +
      `and one of the session secrets?`,
  )
}

/** Returns why a request failed. The error of `fetch` has it as its cause, perhaps one for each address. */
function reasonOf(error: unknown): string {
  const { message, cause, errors } = error as Error & { readonly errors?: readonly Error[] }
  if (cause instanceof Error) return reasonOf(cause)
  return errors?.[0] ? reasonOf(errors[0]) : message
}

/** Returns the URL of the configuration's own server. */
export function addressOf({ server: { host, port } }: Config): string {
  return partnerUrl({ host, port, publicUrl: undefined })
}

/** Returns an account that may log in as an operator; undefined if there is none. */
export async function findOperator(
  { writer }: Database,
): Promise<{ id: string; epoch: number } | undefined> {
  return await writer
    .selectFrom("account")
    .select(["id", "epoch"])
    .where("role", "=", "operator")
    .where("disabled", "=", 0)
    .orderBy("username")
    .limit(1)
    .executeTakeFirst()
}
