import type { Database, Snapshot } from "../data/database.ts"
import { type PartnerFacts, stateOfPartner, thresholds, worstFirst } from "./definitions.ts"
import { judgedLists } from "./list-conditions.ts"
import type { HealthOptions, LastError, PartnerHealth } from "./partner-health.ts"
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
  return await database.snapshot((snapshot) => readPartners(snapshot, options))
}

/** Like `listPartners`, in a snapshot; only of one account if it is named. */
export async function readPartners(
  snapshot: Snapshot,
  { retention, at, username }: HealthOptions & { readonly username?: string },
): Promise<readonly PartnerHealth[]> {
  const accounts = await readAccounts(snapshot, username)
  const [first] = accounts
  if (!first) return []
  const now = at ?? first.now
  const only = username === undefined ? undefined : first.id
  const groups = Map.groupBy(
    await snapshot.run(groupsOf(snapshot, now, only)),
    ({ account_id }) => account_id,
  )
  const errors = await readErrors(snapshot, only)
  const unread = await snapshot.run(unreadDeletions(snapshot, now, only))
  const waiting = await countDeletions(snapshot, unread)
  const [state] = await snapshot.run(
    snapshot.db.selectFrom("change_state").select("complete_since"),
  )
  const horizon = Math.max(state?.complete_since ?? 0, now - retention * aDay)
  const healths = accounts.map((account): PartnerHealth => {
    const own = groups.get(account.id) ?? []
    const facts = factsOf(account, own, now)
    const state = stateOfPartner(facts)
    const oldest = least(own.map((group) => group.oldest_acknowledged))
    const uncovered = least(own.map((group) => group.behind_from))
    const { count = 0, more = false } = waiting.get(account.id) ?? {}
    const health = {
      accountId: account.id,
      account: account.username,
      role: account.role,
      state,
      reason: "",
      since: null,
      lastPoll: facts.lastPoll,
      lastCompleted: greatest(own.map((group) => group.walk_completed)),
      lastLogIn: account.last_log_in,
      pollInterval: least(
        own.filter(({ counted }) => counted > 0).map(({ poll_interval }) => poll_interval),
      ),
      lists: sum(own.map(({ lists }) => lists)),
      stuck: facts.stuck,
      behind: facts.behind,
      lag: uncovered === null ? 0 : now - uncovered,
      daysUntilResync: oldest === null ? null : (oldest - horizon) / aDay,
      deletionsWaiting: count,
      moreDeletionsWaiting: more,
      records: sum(own.map(({ records }) => records)),
      lastError: errors.get(account.id) ?? null,
      refused: account.refused === null ? null : {
        at: account.refused,
        code: account.refused_code,
        requestId: account.refused_request,
        session: account.refused_session,
        address: account.refused_address,
      },
      sessionEnds: account.session_ends,
      sessions: account.sessions,
    }
    const stuckSince = least(own.map((group) => group.stuck_since))
    const since = sinceOf(health, { stuckSince, behindFrom: uncovered, created: account.created })
    return { ...health, since, reason: reasonOf({ ...health, since }, now) }
  })
  return healths.sort((a, b) => rankOf(a) - rankOf(b) || compareWithin(a, b))
}

const aDay = 86_400

function rankOf({ state }: PartnerHealth): number {
  return worstFirst.indexOf(state)
}

/** Within a state, those that have been in it for longest come first. */
function compareWithin(a: PartnerHealth, b: PartnerHealth): number {
  const isWell = a.state === "in sync" || a.state === "disabled"
  const byTime = isWell ? 0 : (a.since ?? 0) - (b.since ?? 0)
  return byTime || (a.account < b.account ? -1 : 1)
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
        dialect.now.as("now"),
      ])
      .select((eb) => eb.fn.coalesce("live.count", eb.lit(0)).as("sessions"))
      .where("account.role", "in", ["service", "partner"])
      .$if(username !== undefined, (query) => query.where("account.username", "=", username ?? "")),
  )
}

type AccountRow = Awaited<ReturnType<typeof readAccounts>>[number]

/** Sums the lists up, by account and recommended interval. */
function groupsOf(snapshot: Snapshot, now: number, accountId: string | undefined) {
  return snapshot.db
    .selectFrom(judgedLists(snapshot, { now, accountId }).as("judged"))
    .select(["account_id", "poll_interval"])
    .select((eb) => [
      eb.fn.max<number>("last_request").as("last_request"),
      eb.fn.max<number | null>("last_poll").as("last_poll"),
      eb.fn.max<number | null>("error_at").as("error_at"),
      eb.fn.max<number | null>("walk_completed").as("walk_completed"),
      eb.fn.sum<number>("counted").as("counted"),
      eb.fn.sum<number>("stuck").as("stuck"),
      eb.fn.sum<number>("behind").as("behind"),
      eb.fn.sum<number>("records").as("records"),
      eb.fn.count<number>("walk_started").as("lists"),
      eb.fn.min<number | null>("behind_from").as("behind_from"),
      eb.fn.min<number | null>("stuck_since").as("stuck_since"),
      eb.fn.min<number | null>("oldest_acknowledged").as("oldest_acknowledged"),
    ])
    .groupBy(["account_id", "poll_interval"])
}

type Group = Awaited<ReturnType<ReturnType<typeof groupsOf>["execute"]>>[number]

function unreadDeletions(snapshot: Snapshot, now: number, accountId: string | undefined) {
  return snapshot.db
    .selectFrom(judgedLists(snapshot, { now, accountId }).as("judged"))
    .select(["account_id", "event_id", "kind", "covered"])
    .where("kind", "in", ["guest deletions", "item deletions"])
    .where("counted", "=", 1)
    .where("walk_completed", "is not", null)
    .whereRef("newest", ">=", "covered")
    .orderBy("covered")
    .limit(mostUnread)
}

/** The most lists of deletions whose deletions are counted. */
const mostUnread = 2000

/** Returns the last error of each account. */
async function readErrors(
  { db, run }: Snapshot,
  accountId: string | undefined,
): Promise<ReadonlyMap<string, LastError>> {
  const last = db
    .selectFrom("sync_state")
    .select("account_id")
    .select((eb) => eb.fn.max<number>("error_at").as("at"))
    .where("error_at", "is not", null)
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
  return new Map(rows.map((row) => [row.account_id, {
    at: row.error_at ?? 0,
    status: row.error_status ?? 0,
    code: row.error_code ?? "",
    requestId: row.error_request ?? "",
  }]))
}

function factsOf(account: AccountRow, groups: readonly Group[], now: number): PartnerFacts {
  return {
    now,
    isDisabled: account.disabled !== 0,
    refused: account.refused,
    lastPoll: greatest(groups.map(({ last_poll }) => last_poll)),
    lastError: greatest(groups.map(({ error_at }) => error_at)),
    lastLogIn: account.last_log_in,
    groups: groups.map(({ poll_interval, last_request }) => ({
      interval: poll_interval ?? thresholds.interval,
      lastRequest: last_request,
    })),
    stuck: sum(groups.map(({ stuck }) => stuck)),
    behind: sum(groups.map(({ behind }) => behind)),
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + Number(each), 0)
}

function greatest(numbers: readonly (number | null)[]): number | null {
  const known = numbers.filter((each) => each !== null)
  return known.length === 0 ? null : Math.max(...known)
}

function least(numbers: readonly (number | null)[]): number | null {
  const known = numbers.filter((each) => each !== null)
  return known.length === 0 ? null : Math.min(...known)
}
