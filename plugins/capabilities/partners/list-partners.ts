import type { Database, Snapshot } from "../../../core/capability.ts"
import {
  daysUntilResync,
  type PartnerFacts,
  type Reading,
  stateOfPartner,
  worstFirst,
} from "./definitions.ts"
import { type Selection, summedLists, unreadLists } from "./list-conditions.ts"
import { findNoAccess } from "./no-access.ts"
import {
  type HealthOptions,
  type LastError,
  lastErrorOf,
  type PartnerHealth,
  readAtOneTime,
} from "./partner-health.ts"
import { keepReadable } from "./readable-events.ts"
import { reasonOf, sinceOf } from "./reasons.ts"
import { countDeletions } from "./waiting-deletions.ts"

/**
 * Returns how each partner is doing, the worst first: the accounts of the roles `service` and `partner`. Reads a few
 * statements in one snapshot, whatever the number of partners.
 *
 * @throws {Unavailable}
 */
export async function listPartners(
  database: Database,
  options: HealthOptions,
): Promise<readonly PartnerHealth[]> {
  return await readAtOneTime(
    database,
    options,
    async (snapshot, by) => withMutes(snapshot, await readPartners(snapshot, by), options),
  )
}

/** Like `listPartners`, in a snapshot; only of one account if it is named. */
export async function readPartners(
  snapshot: Snapshot,
  by: Reading,
  username?: string,
): Promise<readonly PartnerHealth[]> {
  const { now } = by
  const accounts = await readAccounts(snapshot, username)
  const [first] = accounts
  if (!first) return []
  const accountId = username === undefined ? undefined : first.id
  const selection = { now, accountId }
  const sums = await snapshot.run(summedLists(snapshot, selection))
  const summed = new Map(sums.map((row) => [row.account_id, row]))
  const behind = await readBehind(snapshot, selection)
  const errors = await readErrors(snapshot, accountId)
  const unread = await snapshot.run(unreadDeletions(snapshot, selection))
  const waiting = await countDeletions(snapshot, unread)
  const withoutAccess = await findNoAccess(
    snapshot,
    by,
    accounts.map(({ id, username, disabled, refused, refused_address: address }) => {
      const { last_poll, error_at } = summed.get(id) ?? {}
      return {
        id,
        username,
        isDisabled: disabled !== 0,
        refused: refused === null ? null : { at: refused, address },
        lastRequest: Math.max(last_poll ?? 0, error_at ?? 0),
      }
    }),
  )
  const healths = accounts.map((account): PartnerHealth => {
    const own = summed.get(account.id)
    const late = behind.get(account.id) ?? []
    const known = late.flatMap(({ from }) => from ?? [])
    const uncovered = known.length === 0 ? null : Math.min(...known)
    const facts: PartnerFacts = {
      now,
      isDisabled: account.disabled !== 0,
      hasNoAccess: withoutAccess.has(account.id),
      // Anyone can guess a password: that locks nobody out who has a session.
      refused: account.refused_session === null && account.sessions > 0 ? null : account.refused,
      lastPoll: own?.last_poll ?? null,
      lastError: own?.error_at ?? null,
      lastLogIn: account.last_log_in,
      silentFrom: [own?.silent_from, own?.long_silent_from].filter((from) => from != null),
      stuck: own?.stuck ?? 0,
      behind: late.reduce((sum, { count }) => sum + count, 0),
    }
    const state = stateOfPartner(facts)
    const oldest = own?.oldest_acknowledged ?? null
    const { count = 0, more = false } = waiting.get(account.id) ?? {}
    const health = {
      accountId: account.id,
      account: account.username,
      role: account.role,
      state,
      reason: "",
      since: null,
      lastPoll: facts.lastPoll,
      lastCompleted: own?.walk_completed ?? null,
      lastLogIn: account.last_log_in,
      pollInterval: own?.poll_interval ?? null,
      lists: own?.lists ?? 0,
      stuck: facts.stuck,
      behind: facts.behind,
      lag: uncovered === null ? 0 : now - uncovered,
      daysUntilResync: oldest === null ? null : daysUntilResync(oldest, by),
      deletionsWaiting: count,
      moreDeletionsWaiting: more,
      records: own?.records ?? 0,
      lastError: errors.get(account.id) ?? null,
      noAccess: withoutAccess.get(account.id) ?? null,
      refused: account.refused === null ? null : {
        at: account.refused,
        code: account.refused_code,
        requestId: account.refused_request,
        session: account.refused_session,
        address: account.refused_address,
      },
      sessionEnds: account.session_ends,
      sessions: account.sessions,
      muted: null,
    }
    const stuckSince = own?.stuck_since ?? null
    const since = sinceOf(health, { stuckSince, behindFrom: uncovered, created: account.created })
    return { ...health, since, reason: reasonOf({ ...health, since }, now) }
  })
  return healths.sort(compare)
}

