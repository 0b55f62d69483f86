import { randomUUID } from "node:crypto"
import { performance } from "node:perf_hooks"
import type { WaitObserver } from "../data/database.ts"
import type { Peer } from "../http/answer.ts"

/** A request that has arrived. */
export interface IncomingRequest {
  /** Of a handler, one whose body has arrived. */
  request: Request
  readonly method: string
  readonly url: URL
  /** The IP address that it comes from. */
  readonly address: string
  readonly whenGone: Peer["whenGone"]
  /** Identifies the request in the log and in its response. */
  readonly id: string
  /** The trace that the caller says it is part of (W3C Trace Context), for the log. */
  readonly traceId: string | undefined
  /** Runs since the arrival. */
  readonly watch: Stopwatch
}

/** Gives a request that has arrived an id and a stopwatch. */
export function receive(
  request: Request,
  { address, whenGone }: Peer,
): IncomingRequest {
  const watch = new Stopwatch()
  const { headers, method, url } = request
  const [, traceId] = traceparent.exec(headers.get("traceparent") ?? "") ?? []
  const id = requestIdOf(headers)
  return { request, method, url: new URL(url), address, whenGone, id, traceId, watch }
}

/** Returns the caller's `x-request-id` if it is safe to log, or else a new id. */
function requestIdOf(headers: Headers): string {
  const sent = headers.get("x-request-id") ?? ""
  return /^[\w.:-]{1,64}$/.test(sent) ? sent : randomUUID()
}

/** The header of that name; later versions of the standard may add parts. */
const traceparent = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/

/** Measures how long a request takes, and how much of that it waits for the database. */
export class Stopwatch implements WaitObserver {
  readonly started = performance.now()
  #inDatabase = 0
  #waits = 0
  /** When the first of these waits began. */
  #since = 0
  #stopped: number | undefined

  /** Begins one more wait for the database. */
  begin(): void {
    if (this.#waits++ === 0) this.#since = performance.now()
  }

  /** Ends one of the waits, whether it succeeded or was given up. */
  end(): void {
    // After a time limit, waits that were given up end a second time.
    if (this.#waits === 0) return
    if (--this.#waits === 0) this.#count()
  }

  /** Stops at the first call. */
  stop(): void {
    if (this.#stopped !== undefined) return
    if (this.#waits > 0) this.#count()
    this.#stopped = performance.now()
  }

  /** Milliseconds so far, or until it was stopped. */
  get elapsed(): number {
    return (this.#stopped ?? performance.now()) - this.started
  }

  /** Milliseconds of waits that have ended, or were cut off when it was stopped. */
  get inDatabase(): number {
    return this.#inDatabase
  }

  #count(): void {
    if (this.#stopped === undefined) this.#inDatabase += performance.now() - this.#since
  }
}

/** Rounds milliseconds for people: to a tenth, or to a hundredth below one. */
export function roundMilliseconds(milliseconds: number): number {
  const scale = milliseconds < 1 ? 100 : 10
  return Math.round(milliseconds * scale) / scale
}
