import type { Database, Snapshot } from "../../../core/capability.ts"
import { readAcknowledged } from "./acknowledged-deletions.ts"
import { type Cause, causeOfDelay, worstCauses } from "./causes.ts"
import {
  daysUntilResync,
  type PartnerFacts,
  partnerRoles,
  type Reading,
  stateOfPartner,
  type SyncRow,
} from "./definitions.ts"
import { readLastErrors } from "./last-errors.ts"
import { unreadLists } from "./list-conditions.ts"
import { findNoAccess, lastRequestOf } from "./no-access.ts"
import { type HealthOptions, type PartnerHealth, readAtOneTime } from "./partner-health.ts"
import { comparePartners } from "./partner-order.ts"
import {
  type Doubts,
  type LastPolls,
  readDoubts,
  readLastPolls,
  readTotals,
} from "./partner-sums.ts"
import { nameOf } from "./progress.ts"
import { keepReadable } from "./readable-events.ts"
import { reasonOf, sinceOf } from "./reasons.ts"
import { countDeletions } from "./waiting-deletions.ts"

/**
 * Returns how each partner (each account of the roles `service` and `partner`) is doing, worst first. Runs a fixed
 * number of statements in one snapshot, however many partners there are.
 *
 * @throws {Unavailable}
 */
export async function listPartners(
  database: Database,
  options: HealthOptions,
): Promise<readonly PartnerHealth[]> {
  return await readAllPartners(
    database,
    options,
    (_, { partners }) => Promise.resolve(partners),
  )
}

/** Reads how all partners are doing, then runs a callback in the same snapshot. @throws {Unavailable} */
export async function readAllPartners<Result>(
  database: Database,
  options: HealthOptions,
  goOn: (snapshot: Snapshot, read: PartnersAndLate & { readonly now: number }) => Promise<Result>,
): Promise<Result> {
  return await readAtOneTime(database, options, async (snapshot, by) => {
    const read = await readPartnersAndLate(snapshot, by)
    return await goOn(snapshot, { ...read, now: by.now })
  })
}

/** How partners are doing, and the lists with which they are behind. */
interface PartnersAndLate {
  readonly partners: readonly PartnerHealth[]
  readonly late: readonly LateRow[]
}

/** Like `listPartners`, within a snapshot; for one account only if `username` is given. */
export async function readPartners(
  snapshot: Snapshot,
  by: Reading,
  username?: string,
): Promise<readonly PartnerHealth[]> {
  return (await readPartnersAndLate(snapshot, by, username)).partners
}

async function readPartnersAndLate(
  snapshot: Snapshot,
  by: Reading,
  username?: string,
): Promise<PartnersAndLate> {
  const { now, filters } = by
  const accounts = await readAccounts(snapshot, username)
  const [first] = accounts
  if (!first) return { partners: [], late: [] }
  const accountId = username === undefined ? undefined : first.id
  const selection = { now, filters, accountId }
  const polls = await readLastPolls(snapshot, selection)
  const doubts = await readDoubts(snapshot, selection)
  const acknowledged = await readAcknowledged(snapshot, by, accountId)
  const unread = await snapshot.run(unreadLists(snapshot, selection))
  const behind = await readLate(snapshot, { now, unread, doubts, polls })
  const troubled = [...doubts].flatMap(([id, { stuck, partial }]) => stuck + partial > 0 ? id : [])
  const totals = await readTotals(
    snapshot,
    accountId !== undefined
      ? [accountId]
      : by.isBrief
      ? [...troubled, ...behind.keys()]
      : undefined,
  )
  const errors = await readLastErrors(snapshot, accountId)
  const unreadDeletions = unread.flatMap(deletionsOf).slice(0, mostUnread)
  const waiting = await countDeletions(snapshot, filters, unreadDeletions)
  const withoutAccess = await findNoAccess(
    snapshot,
    by,
    accounts.map((account) => {
      const { id, username, disabled, refused, refused_address: address } = account
      const [lastPoll, lastError] = [polls.get(id)?.lastPoll, errors.get(id)?.at]
      return {
        id,
        username,
        isDisabled: disabled !== 0,
        refused: refused === null ? null : { at: refused, address },
        lastSeen: Math.max(lastPoll ?? 0, lastError ?? 0),
        lastRequest: lastRequestOf(account),
      }
    }),
  )
  const healths = accounts.map((account): PartnerHealth => {
    const own = polls.get(account.id)
    const doubt = doubts.get(account.id)
    const lastError = errors.get(account.id) ?? null
    const total = totals.get(account.id)
    const ownLate = behind.get(account.id) ?? []
    const uncovered = ownLate.length === 0
      ? null
      : Math.min(...ownLate.map(({ behind_from }) => behind_from))
    const facts: PartnerFacts = {
      now,
      isDisabled: account.disabled !== 0,
      hasNoAccess: withoutAccess.has(account.id),
      // Anyone can try passwords: refused log-ins do not lock out a partner that has a session.
      refused: account.refused_session === null && account.live > 0 ? null : account.refused,
      lastPoll: own?.lastPoll ?? null,
      lastError: lastError?.at ?? null,
      lastLogIn: account.last_log_in,
      silentFrom: own?.silentFrom ?? [],
      stuck: doubt?.stuck ?? 0,
      behind: ownLate.length,
      partial: doubt?.partial ?? 0,
    }
    const state = stateOfPartner(facts)
    const oldest = acknowledged.get(account.id)
    const { count = 0, more = false } = waiting.get(account.id) ?? {}
    const health = {
      accountId: account.id,
      account: account.username,
      role: account.role,
      state,
      reason: "",
      since: null,
      lastPoll: facts.lastPoll,
      lastRequest: lastRequestOf(account),
      lastCompleted: total?.lastCompleted ?? null,
      lastLogIn: account.last_log_in,
      pollInterval: own?.pollInterval ?? null,
      lists: total?.lists ?? 0,
      stuck: facts.stuck,
      behind: facts.behind,
      partial: facts.partial,
      causes: worstCauses([...doubt?.causes ?? [], ...ownLate.map(({ cause }) => cause)]),
      lag: uncovered === null ? 0 : now - uncovered,
      daysUntilResync: oldest === undefined ? null : daysUntilResync(oldest, by),
      deletionsWaiting: count,
      moreDeletionsWaiting: more,
      records: total?.records ?? 0,
      lastError,
      noAccess: withoutAccess.get(account.id) ?? null,
      refused: account.refused === null ? null : {
        at: account.refused,
        code: account.refused_code,
        requestId: account.refused_request,
        ended: account.refused_session === null ? undefined : endedOf(account),
        address: account.refused_address,
      },
      sessionEnds: account.session_ends,
      sessions: account.live - Number(account.tokens),
      tokens: Number(account.tokens),
    }
    const since = sinceOf(health, {
      stuckSince: doubt?.stuckSince ?? null,
      firstError: doubt?.firstError ?? null,
      behindFrom: uncovered,
      created: account.created,
    })
    return { ...health, since, reason: reasonOf({ ...health, since }, now) }
  })
  return { partners: healths.sort(comparePartners), late: [...behind.values()].flat() }
}

