import { hash, randomUUID } from "node:crypto"
import { sql } from "kysely"
import {
  type Account,
  type Author,
  changeInTransaction,
  findAccount,
  notLoggedIn,
  sessionStateOf,
  type Writer,
} from "../../../core/accounts.ts"
import { type Database, settled, UserError } from "../../../core/capability.ts"
import { Problem, type Session } from "../../../core/plugin.ts"
import { deleteOld, type Schema } from "../../../core/tables.ts"
import { challengeOf, newSecret } from "./signature.ts"
import { readTarget, TargetError, type TargetRules } from "./target.ts"

/** How many receivers an account may have, and how many challenges it may request per hour. */
export const most = { receivers: 5, challenges: 10 } as const

/** The detail of a 404. */
export const noSuchReceiver = "You have no receiver with this id."

/** The detail of a 403. */
export const notWithToken =
  "Tokens, and sessions that an operator has opened, cannot see or change receivers. Log in with POST /session."

const anHour = 3600
const aDay = 86_400

/** A registered URL without its secret, which is shown only once. Times are Unix seconds. */
export interface RegisteredReceiver extends Omit<Row, "secret" | "former_secret" | "sent_seq"> {
  readonly username: string
  /** 1 while its account is disabled: it gets nothing then. */
  readonly disabled: number
}

type Row = Readonly<Schema["ping_receiver"]>

/** Who changes receivers, and the account to which they belong. */
export interface Acting {
  readonly account: Pick<Account, "id" | "username" | "role">
  readonly by: Author
  /** The account's own session; absent if an operator acts. */
  readonly caller?: Session
}

/**
 * Returns the receivers of one account or of all, or those whose ids begin with `prefix`, oldest first within an
 * account. With `failed`, a time in Unix seconds: only those that fail, or were turned off since then.
 */
export async function listReceivers(
  { writer }: Pick<Database, "writer">,
  { accountId, prefix, failed }: {
    readonly accountId?: string
    readonly prefix?: string
    readonly failed?: number
  } = {},
): Promise<RegisteredReceiver[]> {
  return await writer.selectFrom("ping_receiver as receiver")
    .innerJoin("account", "account.id", "receiver.account_id")
    .select([
      "receiver.id",
      "account_id",
      "username",
      "disabled",
      "url",
      "receiver.created",
      "state",
    ])
    .select(["reason", "since", "failing_since", "attempts", "next_at"])
    .select(["last_sent", "last_status", "last_error", "former_until"])
    .$if(accountId !== undefined, (query) => query.where("account_id", "=", accountId ?? ""))
    // As a range of the primary key.
    .$if(
      prefix !== undefined,
      (query) =>
        query.where("receiver.id", ">=", prefix ?? "").where("receiver.id", "<=", `${prefix}g`),
    )
    .$if(failed !== undefined, (query) =>
      query.where("disabled", "=", 0).where((eb) =>
        eb.or([
          eb("failing_since", "is not", null).and("state", "<>", "off"),
          eb("state", "=", "off").and("since", ">=", failed ?? 0),
        ])
      ))
    .orderBy("username").orderBy("receiver.created").orderBy("receiver.id")
    .execute()
}

/** Returns the receivers of the caller's account. @throws {Problem} 401, 403 as above. */
export async function listOwnReceivers(
  database: Writer,
  caller: Session,
): Promise<RegisteredReceiver[]> {
  await assertCounts(database, caller)
  return await listReceivers(database, { accountId: caller.account.id })
}

/** Finds a receiver by its id or a prefix of it, for operators. @throws {UserError} unless exactly one matches. */
export async function findReceiver(
  database: Pick<Database, "writer">,
  prefix: string,
): Promise<RegisteredReceiver> {
  const [receiver, ...others] = /^[0-9a-f-]{4,36}$/i.test(prefix)
    ? await listReceivers(database, { prefix: prefix.toLowerCase() })
    : []
  if (receiver && others.length === 0) return receiver
  throw new UserError(
    `${
      receiver ? "Several receivers have" : "No receiver has"
    } an id that begins with ${prefix}. ` +
      '"ping list" lists them. Nothing was changed.',
  )
}

/**
 * Registers a URL, which soon gets a challenge. Returns its secret; nothing else returns that.
 * @throws {UserError} if the URL is not allowed, or if the account already has it or has too many. @throws {Problem}
 * 401, 403, 404 if it is not a program's account, and 429.
 */
