import type { Admission } from "../access/admission.ts"
import type { Problem } from "../http/problems.ts"
import type { Input } from "./authorize.ts"
import type { IncomingRequest, Stopwatch, TraceContext } from "./incoming-request.ts"
import type { RouteMatch } from "./route-table.ts"

/** How far a request came: the intermediate results of `answer`, which fills them in. */
export interface Findings {
  readonly incoming: IncomingRequest
  match?: RouteMatch
  input?: Input
  admission?: Admission | undefined
  /** An attempt to log in; without a name if no account has the one that was typed. */
  logIn?: { readonly username: string | undefined }
  page?: PageFacts | undefined
  problem?: Problem
}

/** What is known of the page of a list that was sent. */
export interface PageFacts {
  /** The list's name. */
  readonly list: string
  readonly rows: number
  /** The cursor that it was asked for by, which has proved valid. */
  readonly cursor: string | undefined
  /** The `Poll-Interval` that was recommended, in seconds. */
  readonly pollInterval: number
  /** True if more pages follow. */
  readonly hasNext: boolean
}

/** What the log tells of a request before it has been answered. Nothing personal. */
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
  /** Milliseconds in all, and those spent waiting for the database. */
  readonly ms: number
  readonly dbMs: number
}

/** What observers learn of an answered request. */
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

/** Learns of every answered request. Must not fail. */
export type Observer = (facts: Facts) => void
