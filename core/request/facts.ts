import type { Admission } from "../access/admission.ts"
import type { SessionKey } from "../access/sessions.ts"
import type { Answer } from "../http/answer.ts"
import type { Problem } from "../http/problems.ts"
import type { List } from "../records/list.ts"
import type { LeftOut, Span } from "../records/page.ts"
import type { MountedRoute } from "../routes/contract.ts"
import type { Input } from "./authorize.ts"
import type { IncomingRequest, Stopwatch, TraceContext } from "./incoming-request.ts"
import type { RouteMatch } from "./route-table.ts"

/** The intermediate results of a request. `answer` fills them in, as far as the request comes. */
export interface Findings {
  readonly incoming: IncomingRequest
  match?: RouteMatch | undefined
  input?: Input | undefined
  /** What the cookie says, whether its session is still live or not. */
  key?: SessionKey | undefined
  admission?: Admission | undefined
  /** The database server that was asked last; empty if there is only one. */
  node?: string
  /** How often the request began again because a server could not answer it. */
  retries?: number
  /** Milliseconds that the request waited because of the limit per second. */
  delay?: number
  /** Milliseconds that the request was held, because it preferred to wait for something new. */
  waited?: number
  /** A log-in attempt. `username` is undefined if there is no account of that name. */
  logIn?: { readonly username: string | undefined }
  /** True if the caller's session has been ended, as they asked. */
  loggedOut?: true
  page?: PageFacts | undefined
  pages?: readonly PageFacts[] | undefined
  /** When a response began that is made while it is sent, in milliseconds since the request. */
  began?: number
  /** How such a response ended. */
  ending?: Ending
  problem?: Problem
}

/** What is known of a page from its records. Times are Unix seconds on the database's clock. */
export interface PageSummary {
  readonly rows: number
  /** The times of its oldest and newest record; undefined if it has none. */
  readonly span: Span | undefined
  readonly leftOut: readonly LeftOut[]
  /** The time from which the list is complete; undefined if it has no horizon. */
  readonly completeSince?: number | undefined
}

/** Facts about the page of a list that was sent. */
export interface PageFacts extends PageSummary {
  readonly list: List
  /** When the caller's rights were looked up: before the records were read. */
  readonly at: number
  /** The `since` of the walk. */
  readonly since: number
  /** The `Next-Since` of the walk. */
  readonly nextSince: number
  /** True for the first page of a walk. */
  readonly isFirst: boolean
  /** True if some records of the range may be left out: those that `q`, `bucket`, `hash` or `category` leaves out. */
  readonly isFiltered: boolean
  /** The times of the records on the page, both included; the rest of the range is on other pages of the walk. */
  readonly range: { readonly from: number; readonly to: number }
  /** Whether the copy that the client described by a digest is the same; undefined if it described none. */
  readonly isSame?: boolean | undefined
  /** The cursor of the request, which has proved valid. */
  readonly cursor?: string | undefined
  /** The `Poll-Interval` that was recommended, in seconds. */
  readonly pollInterval: number
  /** Present if it is the share of one list in a page of a feed. */
  readonly feed?: FeedShare
  /** True if more pages follow. After a 304 the client has them, if it ended the walk that the tag is from. */
  readonly hasNext: boolean
}

/** What a share of a page of a feed says besides. Times are Unix seconds. */
export interface FeedShare {
  /** What was deleted before is on no page of its walk, whatever `nextSince` is. */
  readonly bound: number
  /** The client has applied all that changed before; undefined if that is `since`. */
  readonly applied: number | undefined
  /** True if more of the walk follows. */
  readonly goesOn: boolean
}

/** How a response ended that was made while it was sent: with all records, a cursor for the rest, or in the middle. */
export type Ending = "complete" | "continued" | "cut"

/** An answer, and what is known of it. */
export interface Answered extends Answer {
  /** Present for a page of a list. */
  readonly page?: PageFacts
  /** What the page is of each list that it stands for; left out if it stands for none but its own. */
  readonly pages?: readonly PageFacts[]
  /** Present if the response is made while it is sent. */
  readonly streamed?: Streamed
  /** The records that were read for it, if it counts as several requests for that. */
  readonly charged?: number
}

/** A response that is still being made while it is sent. */
export interface Streamed {
  /** What may be sent. `rows` is not zero if there are any. */
  readonly begun: PageFacts
  readonly trailers?: Answer["trailers"]
  /** What was sent, as far as the service knows. Never rejects. */
  readonly ended: Promise<StreamEnd>
}

export interface StreamEnd {
  readonly page: PageFacts
  readonly ending: Ending
  /** Bytes of the body, as sent. */
  readonly bytes: number
  /** Why it was cut, if not because the client has gone. */
  readonly error?: unknown
}

/** The names of requests in the audit log. */
export const requestActions = ["list", "log-in", "log-out"] as const

/** The log's fields of a request, without those of its response. Nothing personal. */
export interface Entry {
  readonly id: string
  readonly traceId: string
  readonly spanId: string
  readonly method: string
  readonly address: string
  /** The route's pattern, and its plugin. */
  readonly route?: string
  readonly family?: string
  readonly action?: (typeof requestActions)[number]
  readonly event?: string
  readonly since?: number
  readonly offset?: number
  readonly searchLength?: number
  /** The caller. For a 401, whose session has ended; its name may be missing in cookies from before. */
  readonly account?: string
  /** The id of the account whose session has ended. */
  readonly accountId?: string
  /** The database server that was read; absent if there is only one. */
  readonly node?: string
  /** How often the request began again because a server could not answer it; absent if it did not. */
  readonly retries?: number
  /** Absent if nobody is logged in. */
  readonly role?: string
  readonly rows?: number
  readonly cursor?: string
  /** Absent while a response is still made, and for all responses that are made before they are sent. */
  readonly ending?: Ending
  /** The code of an error. */
  readonly code?: string
  /** The names of the refused parameters; `unknown` for names that no list has. */
  readonly rejected?: readonly string[]
}

/** The line of an answered request in the log. */
export interface Line extends Entry {
  readonly status: number
  readonly bytes: number
  /** Milliseconds in total. */
  readonly ms: number
  /** Milliseconds spent waiting for the database. */
  readonly dbMs: number
  /** Milliseconds until the response began, if it was made while it was sent. */
  readonly beginMs?: number
  /** Milliseconds spent waiting because of the limit per second; absent if there were none. */
  readonly delayMs?: number
  /** Milliseconds spent waiting for something new, as the client preferred; absent if there were none. */
  readonly waitedMs?: number
}

/** Facts about an answered request, for observers. */
export interface Facts {
  readonly line: Line
  /** Undefined if no page of a list was sent. */
  readonly page: PageFacts | undefined
  /** What was sent of each list: of a feed, as much as a page of each of its lists; else the page, if there is one. */
  readonly pages: readonly PageFacts[]
  /** True for health probes, which are logged at `debug` only. */
  readonly isQuiet: boolean
  readonly trace: TraceContext
  /** Stopped. */
  readonly watch: Stopwatch
  /** The route of the path, whether the caller may use it or not; undefined if there is none. */
  readonly route: MountedRoute | undefined
  /** The caller; undefined if nobody is logged in. */
  readonly admission: Admission | undefined
  /** The session that has ended, if the cookie is of one. */
  readonly ended: SessionKey | undefined
  /**
   * Calls `listener` once the response is sent in full (true) or the connection has closed before (false). Where nothing
   * is sent over a network, calls it at once with true.
   */
  readonly whenSent: (listener: (sent: boolean) => void) => void
}

/** Is called with the facts about each answered request. Must not throw. */
export type Observer = (facts: Facts) => void
