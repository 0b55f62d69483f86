import { sql } from "kysely"
import { type Role, roleOf } from "../../../core/accounts.ts"
import type { Database, Snapshot } from "../../../core/capability.ts"
import {
  daysUntilResync,
  type ListState,
  type Reading,
  type SyncRow,
  worstLists,
} from "./definitions.ts"
import { forgottenFrom } from "./acknowledged-deletions.ts"
import { type Cause, causeOfDelay, causeOfStuck } from "./causes.ts"
import { doubtOf, isAhead, isLate, lacksSkipped, type Present, stateOfList } from "./deadlines.ts"
import { isGapFilled } from "./list-conditions.ts"
import { byFilter, placeOf, timesOf } from "./list-filters.ts"
import { readGrants } from "./lost-events.ts"
import { nameOf } from "./progress.ts"
import { newestChanges } from "./newest-changes.ts"
import { type LastError, lastErrorOf } from "./last-errors.ts"
import { type HealthOptions, readAtOneTime } from "./partner-health.ts"
import { countDeletions } from "./waiting-deletions.ts"
import type { ListKind } from "./tables.ts"

/** A partner's progress on one list. Times are Unix seconds; null means never or unknown. */
export interface ListHealth {
  readonly accountId: string
  readonly account: string
  readonly role: Role
  /** Null for a list that does not belong to an event. */
  readonly eventId: string | null
  /** Null if the event no longer exists. */
  readonly eventName: string | null
  readonly eventStatus: string | null
  readonly organization: string | null
  /** The plugin, and the prefix of its paths. */
  readonly family: string
  readonly prefix: string
  readonly list: string
  readonly kind: ListKind
  readonly state: ListState
  /** Why it is stuck, behind or partial. */
  readonly cause: Cause | null
  /** True if a grant lets the partner read the event now, from the address of its last request. */
  readonly hasGrant: boolean
  readonly lastPoll: number | null
  /** The recommended interval; then the time between the last two walks. */
  readonly pollInterval: number | null
  readonly actualInterval: number | null
  readonly walkStarted: number | null
  readonly walkSince: number | null
  readonly walkCompleted: number | null
  /** The partner has applied everything that changed before this time, according to its last `since`. */
  readonly acknowledged: number | null
  /** A completed walk has sent everything that changed before this time. */
  readonly covered: number | null
  /** The `since` that it sent although changes from before that time had not been sent to it; null if it lacks none. */
  readonly skippedTo: number | null
  /** The `since` of its last walk if it lies in the future. */
  readonly asksSince: number | null
  /** The newest change of the list. */
  readonly newest: number | null
  /** Seconds since the time from which it lacks changes; 0 if it lacks none, or still has time to fetch them. */
  readonly lag: number
  /** For a list of deletions: days until its last `since` may get a 410. */
  readonly daysUntilResync: number | null
  readonly deletionsWaiting: number
  readonly moreDeletionsWaiting: boolean
  readonly records: number
  readonly lastError: LastError | null
}

/** Compares lists: worst state first, then those furthest behind. */
export function byTrouble(a: ListHealth, b: ListHealth): number {
  return worstLists.indexOf(a.state) - worstLists.indexOf(b.state) || b.lag - a.lag
}

/** Which lists to read: those of one account or of one event. */
interface ListSelection {
  readonly accountId?: string
  readonly eventId?: string
}

/**
 * Returns who reads an event, and how far they are: each list of the event with each account that has requested it,
 * sorted by account, family and list. Includes operators. The id is in lower case.
 *
 * @throws {Unavailable}
 */
export async function findReaders(
  database: Database,
  eventId: string,
  options: HealthOptions,
): Promise<readonly ListHealth[]> {
  return await readAtOneTime(database, options, async (snapshot, by) => {
    const lists = await readLists(snapshot, by, { eventId })
    return lists.toSorted((a, b) => sortKey(a) < sortKey(b) ? -1 : 1)
  })
}

function sortKey({ account, prefix, list }: ListHealth): string {
  return `${account} ${prefix} ${list}`
}

