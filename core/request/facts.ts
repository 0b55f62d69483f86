import type { Admission } from "../access/admission.ts"
import type { Problem } from "../http/problems.ts"
import type { Input } from "./authorize.ts"
import type { IncomingRequest, Stopwatch, TraceContext } from "./incoming-request.ts"
import type { RouteMatch } from "./route-table.ts"

/** The intermediate results of a request. `answer` fills them in, as far as the request comes. */
export interface Findings {
  readonly incoming: IncomingRequest
  match?: RouteMatch | undefined
  input?: Input | undefined
  admission?: Admission | undefined
  /** Milliseconds that the request waited because of the limit per second. */
  delay?: number
  /** A log-in attempt. `username` is undefined if there is no account of that name. */
  logIn?: { readonly username: string | undefined }
  page?: PageFacts | undefined
  problem?: Problem
}

/** Facts about the page of a list that was sent. */
export interface PageFacts {
  /** The list's name. */
  readonly list: string
  readonly rows: number
  /** The cursor of the request, which has proved valid. */
  readonly cursor: string | undefined
  /** The `Poll-Interval` that was recommended, in seconds. */
  readonly pollInterval: number
  /** True if more pages follow that the client may not have yet. */
  readonly hasNext: boolean
}

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
  readonly action?: "list" | "log-in"
  readonly event?: string
  readonly since?: number
  readonly offset?: number
  readonly searchLength?: number
  readonly account?: string
  readonly role?: string
  readonly rows?: number
  readonly cursor?: string
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
  /** Milliseconds spent waiting because of the limit per second; absent if there were none. */
  readonly delayMs?: number
}

/** Facts about an answered request, for observers. */
export interface Facts {
  readonly line: Line
  /** Undefined if no page of a list was sent. */
  readonly page: PageFacts | undefined
  /** True for health probes, which are logged at `debug` only. */
  readonly isQuiet: boolean
  readonly trace: TraceContext
  /** Stopped. */
  readonly watch: Stopwatch
}

/** Is called with the facts about each answered request. Must not throw. */
export type Observer = (facts: Facts) => void