/** Adds who is muted, and sorts again. */
export async function withMutes(
  snapshot: Snapshot,
  partners: readonly PartnerHealth[],
  { readMutes }: HealthOptions,
): Promise<readonly PartnerHealth[]> {
  const mutes = await readMutes?.(snapshot)
  if (!mutes || mutes.size === 0) return partners
  return partners.map((each) => ({ ...each, muted: mutes.get(each.accountId) ?? null }))
    .sort(compare)
}

function compare(a: PartnerHealth, b: PartnerHealth): number {
  return groupOf(a) - groupOf(b) || rankOf(a) - rankOf(b) || compareWithin(a, b)
}

/** Those that are wrong come first, then those that are wrong and muted, then the others. */
function groupOf({ state, muted }: PartnerHealth): number {
  if (notWrong.includes(state)) return 2
  return muted ? 1 : 0
}

const notWrong: readonly string[] = ["partial", "in sync", "disabled"]

function rankOf({ state }: PartnerHealth): number {
  return worstFirst.indexOf(state)
}

/** Within a state, those that have been in it for longest come first: if that is known. */
function compareWithin(a: PartnerHealth, b: PartnerHealth): number {
  return (a.since ?? 0) - (b.since ?? 0) || (a.account < b.account ? -1 : 1)
}

async function readAccounts({ db, dialect, run }: Snapshot, username: string | undefined) {
  const sessions = db
    .selectFrom("session")
    .select("account_id")
    .select((eb) => [
      eb.fn.max<number>("expires").as("ends"),
      eb.fn.countAll<number>().as("count"),
    ])
    .where("expires", ">", dialect.now)
    .groupBy("account_id")
  return await run(
    db
      .selectFrom("account")
      .leftJoin("account_activity as activity", "activity.account_id", "account.id")
      .leftJoin(sessions.as("live"), "live.account_id", "account.id")
      .select([
        "account.id",
        "account.username",
        "account.role",
        "account.disabled",
        "account.created",
        "activity.last_log_in",
        "activity.refused",
        "activity.refused_code",
        "activity.refused_request",
        "activity.refused_session",
        "activity.refused_address",
        "live.ends as session_ends",
      ])
      .select((eb) => eb.fn.coalesce("live.count", eb.lit(0)).as("sessions"))
      .where("account.role", "in", ["service", "partner"])
      .$if(username !== undefined, (query) => query.where("account.username", "=", username ?? "")),
  )
}

/**
 * Returns how many lists are behind, and the time that the first of them goes back to: by account, for each event that
 * the account has a grant for now.
 */
async function readBehind(snapshot: Snapshot, selection: Selection) {
  const { db, run } = snapshot
  const byEvent = await run(
    db
      .selectFrom(unreadLists(snapshot, selection).as("unread"))
      .select(["account_id", "event_id"])
      .select((eb) => [
        eb.fn.countAll<number>().as("count"),
        eb.fn.min<number | null>("behind_from").as("from"),
      ])
      .where("is_late", "=", 1)
      .groupBy(["account_id", "event_id"]),
  )
  const readable = await keepReadable(snapshot, selection.now, byEvent)
  return Map.groupBy(readable, ({ account_id }) => account_id)
}

function unreadDeletions(snapshot: Snapshot, selection: Selection) {
  return snapshot.db
    .selectFrom(unreadLists(snapshot, selection).as("unread"))
    .select(["account_id", "event_id", "kind", "completed_next as covered"])
    .where("kind", "in", ["guest deletions", "item deletions"])
    .where("completed_next", "is not", null)
    .$narrowType<{ covered: number }>()
    .limit(mostUnread)
}

/** The most lists of deletions whose deletions are counted. */
const mostUnread = 2000

/** Returns the last error of each account. */
async function readErrors(
  { db, run }: Snapshot,
  accountId: string | undefined,
): Promise<ReadonlyMap<string, LastError>> {
  // Without a condition on the time, MySQL jumps from account to account in the index.
  const last = db
    .selectFrom("sync_state")
    .select("account_id")
    .select((eb) => eb.fn.max<number>("error_at").as("at"))
    .$if(accountId !== undefined, (query) => query.where("account_id", "=", accountId ?? ""))
    .groupBy("account_id")
  const rows = await run(
    db
      .selectFrom(last.as("last"))
      .innerJoin(
        "sync_state as s",
        (join) =>
          join.onRef("s.account_id", "=", "last.account_id").onRef("s.error_at", "=", "last.at"),
      )
      .select(["s.account_id", "s.error_at", "s.error_status", "s.error_code", "s.error_request"]),
  )
  return new Map(rows.flatMap((row) => {
    const error = lastErrorOf(row)
    return error ? [[row.account_id, error]] : []
  }))
}