export async function addReceiver(
  database: Database,
  text: string,
  { rules, ...acting }: Acting & { readonly rules: TargetRules },
): Promise<{ readonly receiver: RegisteredReceiver; readonly secret: string }> {
  const { account: { id: account_id, role } } = acting
  const url = targetOf(text, rules)
  if (role !== "partner" && role !== "service") {
    throw new Problem("not_available", "Only accounts of programs have receivers of pings.")
  }
  return await change(database, acting, async (transaction, note) => {
    const known = await listReceivers(transaction, { accountId: account_id })
    if (known.some((each) => each.url === url.href)) {
      throw new UserError("The account has a receiver with this URL. Nothing was changed.")
    }
    if (known.length >= most.receivers) {
      throw new UserError(
        `The account has ${most.receivers} receivers. Remove one first. Nothing was changed.`,
      )
    }
    const [id, secret] = [randomUUID(), newSecret()]
    const since = await askForChallenge(transaction, acting)
    await transaction.writer.insertInto("ping_receiver").values({
      ...{ id, account_id, url: url.href, secret, created: since, sent_seq: 0, last_sent: null },
      ...stateSince("unconfirmed", since),
    }).execute()
    await note(`ping receiver ${id} on ${url.host}: added`)
    const [receiver] = await listReceivers(transaction, { prefix: id })
    if (!receiver) throw new Error("the receiver that was just added is not there")
    return { receiver, secret }
  })
}

/** Removes an account's receiver: nothing more is sent to it. @throws {Problem} 401, 403, and 404 if there is none. */
export async function removeReceiver(database: Database, id: string, acting: Acting) {
  await changeOne(database, id, acting, async ({ writer }) => {
    await writer.deleteFrom("ping_receiver").where("id", "=", id).execute()
    return "removed"
  })
}

/**
 * Creates a new secret. For a day, the former one signs as well. Returns the secret; nothing else returns it. @throws
 * as `removeReceiver`.
 */
export async function renewSecret(
  database: Database,
  id: string,
  acting: Acting,
): Promise<string> {
  const secret = newSecret()
  await changeOne(database, id, acting, async (transaction) => {
    const former_until = await readNow(transaction) + aDay
    await transaction.writer.updateTable("ping_receiver")
      .set((eb) => ({ former_secret: eb.ref("secret"), former_until })).where("id", "=", id)
      .execute()
    await transaction.writer.updateTable("ping_receiver").set({ secret }).where("id", "=", id)
      .execute()
    return "a new secret"
  })
  return secret
}

/**
 * Has a challenge sent soon, in any state, and nothing else until it is answered. @throws as `removeReceiver`, and 429.
 */
export async function challengeReceiver(database: Database, id: string, acting: Acting) {
  await changeOne(database, id, acting, async (transaction) => {
    const since = await askForChallenge(transaction, acting)
    await transaction.writer.updateTable("ping_receiver")
      .set({ sent_seq: behind, ...stateSince("unconfirmed", since) }).where("id", "=", id).execute()
    return "challenged"
  })
}

/**
 * Turns on a receiver that cannot answer by itself, given the text of its latest challenge.
 * @throws {UserError} if the text differs, and as `removeReceiver`.
 */
export async function confirmReceiver(
  database: Database,
  id: string,
  { challenge, secrets, ...acting }: Acting & {
    readonly challenge: string
    /** The session secrets: the process that sent the challenge may have used any of them. */
    readonly secrets: readonly string[]
  },
): Promise<void> {
  await changeOne(database, id, acting, async (transaction, receiver) => {
    const { writer } = transaction
    const isRight = receiver.state === "unconfirmed" &&
      secrets.some((secret) =>
        hash("sha256", challengeOf(receiver, secret)) === hash("sha256", challenge.trim())
      )
    if (!isRight) {
      throw new UserError(
        "This is not the text of the challenge that the receiver last got. Copy it from there, or ask for " +
          "another challenge. Nothing was changed.",
      )
    }
    await writer.updateTable("ping_receiver").set({
      ...stateSince("on", await readNow(transaction)),
      // Its partner polled everything from before it was confirmed.
      sent_seq:
        sql`case when sent_seq = 0 then coalesce(nullif(${settled}, 0), -1) else sent_seq end`,
    }).where("id", "=", id).execute()
    return "confirmed by hand"
  })
}

/** Turns off all receivers of an account whose sessions were ended: an intruder may have registered them. */
export async function turnOffReceivers({ writer, dialect }: Writer, username: string) {
  const { id } = await findAccount(writer, username)
  await writer.updateTable("ping_receiver")
    .set({
      sent_seq: behind,
      state: "off",
      reason: "revoked",
      since: dialect.now,
      last_error: null,
    })
    .where("account_id", "=", id).where("state", "!=", "off").execute()
}

/**
 * What a receiver that is on has been told about, if the lease's note applies to it. Must be assigned before the state:
 * MySQL assigns from left to right.
 */
const behind = sql<number>`case when state = 'on' and sent_seq = 0
  then coalesce((select noted from ping_sender where id = 1), -1) else sent_seq end`