async function readAccounts({ db, dialect, run }: Snapshot, username: string | undefined) {
  const sessions = db
    .selectFrom("session")
    .select("account_id")
    .select((eb) => [
      eb.fn.max<number>("expires").as("ends"),
      eb.fn.countAll<number>().as("count"),
      eb.fn.sum<number>("lasting").as("tokens"),
    ])
    .where("expires", ">", dialect.now)
    .groupBy("account_id")
  return await run(
    db
      .selectFrom("account")
      .leftJoin("account_activity as activity", "activity.account_id", "account.id")
      .leftJoin(sessions.as("live"), "live.account_id", "account.id")
      .leftJoin("session as ended", "ended.id", "activity.refused_session")
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
        "activity.listed",
        "activity.listed_address",
        "live.ends as session_ends",
        "ended.lasting as ended_lasting",
        "ended.reason as ended_reason",
      ])
      .select((eb) => [
        eb.fn.coalesce("live.count", eb.lit(0)).as("live"),
        eb.fn.coalesce("live.tokens", eb.lit(0)).as("tokens"),
      ])
      .where("account.role", "in", partnerRoles)
      .where("account.viewer", "=", 0)
      .$if(username !== undefined, (query) => query.where("account.username", "=", username ?? "")),
  )
}

/** Returns the session or token for which a request was refused; null if it has been forgotten. */
function endedOf(
  { ended_lasting: lasting, ended_reason: reason }: Awaited<
    ReturnType<typeof readAccounts>
  >[number],
) {
  return lasting === null ? null : { kind: lasting === 1 ? "token" : "session", reason } as const
}

/** A list that is behind, and why. */
export interface LateRow extends Pick<SyncRow, "account_id" | "event_id" | "family" | "list"> {
  readonly behind_from: number
  readonly cause: Cause
}

/** Returns the lists that are behind, by account: only of events that the account has a grant for now. */
async function readLate(
  snapshot: Snapshot,
  { now, unread, doubts, polls }: {
    readonly now: number
    readonly unread: readonly UnreadRow[]
    readonly doubts: ReadonlyMap<string, Doubts>
    readonly polls: ReadonlyMap<string, LastPolls>
  },
): Promise<ReadonlyMap<string, readonly LateRow[]>> {
  const late = unread.filter(({ is_late }) => is_late === 1)
  const names = new Set(late.map(nameOf))
  const skipping = [...doubts.values()].flatMap(({ skipping }) => skipping)
  const polled = ({ account_id }: { account_id: string }) => polls.get(account_id)?.lastPoll ?? null
  const rows: readonly LateRow[] = await keepReadable(snapshot, now, [
    ...late.map((row) => ({
      ...row,
      behind_from: row.behind_from ?? now,
      cause: causeOfDelay(row, { isSkipped: false, polled: polled(row) }),
    })),
    ...skipping.filter((row) => !names.has(nameOf(row))).map((row) => ({
      ...row,
      behind_from: row.skipped_from ?? now,
      cause: causeOfDelay(row, { isSkipped: true, polled: polled(row) }),
    })),
  ])
  return Map.groupBy(rows, ({ account_id }) => account_id)
}

type UnreadRow = Awaited<ReturnType<ReturnType<typeof unreadLists>["execute"]>>[number]

/** Returns the list if it is a list of deletions of which some were not in any completed walk; else nothing. */
function deletionsOf({ account_id, event_id, kind, filter, completed_next: covered }: UnreadRow) {
  const isDeletions = kind === "guest deletions" || kind === "item deletions"
  if (!isDeletions || typeof covered !== "number") return []
  return [{ account_id, event_id, kind, filter, covered }]
}

/** The most lists of deletions to count. */
const mostUnread = 2000
