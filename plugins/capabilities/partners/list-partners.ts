import type { Database, Snapshot } from "../../../core/capability.ts"
import {
  daysUntilResync,
  type PartnerFacts,
  type Reading,
  stateOfPartner,
  thresholds,
  worstFirst,
} from "./definitions.ts"
import { type Selection, skippingLists, summedLists, unreadLists } from "./list-conditions.ts"
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
  const summed = await readSums(snapshot, selection)
  const skipping = [...summed].flatMap(([id, sums]) => sums.skipping > 0 ? id : [])
  const behind = await readBehind(snapshot, { ...selection, skipping })
  const unreadEvents = await readUnreadEvents(snapshot, selection)
  const errors = await readErrors(snapshot, accountId)
  const unread = await snapshot.run(unreadDeletions(snapshot, selection))
  const waiting = await countDeletions(snapshot, unread)
  const withoutAccess = await findNoAccess(
    snapshot,
    by,
    accounts.map(({ id, username, disabled, refused, refused_address: address }) => {
      const sums = summed.get(id)
      return {
        id,
        username,
        isDisabled: disabled !== 0,
        refused: refused === null ? null : { at: refused, address },
        lastRequest: Math.max(sums?.lastPoll ?? 0, sums?.lastError ?? 0),
      }
    }),
  )
  const healths = accounts.map((account): PartnerHealth => {
    const own = summed.get(account.id)
    const late = behind.get(account.id) ?? []
    const uncovered = late.length === 0 ? null : Math.min(...late.map(({ from }) => from))
    const countLate = (some: typeof late) => some.reduce((sum, { count }) => sum + count, 0)
    const unreadHere = unreadEvents.get(account.id) ?? 0
    const facts: PartnerFacts = {
      now,
      isDisabled: account.disabled !== 0,
      hasNoAccess: withoutAccess.has(account.id),
      // Anyone can guess a password: that locks nobody out who has a session.
      refused: account.refused_session === null && account.sessions > 0 ? null : account.refused,
      lastPoll: own?.lastPoll ?? null,
      lastError: own?.lastError ?? null,
      lastLogIn: account.last_log_in,
      silentFrom: own?.silentFrom ?? [],
      stuck: own?.stuck ?? 0,
      behind: countLate(late),
      partial: (own?.partial ?? 0) + unreadHere,
    }
    const state = stateOfPartner(facts)
    const oldest = own?.oldestAcknowledged ?? null
    const { count = 0, more = false } = waiting.get(account.id) ?? {}
    const health = {
      accountId: account.id,
      account: account.username,
      role: account.role,
      state,
      reason: "",
      since: null,
      lastPoll: facts.lastPoll,
      lastCompleted: own?.lastCompleted ?? null,
      lastLogIn: account.last_log_in,
      pollInterval: own?.pollInterval ?? null,
      lists: own?.lists ?? 0,
      stuck: facts.stuck,
      behind: facts.behind,
      skipping: countLate(late.filter(({ skips }) => skips)),
      ahead: own?.ahead ?? 0,
      repeating: own?.repeating ?? 0,
      partial: own?.partial ?? 0,
      unreadEvents: unreadHere,
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
    const stuckSince = own?.stuckSince ?? null
    const since = sinceOf(health, {
      stuckSince,
      firstError: own?.firstError ?? null,
      behindFrom: uncovered,
      created: account.created,
    })
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
      .where("account.viewer", "=", 0)
      .$if(username !== undefined, (query) => query.where("account.username", "=", username ?? "")),
  )
}

/** Sums up the lists of each account. */
async function readSums(snapshot: Snapshot, selection: Selection) {
  const rows = await snapshot.run(summedLists(snapshot, selection))
  const byAccount = Map.groupBy(rows, ({ account_id }) => account_id)
  return new Map(
    [...byAccount].map(([id, sums]) => {
      const add = (
        column: "lists" | "stuck" | "ahead" | "repeating" | "skipping" | "partial" | "records",
      ) => sums.reduce((sum, row) => sum + Number(row[column]), 0)
      const all = (column: (typeof times)[number]) => sums.flatMap((row) => row[column] ?? [])
      const latest = (column: (typeof times)[number]) => all(column).sort((a, b) => b - a)[0]
      const first = (column: (typeof times)[number]) => all(column).sort((a, b) => a - b)[0]
      return [id, {
        pollInterval: first("poll_interval"),
        silentFrom: all("silent_from"),
        lastPoll: latest("last_poll"),
        lastError: latest("error_at"),
        lastCompleted: latest("walk_completed"),
        firstError: first("trouble_since"),
        records: add("records"),
        lists: add("lists"),
        stuck: add("stuck"),
        stuckSince: first("stuck_since"),
        ahead: add("ahead"),
        repeating: add("repeating"),
        skipping: add("skipping"),
        partial: add("partial"),
        oldestAcknowledged: first("oldest_acknowledged"),
      }]
    }),
  )
}

const times = [
  "poll_interval",
  "silent_from",
  "last_poll",
  "error_at",
  "walk_completed",
  "stuck_since",
  "trouble_since",
  "oldest_acknowledged",
] as const

/**
 * Returns how many lists are behind, and the time that the first of them goes back to: by account, for each event that
 * the account has a grant for now. Those that skip changes and have all that came after are apart.
 */
async function readBehind(
  snapshot: Snapshot,
  { skipping, ...selection }: Selection & { readonly skipping: readonly string[] },
) {
  const { db, run } = snapshot
  const byEvent = await run(
    db
      .selectFrom(unreadLists(snapshot, selection).as("unread"))
      .select(["account_id", "event_id"])
      .select((eb) => [
        eb.fn.countAll<number>().as("count"),
        eb.fn.min<number>("behind_from").as("from"),
      ])
      .where("is_late", "=", 1)
      .groupBy(["account_id", "event_id"]),
  )
  const skipped = skipping.length === 0
    ? []
    : await run(skippingLists(snapshot, { now: selection.now, accountIds: skipping }))
  const late = [
    ...byEvent.map((row) => ({ ...row, skips: false })),
    ...skipped.map((row) => ({ ...row, count: 1, from: row.behind_from, skips: true })),
  ]
  const readable = await keepReadable(snapshot, selection.now, late)
  return Map.groupBy(readable, ({ account_id }) => account_id)
}

/** Returns how many events that are not over an account may read, and has read no list of, if there are any. */
async function readUnreadEvents(
  { db, run }: Snapshot,
  { now, accountId }: Selection,
): Promise<ReadonlyMap<string, number>> {
  const ofGrants = (column: "id" | "organization_id") =>
    db
      .selectFrom("access_grant as g")
      .innerJoin("event", `event.${column}`, column === "id" ? "g.event_id" : "g.organization_id")
      .select(["g.account_id", "event.id"])
      .where("event.status", "<>", "closed")
      .where("event.created", "<=", now - thresholds.interval - thresholds.grace)
      .where((eb) => eb.or([eb("g.ends", "is", null), eb("g.ends", ">", now)]))
      .where(({ not, exists, selectFrom }) =>
        not(exists(
          selectFrom("sync_state as s").select("s.list")
            .whereRef("s.account_id", "=", "g.account_id").whereRef("s.event_id", "=", "event.id"),
        ))
      )
      .$if(accountId !== undefined, (query) => query.where("g.account_id", "=", accountId ?? ""))
  const rows = await run(ofGrants("id").union(ofGrants("organization_id")))
  const byAccount = Map.groupBy(rows, ({ account_id }) => account_id)
  return new Map([...byAccount].map(([id, events]) => [id, events.length]))
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
      .select([
        "s.account_id",
        "s.error_at",
        "s.error_status",
        "s.error_code",
        "s.error_request",
        "s.error_parameters",
      ]),
  )
  return new Map(rows.flatMap((row) => {
    const error = lastErrorOf(row)
    return error ? [[row.account_id, error]] : []
  }))
}