/** Deletes receivers that have been off for 90 days. Returns their number. */
export async function pruneReceivers({ writer, dialect }: Database, signal: AbortSignal) {
  const isOld = sql`state = 'off' and since < ${dialect.now} - ${90 * aDay}`
  return await deleteOld(writer, { table: "ping_receiver", key: ["id"], isOld }, signal)
}

/** Returns a URL for operators and logs, without its query, which may be secret. Viewers do not see the path either. */
export function shownUrl(url: string, { isForViewer = false } = {}): string {
  const { origin, pathname } = new URL(url)
  if (isForViewer && pathname !== "/") return `${origin}/…`
  return url.replace(/\?.*$/s, "?…")
}

function targetOf(text: string, rules: TargetRules): URL {
  try {
    return readTarget(text, rules)
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    throw new UserError(`${error.message}. Nothing was changed.`)
  }
}

/** The columns of a receiver that enters a state, without failures so far. */
function stateSince(state: "unconfirmed" | "on", since: number) {
  const none = { reason: null, failing_since: null, last_status: null, last_error: null }
  return { state, since, ...none, attempts: 0, next_at: 0 }
}

type Note = (detail: string) => Promise<void>

/** Changes receivers of an account, one change per account at a time. */
async function change<T>(
  database: Database,
  { account, by, caller }: Acting,
  work: (transaction: Writer, note: Note) => Promise<T>,
): Promise<T> {
  return await changeInTransaction(database, by, async (transaction, record) => {
    const { writer, dialect } = transaction
    // Locks the row until the end of the transaction.
    const use = writer.insertInto("account_activity").values({ account_id: account.id })
    await dialect.orUpdate(use, "account_id", { account_id: account.id }).execute()
    if (caller) await assertCounts(transaction, caller)
    // The audit log's action for changes to how a partner is reached is `contact`.
    const note: Note = (detail) => record({ action: "contact", account: account.username, detail })
    return await work(transaction, note)
  }, { denied })
}

const denied =
  'The database user may not change receivers: give it the privileges of "event-export grants". ' +
  "Nothing was changed."

async function changeOne(
  database: Database,
  id: string,
  acting: Acting,
  work: (transaction: Writer, receiver: RegisteredReceiver) => Promise<string>,
): Promise<void> {
  await change(database, acting, async (transaction, note) => {
    const all = await listReceivers(transaction, { accountId: acting.account.id })
    const receiver = all.find((each) => each.id === id)
    if (!receiver) throw new Problem("not_found", noSuchReceiver)
    const what = await work(transaction, receiver)
    await note(`ping receiver ${id} on ${new URL(receiver.url).host}: ${what}`)
  })
}

/** @throws {Problem} 401 if the caller's session has been ended since the request was admitted; 403 if it may not do this. */
async function assertCounts(
  { writer, dialect }: Writer,
  { id, isForProgram }: Session,
): Promise<void> {
  const row = await writer.selectFrom("session")
    .innerJoin("account", "account.id", "session.account_id")
    .select(["disabled", "session.created", "used", "expires", "session.reason", "lasting"])
    .select(dialect.now.as("now"))
    .where("session.id", "=", id)
    .executeTakeFirst()
  if (!row || sessionStateOf(row, 0) !== "live") throw notLoggedIn()
  // Only the sessions of tokens are lasting.
  if (row.lasting || isForProgram) throw new Problem("not_with_a_token", notWithToken)
}

/**
 * Counts a challenge that an account requests, so that it cannot make the service send without limit. Returns the time.
 */
async function askForChallenge(
  transaction: Writer,
  { account: { id: account_id }, caller }: Acting,
): Promise<number> {
  const { writer, dialect } = transaction
  const now = await readNow(transaction)
  if (!caller) return now
  const known = await writer.selectFrom("ping_challenge").select(["since", "asked"])
    .where("account_id", "=", account_id).executeTakeFirst()
  const isOver = !known || known.since <= now - anHour
  const counted = isOver ? { since: now, asked: 1 } : { since: known.since, asked: known.asked + 1 }
  if (counted.asked > most.challenges) {
    throw new Problem(
      "too_many_requests",
      `You have asked for ${most.challenges} challenges in an hour. Nothing was changed; try again later.`,
      { headers: { "retry-after": String(Math.max(1, counted.since + anHour - now)) } },
    )
  }
  const count = writer.insertInto("ping_challenge").values({ account_id, ...counted })
  await dialect.orUpdate(count, "account_id", counted).execute()
  return now
}

async function readNow({ writer, dialect }: Writer): Promise<number> {
  const { now } = await writer.selectNoFrom(dialect.now.as("now")).executeTakeFirstOrThrow()
  return now
}
