import { sql } from "kysely"
import type { Role, Snapshot } from "../../../core/capability.ts"
import {
  daysUntilResync,
  isBehind,
  type ListState,
  stateOfList,
  type SyncRow,
} from "./definitions.ts"
import { newestChanges } from "./newest-changes.ts"
import type { LastError } from "./partner-health.ts"
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
  /** True if the partner has a grant for the event now. */
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
  /** The newest change of the list. */
  readonly newest: number | null
  /** Seconds since the time that is covered, if there are newer changes; 0 if there are none. */
  readonly lag: number
  /** Of a list of deletions: days until its last `since` gets a 410. */
  readonly daysUntilResync: number | null
  readonly deletionsWaiting: number
  readonly moreDeletionsWaiting: boolean
  readonly records: number
  readonly lastError: LastError | null
}

/** Which lists to read. */
export interface ListSelection {
  readonly accountId?: string | undefined
  readonly eventId?: string | undefined
}

/** Reads how far one account is with all its lists, or all accounts with those of one event. */
export async function readLists(
  snapshot: Snapshot,
  { accountId, eventId }: ListSelection,
  { retention, at }: { readonly retention: number; readonly at?: number | undefined },
): Promise<readonly ListHealth[]> {
  const { db, dialect, run } = snapshot
  const rows = await run(
    db
      .selectFrom("sync_state as s")
      .innerJoin("account", "account.id", "s.account_id")
      .leftJoin("event", "event.id", "s.event_id")
      .leftJoin("organization", "organization.id", "event.organization_id")
      .leftJoin(
        newestChanges(snapshot, eventId).as("newest"),
        (join) =>
          join.onRef("newest.event_id", "=", "s.event_id").onRef("newest.kind", "=", "s.kind"),
      )
      .selectAll("s")
      .select([
        "account.username",
        "account.role",
        "event.name as event_name",
        "event.status as event_status",
        "organization.slug as organization",
        "newest.at as newest",
        dialect.now.as("now"),
      ])
      .select(sql<number>`case when exists (select 1 from access_grant as g
        where g.account_id = s.account_id and (g.ends is null or g.ends > ${dialect.now})
          and (g.event_id = s.event_id or g.organization_id = event.organization_id))
        then 1 else 0 end`.as("has_grant"))
      .$if(accountId !== undefined, (query) => query.where("s.account_id", "=", accountId ?? ""))
      .$if(eventId !== undefined, (query) => query.where("s.event_id", "=", eventId ?? "")),
  )
  const [state] = await run(db.selectFrom("change_state").select("complete_since"))
  const unread = rows.flatMap((row) => {
    const covered = row.completed_next
    const isUnread = isDeletions(row.kind) && covered !== null && (row.newest ?? 0) >= covered
    // Under a name of its own, each list has a count of its own.
    return isUnread ? [{ ...row, account_id: nameOf(row), covered }] : []
  })
  const waiting = await countDeletions(snapshot, unread)
  return rows.map((row): ListHealth => {
    const now = at ?? row.now
    const completeSince = state?.complete_since ?? 0
    const covered = row.completed_next
    const { count = 0, more = false } = waiting.get(nameOf(row)) ?? {}
    const judged = row.has_grant || row.event_id === ""
      ? stateOfList(row, row.newest, now)
      : "silent"
    return {
      accountId: row.account_id,
      account: row.username,
      role: row.role,
      eventId: row.event_id || null,
      eventName: row.event_name,
      eventStatus: row.event_status,
      organization: row.organization,
      family: row.family,
      prefix: row.prefix,
      list: row.list,
      kind: row.kind,
      state: judged,
      hasGrant: Boolean(row.has_grant),
      lastPoll: row.last_poll,
      pollInterval: row.poll_interval,
      actualInterval: row.previous_started === null || row.walk_started === null
        ? null
        : row.walk_started - row.previous_started,
      walkStarted: row.walk_started,
      walkSince: row.walk_since,
      walkCompleted: row.walk_completed,
      acknowledged: row.acknowledged,
      covered,
      newest: row.newest,
      lag: isBehind(row, row.newest, now) ? now - (covered ?? row.first_started ?? now) : 0,
      daysUntilResync: isDeletions(row.kind) && row.acknowledged !== null
        ? daysUntilResync(row.acknowledged, { completeSince, now, retention })
        : null,
      deletionsWaiting: count,
      moreDeletionsWaiting: more,
      records: row.records,
      lastError: row.error_at === null ? null : {
        at: row.error_at,
        status: row.error_status ?? 0,
        code: row.error_code ?? "",
        requestId: row.error_request ?? "",
      },
    }
  })
}

function isDeletions(kind: ListKind): boolean {
  return kind === "guest deletions" || kind === "item deletions"
}

function nameOf({ account_id, event_id, prefix, list }: SyncRow): string {
  return `${account_id} ${event_id} ${prefix} ${list}`
}