/** Reads the progress of one account on all its lists, or of all accounts on the lists of one event. */
export async function readLists(
  snapshot: Snapshot,
  by: Reading,
  { accountId, eventId }: ListSelection,
): Promise<readonly ListHealth[]> {
  const { db, run } = snapshot
  const { now, filters } = by
  const newest = byFilter(filters, (filter) => {
    if (!filter) return sql<number | null>`newest.at`
    const of = (kind: ListKind) => timesOf({ kind, category: "guests", filter }).limit(1)
    return sql<number | null>`case s.kind when 'guests' then ${of("guests")}
      when 'guest deletions' then ${of("guest deletions")} else newest.at end`
  })
  const rows = await run(
    db
      .selectFrom("sync_state as s")
      .innerJoin("account", "account.id", "s.account_id")
      .leftJoin("event", "event.id", "s.event_id")
      .leftJoin("organization", "organization.id", "event.organization_id")
      .leftJoin(
        newestChanges(snapshot, { accountId, eventId }).as("newest"),
        (join) =>
          join.onRef("newest.event_id", "=", "s.event_id").onRef("newest.kind", "=", "s.kind"),
      )
      .selectAll("s")
      .select([
        "account.username as account",
        roleOf.as("role"),
        "event.name as eventName",
        "event.status as eventStatus",
        "organization.slug as organization",
        "event.organization_id as organizationId",
        newest.as("newest"),
        isGapFilled(filters).as("is_gap_filled"),
        forgottenFrom(by).as("forgotten_from"),
        placeOf(filters).as("filter"),
      ])
      .$if(accountId !== undefined, (query) => query.where("s.account_id", "=", accountId ?? ""))
      .$if(eventId !== undefined, (query) => query.where("s.event_id", "=", eventId ?? "")),
  )
  const unread = rows.flatMap((row) => {
    const { completed_next: covered, newest, event_id, kind, filter } = row
    const isUnread = isDeletions(row) && covered !== null && (newest ?? 0) >= covered
    // Each list is counted under its own name.
    return isUnread ? [{ account_id: nameOf(row), event_id, kind, filter, covered }] : []
  })
  const waiting = await countDeletions(snapshot, filters, unread)
  const isGranted = await readGrants(
    snapshot,
    by,
    rows.map(({ account_id: accountId, event_id: eventId, organizationId }) => (
      { accountId, eventId, organizationId }
    )),
  )
  const polls = Map.groupBy(rows, ({ account_id }) => account_id)
  const polled = (accountId: string) =>
    Math.max(...(polls.get(accountId) ?? []).map(({ last_poll }) => last_poll ?? 0))
  return rows.map((row): ListHealth => {
    const { account_id: accountId, event_id, newest, organizationId } = row
    const eventId = event_id === "" ? null : event_id
    const hasGrant = isGranted({ accountId, eventId, organizationId })
    const present = { now, newest, isGapFilled: row.is_gap_filled === 1 }
    const { count = 0, more = false } = waiting.get(nameOf(row)) ?? {}
    const state = hasGrant || eventId === null ? stateOfList(row, present) : "no access"
    return {
      accountId,
      account: row.account,
      role: row.role,
      eventId,
      eventName: row.eventName,
      eventStatus: row.eventStatus,
      organization: row.organization,
      family: row.family,
      prefix: row.prefix,
      list: row.list,
      kind: row.kind,
      hasGrant,
      state,
      cause: causeOf(row, state, { ...present, polled: polled(accountId) }),
      ...progressOf(row, present),
      newest,
      daysUntilResync: isDeletions(row) && row.forgotten_from !== null
        ? daysUntilResync(row.forgotten_from, by)
        : null,
      deletionsWaiting: count,
      moreDeletionsWaiting: more,
      records: row.records,
      lastError: lastErrorOf(row),
    }
  })
}

function isDeletions({ kind }: Pick<SyncRow, "kind">): boolean {
  return kind === "guest deletions" || kind === "item deletions"
}

function causeOf(
  row: SyncRow,
  state: ListState,
  { polled, ...present }: Present & { readonly polled: number },
): Cause | null {
  if (state === "stuck") return causeOfStuck(row)
  if (state === "behind") {
    return causeOfDelay(row, { isSkipped: lacksSkipped(row, present), polled })
  }
  return state === "partial" ? doubtOf(row, present.isGapFilled) ?? null : null
}

/** Returns the progress on a list. */
function progressOf(row: SyncRow, present: Present) {
  const { walk_started, previous_started } = row
  const lacks = lacksSkipped(row, present)
  const from = lacks ? row.skipped_from : isLate(row, present) ? row.covered_until : null
  return {
    lastPoll: row.last_poll,
    pollInterval: row.poll_interval,
    actualInterval: walk_started === null || previous_started === null
      ? null
      : walk_started - previous_started,
    walkStarted: walk_started,
    walkSince: row.walk_since,
    walkCompleted: row.walk_completed,
    acknowledged: row.acknowledged,
    covered: row.completed_next,
    lag: from === null ? 0 : present.now - from,
    skippedTo: lacks ? row.skipped_to : null,
    asksSince: isAhead(row) ? row.walk_since : null,
  }
}
