import type { Role } from "../../../core/accounts.ts"
import { type Database, recordedSince, type Snapshot } from "../../../core/capability.ts"
import type { PartnerState, Reading, SyncRow } from "./definitions.ts"
import { knowsErrors } from "./list-errors.ts"
import type { LastRequest, NoAccess } from "./no-access.ts"

/** How a partner's synchronization is going. Times are Unix seconds on the database's clock; null means never. */
export interface PartnerHealth {
  readonly accountId: string
  readonly account: string
  readonly role: Role
  readonly state: PartnerState
  /** Why, in a sentence. */
  readonly reason: string
  /** Since when it has been in this state, as far as that is known. */
  readonly since: number | null
  /** The last page or 304. */
  readonly lastPoll: number | null
  /** The last request for a list, answered or refused, exact to a minute. */
  readonly lastRequest: LastRequest | null
  /** The last time that a walk of any list was completed. */
  readonly lastCompleted: number | null
  readonly lastLogIn: number | null
  /** The shortest `Poll-Interval` that it was recommended for one of its lists, in seconds. */
  readonly pollInterval: number | null
  /** The numbers of lists: all that it reads, and those that it is stuck with or behind with. */
  readonly lists: number
  readonly stuck: number
  readonly behind: number
  /** Of those that it is behind with: lists with changes that it has skipped. */
  readonly skipping: number
  /** Lists that it asked for since a time in the future. */
  readonly ahead: number
  /** Lists of which it reads a part only, or of which it is not known whether it has all, and events that are not over of which it reads none. */
  readonly partial: number
  readonly unreadEvents: number
  /** How far the list that is furthest behind is behind the clock, in seconds; 0 if none is. */
  readonly lag: number
  /** Days until a `since` of its lists of deletions gets a 410 at the earliest, 0 or less if it does now; null if none. */
  readonly daysUntilResync: number | null
  /** Deletions that no completed walk has contained yet, and whether there are even more. */
  readonly deletionsWaiting: number
  readonly moreDeletionsWaiting: boolean
  /** Number of records sent so far. */
  readonly records: number
  readonly lastError: LastError | null
  /** Why it can read nothing any more, if so. */
  readonly noAccess: NoAccess | null
  /** The last request or log-in that was refused with 401. */
  readonly refused: UnauthorizedRequest | null
  /** When the last of its live sessions ends at the latest; null if it has none. */
  readonly sessionEnds: number | null
  readonly sessions: number
}

/** The last error of a partner, or of one of its lists. */
export interface LastError {
  readonly at: number
  readonly status: number
  readonly code: string
  readonly requestId: string
  /** The parameters that were refused. */
  readonly parameters?: string | null
}

/** Returns the last error of a row of `sync_state`; null if there was none. */
export function lastErrorOf(
  row: Pick<
    SyncRow,
    "error_at" | "error_status" | "error_code" | "error_request" | "error_parameters"
  >,
): LastError | null {
  return row.error_at === null ? null : {
    at: row.error_at,
    status: row.error_status ?? 0,
    code: row.error_code ?? "",
    requestId: row.error_request ?? "",
    parameters: row.error_parameters,
  }
}

/** A request that was refused with 401. */
export interface UnauthorizedRequest {
  readonly at: number
  readonly code: string | null
  readonly requestId: string | null
  readonly session: string | null
  readonly address: string | null
}

/** What a reading needs to know besides the database. */
export interface HealthOptions {
  /** How long deletions are kept, in seconds: `polling.retention`. */
  readonly retention: number
  /** The time to judge by, in Unix seconds, if it is not now. */
  readonly at?: number | undefined
  /**
   * Does not read all lists, if all accounts are read. `lists`, `records` and `lastCompleted` are then known only of
   * partners with lists that are stuck, behind or partial.
   */
  readonly isBrief?: boolean
}

/** Reads in a snapshot, and judges all by the same time. @throws {Unavailable} */
export async function readAtOneTime<Result>(
  database: Database,
  { retention, at, isBrief = false }: HealthOptions,
  read: (snapshot: Snapshot, by: Reading) => Promise<Result>,
): Promise<Result> {
  return await database.snapshot(async (snapshot) => {
    const { db, dialect, run } = snapshot
    const [state] = await run(
      db
        .selectNoFrom(dialect.now.as("now"))
        .select((eb) =>
          eb.selectFrom("change_state").select(recordedSince.as("at")).where("id", "=", 1).as(
            "since",
          )
        ),
    )
    const { now = 0, since } = state ?? {}
    const by = { now: at ?? now, retention, completeSince: since ?? 0, isBrief }
    return await read(snapshot, { ...by, hasAudit: knowsErrors(database) })
  })
}
