import { sql } from "kysely"
import {
  type Author,
  changeInTransaction,
  endNow,
  insertSession,
  type NoteChange,
  notLoggedIn,
  sessionStateOf,
  type Writer,
} from "../../../core/accounts.ts"
import { type Database, UserError, usualProblem } from "../../../core/capability.ts"
import { Problem, type Session } from "../../../core/plugin.ts"
import type { WantedToken } from "./token-request.ts"
import { hashOf, newToken } from "./token-text.ts"

/** The most tokens that an account may have: in all, and of one name, so that a new one can replace an old one. */
export const mostTokens = { all: 10, ofName: 2 } as const

/** The most tokens that an account may make in an hour: each leaves rows for 90 days. */
const mostMade = 20

const anHour = 3600

/** The details of 409s. */
export const tooMany = {
  all: `You have ${mostTokens.all} tokens. Revoke one first. Nothing was changed.`,
  ofName:
    `You have ${mostTokens.ofName} tokens of this name. Revoke one first. Nothing was changed.`,
} as const

/** The detail of a 404. */
export const noSuchToken = "You have no token with this id."

/** A token that counts. Times are Unix seconds. */
export interface Token {
  /** The id of its session. */
  readonly id: string
  readonly username: string
  readonly name: string
  readonly created: number
  readonly expires: number
  /** Exact to a minute; null if it was not used. */
  readonly used: number | null
  /** The IP address that it was last used from; null if unknown. */
  readonly address: string | null
  /** What it is limited to, as it is written; null if it reads what its account may. */
  readonly scope: string | null
}

/** A token as its partner gets it, once. */
export interface NewToken extends Pick<Token, "id" | "name" | "created" | "expires" | "scope"> {
  readonly token: string
}

/** A change that a caller makes to the tokens of their own account. */
interface OwnChange {
  readonly caller: Session
  readonly by: Author
}

/**
 * Makes a token of the caller's account.
 * @throws {Problem} 401, 403 if the caller has only a token, or a session that an operator has opened, 409 if the account
 * has as many as it may, 429 if it has made as many in an hour.
 */
export async function createToken(
  database: Database,
  { name, lifetime, scope }: WantedToken,
  { caller, by }: OwnChange,
): Promise<NewToken> {
  const { account } = caller
  const token = newToken()
  return await changeInTransaction(database, by, async (transaction, record) => {
    const { writer, dialect } = transaction
    // Locks the row until the end of the transaction: of two requests, the later one counts the token of the earlier.
    const use = writer.insertInto("account_activity").values({ account_id: account.id })
    await dialect.orUpdate(use, "account_id", { account_id: account.id }).execute()
    const epoch = await readEpoch(transaction, caller)
    assertRoom(await listTokens(transaction, { accountId: account.id }), name)
    await assertPace(transaction, account.id)
    const id = await insertSession(transaction, account.id, lifetime, { lasting: 1 })
    await writer.insertInto("account_token").values({
      session_id: id,
      account_id: account.id,
      name,
      hash: hashOf(token) ?? "",
      scope: scope?.text ?? null,
      epoch,
    }).execute()
    const { created, expires } = await writer.selectFrom("session").select(["created", "expires"])
      .where("id", "=", id).executeTakeFirstOrThrow()
    const only = scope ? `, only ${scope.text}` : ""
    const detail = `token ${id} ${JSON.stringify(name)} for ${lifetime} s${only}`
    await record({ action: "session-open", account: account.username, detail })
    return { id, name, token, created, expires, scope: scope?.text ?? null }
  })
}

/** Ends a token of the caller's account. @throws {Problem} as `createToken`, and 404 if there is none with this id. */
export async function revokeOwnToken(
  database: Database,
  id: string,
  { caller, by }: OwnChange,
): Promise<void> {
  await changeInTransaction(database, by, async (transaction, record) => {
    await readEpoch(transaction, caller)
    const own = await listTokens(transaction, { accountId: caller.account.id })
    const token = own.find((each) => each.id === id)
    if (!token) throw new Problem("not_found", noSuchToken)
    await end(transaction, token, record)
  })
}

/**
 * Returns the tokens of the caller's account.
 *
 * @throws {Problem} 401, 403 if the caller has only a token, or a session that an operator has opened.
 */
