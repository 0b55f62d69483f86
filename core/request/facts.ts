import type { MountedRoute } from "../routes/contract.ts"
import type { Stopwatch } from "./timing.ts"
import type { TraceContext } from "./trace-context.ts"

/** What the log says of a request. Nothing personal: see `describe-listing.ts`. */
export type Entry = {
  readonly id: string
  readonly traceId: string
  readonly spanId: string
  readonly method: string
  readonly address: string
  /** The route's pattern, and the plugin that it is of. */
  route?: string
  family?: string
  account?: string
  role?: string
  /** Of an error. */
  code?: string
  /** The parameters that were refused, by name; those that nobody knows are `unknown`. */
  rejected?: readonly string[]
  action?: "list" | "log-in"
  event?: string
  since?: number
  offset?: number
  searchLength?: number
  cursor?: string
  rows?: number
}

/** The entry of a request that has been answered. */
export type Line = Readonly<Entry> & {
  readonly status: number
  readonly bytes: number
  /** Milliseconds in all, and of these waiting for the database. */
  readonly ms: number
  readonly dbMs: number
}

/** A request that has been answered. */
export interface Answered {
  readonly line: Line
  readonly headers: Headers
  /** Undefined where there is none for the request. */
  readonly route: MountedRoute | undefined
  readonly trace: TraceContext
  /** Stopped. */
  readonly watch: Stopwatch
}

/** True for a route whose requests are too many and too dull to be told one by one. */
export function isQuiet(route: MountedRoute | undefined): boolean {
  return route?.kind === "handler" && route.quiet === true
}
