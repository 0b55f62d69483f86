import { Buffer } from "node:buffer"
import { randomFillSync, randomUUID } from "node:crypto"
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
  readonly trace: TraceContext
  /** Runs since the arrival. */
  readonly watch: Stopwatch
}

/** A request's place in a distributed trace (W3C Trace Context). Ids are lower-case hexadecimal. */
export interface TraceContext {
  /** 32 digits: the caller's, if it sent a valid `traceparent`. */
  readonly traceId: string
  /** 16 digits: this request's own. */
  readonly spanId: string
  /** The caller's span; undefined if the trace begins here. */
  readonly parentId: string | undefined
  /** Two digits; the last bit says that the trace is recorded. */
  readonly flags: string
}

/** Gives a request that has arrived an id, a place in a trace, and a stopwatch. */
export function receive(
  request: Request,
  { address, whenGone }: Peer,
): IncomingRequest {
  const watch = new Stopwatch()
  const { headers, method, url } = request
  const trace = continueTrace(headers.get("traceparent"))
  const id = requestIdOf(headers)
  return { request, method, url: new URL(url), address, whenGone, id, trace, watch }
}

/** Returns the caller's `x-request-id` if it is safe to log, or else a new id. */
function requestIdOf(headers: Headers): string {
  const sent = headers.get("x-request-id") ?? ""
  return /^[\w.:-]{1,64}$/.test(sent) ? sent : randomUUID()
}

/** Continues the trace of a `traceparent` header, or begins a new one. */
export function continueTrace(traceparent: string | null): TraceContext {
  const spanId = randomHex(8)
  const [, version, traceId, parentId, flags, rest] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(traceparent ?? "") ??
      []
  const isValid = traceId !== undefined && parentId !== undefined && flags !== undefined &&
    version !== "ff" && (version !== "00" || rest === undefined) &&
    /[^0]/.test(traceId) && /[^0]/.test(parentId)
  if (!isValid) return { traceId: randomHex(16), spanId, parentId: undefined, flags: newTrace }
  return { traceId, spanId, parentId, flags }
}

/** Returns the header `traceresponse`: the trace, and the span of this request in it. */
export function traceResponse({ traceId, spanId, flags }: TraceContext): string {
  return `00-${traceId}-${spanId}-${flags}`
}

/** Not recorded, as far as is known here; the second bit says that the id is random. */
const newTrace = "02"

// Asking the system for a few bytes costs more than everything else here: fetch a supply at a time.
const supply = Buffer.alloc(4096)
let used = supply.length

function randomHex(bytes: number): string {
  if (used + bytes > supply.length) {
    randomFillSync(supply)
    used = 0
  }
  const hex = supply.toString("hex", used, used += bytes)
  return /[^0]/.test(hex) ? hex : randomHex(bytes)
}

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
