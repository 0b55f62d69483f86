import { type Answer, type Peer, toResponse, withoutBody } from "../http/answer.ts"
import type { Log } from "../log.ts"
import { deprecationHeaders } from "../routes/deprecation.ts"
import { answer, type FoundAnswer, type Parts } from "./answer.ts"
import { describe, type Entry, type Facts, type Observer } from "./facts.ts"
import { receive, type Received, traceResponse } from "./received.ts"
import { roundMilliseconds } from "./timing.ts"

export interface AppOptions {
  readonly log: Log
  readonly observers: readonly Observer[]
  /** True if an observer needs the laps of stopwatches. */
  readonly keepLaps: boolean
  /** Who gets the `Server-Timing` header; never callers without a session. */
  readonly timing: "operators" | "all" | "off"
}

/** The peer of a request that has none: an address that is in no network. */
const nowhere: Peer = { address: "unknown" }

/** Answers requests, and reports each one to the log and to the observers. */
export class App {
  readonly #parts: Parts
  readonly #options: AppOptions
  #running = 0
  #whenIdle: (() => void) | undefined

  constructor(parts: Parts, options: AppOptions) {
    this.#parts = parts
    this.#options = options
  }

  /** Answers a request. Never throws. */
  async answer(request: Request, peer: Peer = nowhere): Promise<Answer> {
    this.#running++
    try {
      const received = receive(request, peer, this.#options)
      return this.#finish(received, await answer(received, this.#parts))
    } finally {
      if (--this.#running === 0) this.#whenIdle?.()
    }
  }

  /** Like `answer`, but returns a `Response`. */
  async fetch(request: Request, peer?: Peer): Promise<Response> {
    return toResponse(await this.answer(request, peer))
  }

  /** Resolves when no request is running. */
  async idle(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => (this.#whenIdle = resolve))
  }

  /** Adds what every response has, and reports it. */
  #finish({ id, method, url, trace, watch }: Received, found: FoundAnswer): Answer {
    const { routed, page } = found.findings
    const { status, body } = found
    const headers: Record<string, string | readonly string[]> = { ...found.headers }
    headers["x-request-id"] = id
    if (trace.parentId) headers["traceresponse"] = traceResponse(trace)
    if (routed?.route.deprecated) {
      const { route: { deprecated }, params } = routed
      const { link, ...dates } = deprecationHeaders(deprecated, { origin: url.origin, params })
      Object.assign(headers, dates)
      if (link) headers["link"] = headers["link"] ? `${headers["link"]}, ${link}` : link
    }
    const entry = describe(found.findings)
    const ms = roundMilliseconds(watch.stop())
    if (this.#mayKnowTimes(entry)) headers["server-timing"] = watch.header()
    const finished = { status, headers, body }
    const bytes = method === "HEAD" || status === 304 ? 0 : lengthOf(finished)
    const dbMs = roundMilliseconds(watch.spent("db"))
    const isQuiet = routed?.route.kind === "handler" && routed.route.quiet === true
    this.#report({ line: { ...entry, status, bytes, ms, dbMs }, page, isQuiet, trace, watch })
    return method === "HEAD" ? withoutBody(finished) : finished
  }

  #report(facts: Facts): void {
    const { log, observers } = this.#options
    log[facts.isQuiet ? "debug" : "info"](facts.line, "request")
    for (const observe of observers) observe(facts)
  }

  #mayKnowTimes({ role }: Entry): boolean {
    const { timing } = this.#options
    return timing === "all" ? role !== undefined : timing === "operators" && role === "operator"
  }
}

/** Returns the bytes of a body; 0 if its length is not known beforehand. */
function lengthOf({ body, headers }: Answer): number {
  return body instanceof Uint8Array ? body.byteLength : Number(headers["content-length"] ?? 0)
}
