import { sql } from "kysely"
import { type Database, type Role, roleOf, type Snapshot } from "../../../core/capability.ts"
import { daysUntilResync, type ListState, type Reading, worstLists } from "./definitions.ts"
import {
  coveredUntil,
  forgottenFrom,
  isBehind,
  lacksSkipped,
  stateOfList,
} from "./list-conditions.ts"
import { readGrants } from "./lost-events.ts"
import { newestChanges } from "./newest-changes.ts"
import { type HealthOptions, type LastError, lastErrorOf, readAtOneTime } from "./partner-health.ts"
import { countDeletions } from "./waiting-deletions.ts"
import type { ListKind } from "./tables.ts"

/** How far a partner is with one list. Times are Unix seconds; null means never, or not known. */
export interface ListHealth {
  readonly accountId: string
  readonly account: string
  readonly role: Role
  /** Null for a list that is of no event. */
  readonly eventId: string | null
  /** Null if the event does not exist any more. */
  readonly eventName: string | null
  readonly eventStatus: string | null
  readonly organization: string | null
  /** The plugin, and the prefix of its paths. */
  readonly family: string
  readonly prefix: string
  readonly list: string
  readonly kind: ListKind
  readonly state: ListState
  /** True if a grant lets the partner read the event now, from the address of its last request. */
  readonly hasGrant: boolean
  readonly lastPoll: number | null
  /** The recommended interval, and the time between the last two walks. */
  readonly pollInterval: number | null
  readonly actualInterval: number | null
  readonly walkStarted: number | null
  readonly walkSince: number | null
  readonly walkCompleted: number | null
  /** Everything that changed before has been applied: the partner's last `since` says so. */
  readonly acknowledged: number | null
  /** Everything that changed before has been sent, by a walk that was completed. */
  readonly covered: number | null
  /** It lacks changes from before this time: the `since` that it sent, later than what had been sent to it. */
  readonly skippedTo: number | null
  /** The `since` of its last walk, if that was in the future. */
  readonly asksSince: number | null
  /** The newest change of the list. */
  readonly newest: number | null
  /** Seconds since the time from which it lacks changes; 0 if it has them, or was not asked to have them yet. */
  readonly lag: number
  /** Of a list of deletions: days until its last `since` gets a 410 at the earliest. */
  readonly daysUntilResync: number | null
  readonly deletionsWaiting: number
  readonly moreDeletionsWaiting: boolean
  readonly records: number
  readonly lastError: LastError | null
}

/** Sorts lists: the worst first, and of the same state those that are furthest behind. */
export function byTrouble(a: ListHealth, b: ListHealth): number {
  return worstLists.indexOf(a.state) - worstLists.indexOf(b.state) || b.lag - a.lag
}

/** Which lists to read: all of one account, or those of one event. */
interface ListSelection {
  readonly accountId?: string
  readonly eventId?: string
}

/**
 * Returns who reads an event: each account with each list of the event that it has requested, by account, family and
 * list, and how far it is. Includes operators. The id is in lower case.
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

/** Reads how far one account is with all its lists, or all accounts with the lists of one event. */
export async function readLists(
  snapshot: Snapshot,
  by: Reading,
  { accountId, eventId }: ListSelection,
): Promise<readonly ListHealth[]> {
  const { db, run } = snapshot
  const { now } = by
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
      .select([
        "s.account_id as accountId",
        "account.username as account",
        roleOf.as("role"),
        sql<string | null>`nullif(s.event_id, '')`.as("eventId"),
        "event.name as eventName",
        "event.status as eventStatus",
        "organization.slug as organization",
        "s.family",
        "s.prefix",
        "s.list",
        "s.kind",
        "event.organization_id as organizationId",
        stateOfList(now).as("state"),
        "s.last_poll as lastPoll",
        "s.poll_interval as pollInterval",
        sql<number | null>`s.walk_started - s.previous_started`.as("actualInterval"),
        "s.walk_started as walkStarted",
        "s.walk_since as walkSince",
        "s.walk_completed as walkCompleted",
        "s.acknowledged",
        "s.completed_next as covered",
        "newest.at as newest",
        sql<number>`case when ${lacksSkipped(now)} then ${now} - s.skipped_from
          when ${isBehind(now)} then ${now} - ${coveredUntil}
          else 0 end`.as("lag"),
        sql<number | null>`case when ${lacksSkipped(now)} then s.skipped_to end`.as("skippedTo"),
        sql<number | null>`case when s.walk_since > s.walk_started then s.walk_since end`
          .as("asksSince"),
        forgottenFrom(now, by.completeSince).as("daysUntilResync"),
        sql<number>`0`.as("deletionsWaiting"),
        sql<boolean>`0`.as("moreDeletionsWaiting"),
        "s.records",
      ])
      .select([
        "s.error_at",
        "s.error_status",
        "s.error_code",
        "s.error_request",
        "s.error_parameters",
      ])
      .$if(accountId !== undefined, (query) => query.where("s.account_id", "=", accountId ?? ""))
      .$if(eventId !== undefined, (query) => query.where("s.event_id", "=", eventId ?? "")),
  )
  const isDeletions = ({ kind }: { readonly kind: ListKind }) =>
    kind === "guest deletions" || kind === "item deletions"
  const unread = rows.flatMap((row) => {
    const { covered, newest, eventId, kind } = row
    const isUnread = isDeletions(row) && covered !== null && (newest ?? 0) >= covered
    // Under a name of its own, each list has a count of its own.
    return isUnread ? [{ account_id: nameOf(row), event_id: eventId ?? "", kind, covered }] : []
  })
  const waiting = await countDeletions(snapshot, unread)
  const isGranted = await readGrants(snapshot, by, rows)
  return rows.map((all) => {
    // There may be hundreds: each is copied once.
    const {
      organizationId,
      error_at,
      error_status,
      error_code,
      error_request,
      error_parameters,
      ...row
    } = all
    const error = { error_at, error_status, error_code, error_request, error_parameters }
    const hasGrant = isGranted({ accountId: row.accountId, eventId: row.eventId, organizationId })
    const { daysUntilResync: from } = row
    const { count = 0, more = false } = waiting.get(nameOf(row)) ?? {}
    return {
      ...row,
      hasGrant,
      state: hasGrant || row.eventId === null ? row.state : "no access",
      daysUntilResync: isDeletions(row) && from !== null ? daysUntilResync(from, by) : null,
      deletionsWaiting: count,
      moreDeletionsWaiting: more,
      lastError: lastErrorOf(error),
    }
  })
}

function nameOf(
  { accountId, eventId, prefix, list }: Pick<
    ListHealth,
    "accountId" | "eventId" | "prefix" | "list"
  >,
): string {
  return `${accountId} ${eventId} ${prefix} ${list}`
}