export async function listOwnTokens(database: Writer, caller: Session): Promise<Token[]> {
  await readEpoch(database, caller)
  return await listTokens(database, { accountId: caller.account.id })
}

/**
 * Returns the tokens that count, of one account or of all, or those whose ids begin with `prefix`, the oldest of an account
 * first.
 */
export async function listTokens(
  { writer, dialect }: Writer,
  { accountId, prefix }: { readonly accountId?: string | undefined; readonly prefix?: string } = {},
): Promise<Token[]> {
  return await writer.selectFrom("account_token as token")
    .innerJoin("session", "session.id", "token.session_id")
    .innerJoin("account", "account.id", "token.account_id")
    .select(["session.id", "username", "name", "session.created", "expires", "used"])
    .select(["session.address", "scope"])
    .whereRef("account.epoch", "=", "token.epoch")
    .where("session.expires", ">", dialect.now)
    // The clock may have been set back since.
    .where("reason", "is", null)
    .$if(accountId !== undefined, (query) => query.where("token.account_id", "=", accountId ?? ""))
    // A range of the key.
    .$if(
      prefix !== undefined,
      (query) =>
        query.where("session_id", ">=", prefix ?? "").where("session_id", "<=", `${prefix}g`),
    )
    .orderBy("username").orderBy("session.created").orderBy("session.id")
    .execute()
}

/** Ends a token for an operator, who names it by its id or the beginning of that. @throws {UserError} unless one has it. */
export async function revokeToken(database: Database, prefix: string, by: Author): Promise<Token> {
  return await changeInTransaction(database, by, async (transaction, record) => {
    const [token, ...others] = /^[0-9a-f-]{4,36}$/i.test(prefix)
      ? await listTokens(transaction, { prefix: prefix.toLowerCase() })
      : []
    if (!token || others.length > 0) {
      throw new UserError(
        `${token ? "Several tokens have" : "No token has"} an id that begins with ${prefix}. ` +
          '"account tokens" lists them. Nothing was changed.',
      )
    }
    await end(transaction, token, record)
    return token
  })
}

async function end(
  transaction: Writer,
  { id, username, name }: Token,
  record: NoteChange,
): Promise<void> {
  await endNow(transaction, id, "revoked")
  const detail = `token ${id} ${JSON.stringify(name)}, revoked`
  await record({ action: "session-end", account: username, detail })
}

/**
 * Returns the epoch of the caller's account. The session must still count: if a new password has ended it since the request
 * was admitted, it must make nothing.
 */
async function readEpoch(
  { writer, dialect }: Writer,
  { id, isForProgram }: Session,
): Promise<number> {
  const row = await writer.selectFrom("session")
    .innerJoin("account", "account.id", "session.account_id")
    .leftJoin("account_token as token", "token.session_id", "session.id")
    .select([
      "account.epoch",
      "disabled",
      "session.created",
      "used",
      "expires",
      "reason",
      "lasting",
    ])
    .select(["token.session_id as token", dialect.now.as("now")])
    .where("session.id", "=", id)
    .executeTakeFirst()
  if (!row || sessionStateOf(row, 0) !== "live") throw notLoggedIn()
  if (row.token !== null || isForProgram) throw usualProblem("not_with_a_token")
  return row.epoch
}

function assertRoom(tokens: readonly Token[], name: string): void {
  const ofName = tokens.filter((token) => token.name === name).length
  if (ofName >= mostTokens.ofName) throw new Problem("too_many_tokens", tooMany.ofName)
  if (tokens.length >= mostTokens.all) throw new Problem("too_many_tokens", tooMany.all)
}

/** @throws {Problem} 429 if an account has made as many tokens as it may in an hour, those that were revoked included. */
async function assertPace({ writer, dialect }: Writer, accountId: string): Promise<void> {
  const made = await writer.selectFrom("account_token as token")
    .innerJoin("session", "session.id", "token.session_id")
    .select(["session.created", dialect.now.as("now")])
    .where("token.account_id", "=", accountId)
    .where("session.created", ">", sql<number>`${dialect.now} - ${anHour}`)
    .orderBy("session.created").execute()
  const [first] = made
  if (!first || made.length < mostMade) return
  throw new Problem(
    "too_many_requests",
    `You have made ${mostMade} tokens in an hour. Nothing was changed; try again later.`,
    { headers: { "retry-after": String(Math.max(1, first.created + anHour - first.now)) } },
  )
}
