import type { Role } from "../../../core/accounts.ts"
import { type Database, recordedSince, type Snapshot } from "../../../core/capability.ts"
import type { Cause } from "./causes.ts"
import type { PartnerState, Reading } from "./definitions.ts"
import type { LastError } from "./last-errors.ts"
import { knowsErrors } from "./list-errors.ts"
import { readFilters } from "./list-filters.ts"
import type { LastRequest, NoAccess } from "./no-access.ts"
import type { Schema } from "../../../core/tables.ts"

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
  /** The last request for a list, answered or refused, to the minute. */
  readonly lastRequest: LastRequest | null
  /** When it last completed a walk of any list. */
  readonly lastCompleted: number | null
  readonly lastLogIn: number | null
  /** The shortest `Poll-Interval` that it was recommended for one of its lists, in seconds. */
  readonly pollInterval: number | null
  /** Numbers of lists: all that it reads, those it is stuck with, and those it is behind with. */
  readonly lists: number
  readonly stuck: number
  readonly behind: number
  /** Number of lists for which it is unknown whether the partner has all. */
  readonly partial: number
  /** Why it does not have all of its lists, worst first. */
  readonly causes: readonly Cause[]
  /** How far it is behind with its worst list, in seconds; 0 if it is not behind. */
  readonly lag: number
  /** Days until one of its lists of deletions may get a 410, 0 or less if it does now; null if it has none. */
  readonly daysUntilResync: number | null
  /** Number of deletions that were not in a completed walk yet, and whether there are even more. */
  readonly deletionsWaiting: number
  readonly moreDeletionsWaiting: boolean
  /** Number of records sent so far. */
  readonly records: number
  readonly lastError: LastError | null
  /** Why it can no longer read anything; null if it can. */
  readonly noAccess: NoAccess | null
  /** The last request or log-in refused with 401. */
  readonly refused: UnauthorizedRequest | null
  /** When the last of its live sessions and tokens ends; null if it has none. */
  readonly sessionEnds: number | null
  readonly sessions: number
  readonly tokens: number
}

/** A request refused with 401. */
export interface UnauthorizedRequest {
  readonly at: number
  readonly code: string | null
  readonly requestId: string | null
  /** What had ended; null if that is no longer known, undefined for a log-in. */
  readonly ended: EndedCredential | null | undefined
  readonly address: string | null
}

/** A session or token that has ended; with the reason if it ended early. */
export interface EndedCredential {
  readonly kind: "session" | "token"
  readonly reason: Schema["session"]["reason"]
}

/** Options for reading partners' health. */
export interface HealthOptions {
  /** How long deletions are kept, in seconds: `polling.retention`. */
  readonly retention: number
  /** The time to judge by, in Unix seconds; now by default. */
  readonly at?: number | undefined
  /**
   * Skips the lists of partners that are well, if all accounts are read. `lists`, `records` and `lastCompleted` are
   * then known only for partners with a list that is stuck, behind or partial.
   */
  readonly isBrief?: boolean
}

/** Reads in a snapshot, and judges everything by the same time. @throws {Unavailable} */
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
    const filters = await readFilters(snapshot, database)
    return await read(snapshot, { ...by, filters, hasAudit: knowsErrors(database) })
  })
}
