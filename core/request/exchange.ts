import type { Admission } from "../access/admission.ts"
import type { SessionKey } from "../access/sessions.ts"
import type { Answer } from "../http/answer.ts"
import type { Problem } from "../http/problems.ts"
import type { List } from "../records/lists/list.ts"
import type { Span } from "../records/lists/page.ts"
import type { OmittedRecord } from "../records/kinds/values.ts"
import type { RequestInput } from "./authorize.ts"
import type { IncomingRequest } from "./incoming-request.ts"
import { listingParameters } from "./listing/parameters.ts"
import type { RouteMatch } from "./route-table.ts"

/** The record of a request and its response, for observers: once it is sent, when nothing of it changes any more. */
export interface Exchange {
  readonly asked: Readonly<RoutedRequest>
  readonly decided: Readonly<Decision>
  readonly sent: SentResponse
  /** The session that has ended, if a 401 is for one. */
  readonly ended: SessionKey | undefined
  /** The name of the caller, or else of the account whose session has ended or that a log-in is for. */
  readonly account: string | undefined
  /** The names of the refused parameters; `unknown` for names that no list has: anyone may type anything. */
  readonly rejected: readonly string[] | undefined
}

/** An exchange before the response: `answer` fills it in, as far as the request comes. */
export interface OpenExchange {
  readonly asked: RoutedRequest
  readonly decided: Decision
}

/** The names of requests in the audit log. */
export const requestActions = ["list", "log-in", "log-out"] as const

/** A request, and what its path, query and credentials say. */
export interface RoutedRequest extends IncomingRequest {
  /** The route of the path, whether the caller may use it or not; undefined if there is none. */
  match?: RouteMatch | undefined
  input?: RequestInput | undefined
  /** What the cookie says, whether its session is still live or not. */
  key?: SessionKey | undefined
  /** Undefined if the audit log has no requests of its kind. */
  action?: (typeof requestActions)[number] | undefined
}

/** What the service decided about a request. */
export interface Decision {
  /** The caller; undefined if nobody is logged in. */
  admission?: Admission | undefined
  /** The name of the account that a log-in is for; undefined if there is none. */
  username?: string
  /** The database server that was asked last; empty if there is only one. */
  node?: string
  /** How often the request began again because a server could not answer it. */
  retries?: number
  /** Milliseconds that the request waited because of the limit per second. */
  delay?: number
  /** Milliseconds that the request was held, because it preferred to wait for something new. */
  waited?: number
}

/** What was sent in response. */
export interface SentResponse {
  readonly status: number
  /** Bytes of the body. */
  readonly bytes: number
  /** Undefined if no page of a list was sent. */
  readonly page: SentPage | undefined
  /** What was sent of each list: of a feed, as much as a page of each of its lists; else the page, if there is one. */
  readonly pages: readonly SentPage[]
  /** The error that it reports, or that cut it. */
  readonly problem?: Problem | undefined
  /** When a streamed response began, in milliseconds since the request. */
  readonly began?: number
  /** How a streamed response ended; undefined until then. */
  readonly ending?: StreamEnding
  /** False if the connection has closed before all of it was sent, and until the end of a streamed response. */
  readonly isWhole: boolean
}

/** How a streamed response ended: with all records, with a cursor for the rest, or in the middle. */
export type StreamEnding = "complete" | "continued" | "cut"

/** What was sent of a list. Times are Unix seconds on the database's clock. */
export interface SentPage {
  readonly list: List
  readonly rows: number
  /** The times of its oldest and newest record; undefined if it has none. */
  readonly span: Span | undefined
  readonly leftOut: readonly OmittedRecord[]
  /** The time from which the list is complete; undefined if it has no horizon. */
  readonly completeSince?: number | undefined
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
  /** Present if it is one list's share of a feed's page. */
  readonly feed?: FeedShare
  /** True if more pages follow. After a 304, the client has them if it finished the walk of its tag. */
  readonly hasNext: boolean
}

/** What else is known of a share of a feed's page. Times are Unix seconds. */
export interface FeedShare {
  /** What was deleted before is on no page of its walk, whatever `nextSince` is. */
  readonly bound: number
  /** The client has applied everything that changed before; undefined if that is `since`. */
  readonly applied: number | undefined
  /** True if more of the walk follows. */
  readonly goesOn: boolean
}

/** An answer to a request for a list. */
export interface ListAnswer extends Answer {
  /** Missing if the answer has no page. */
  readonly page?: SentPage
  /** The shares of the lists that it stands for; left out if it stands only for its own. */
  readonly pages?: readonly SentPage[]
  /** Present if the response is streamed. */
  readonly streamed?: StreamedResponse
  /** The records that were read for it, if it counts as several requests for that. */
  readonly charged?: number
}

/** A response that is made while it is sent. */
export interface StreamedResponse {
  /** What may be sent. `rows` is not zero if there are any. */
  readonly begun: SentPage
  readonly trailers?: Answer["trailers"]
  /** What was sent, as far as the service knows. Never rejects. */
  readonly ended: Promise<StreamEnd>
}

export interface StreamEnd {
  readonly page: SentPage
  readonly ending: StreamEnding
  /** Bytes of the body, as sent. */
  readonly bytes: number
  /** Why it was cut, if not because the client has gone. */
  readonly error?: unknown
}

/** Called with the record of each answered request. Must not throw. */
export type Observer = (exchange: Exchange) => void

/** Returns the record of an exchange, with what several observers need to know of it. */
export function recordOf({ asked, decided }: OpenExchange, sent: SentResponse): Exchange {
  const { admission, username } = decided
  const ended = !admission && sent.problem?.code === "unauthenticated" ? asked.key : undefined
  const account = username ?? admission?.session.account.username ?? ended?.username
  const rejected = sent.problem?.errors?.map(({ parameter }) =>
    knownNames.has(parameter) ? parameter : "unknown"
  )
  return { asked, decided, sent, ended, account, rejected }
}

/** Returns true for health probes, which are logged at `debug` only. */
export function isProbe({ asked: { match } }: Pick<Exchange, "asked">): boolean {
  return match?.route.kind === "handler" && match.route.quiet === true
}

const knownNames = new Set([...Object.keys(listingParameters), "eventId", "id"])
