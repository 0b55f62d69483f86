import type { HattipHandler } from "@hattip/core"
import { Unavailable } from "../data/unavailable.ts"
import { type Answer, type Peer, toResponse, withoutBody } from "../http/answer.ts"
import { Problem, retryLater, usualProblem } from "../http/problems.ts"
import type { Log } from "../log.ts"
import { answer } from "./answer.ts"
import { answerRefused } from "./answer-refused.ts"
import type { Components } from "./components.ts"
import {
  type ListAnswer,
  type Observer,
  type OpenExchange,
  recordOf,
  type SentResponse,
  type StreamedResponse,
} from "./exchange.ts"
import { receive } from "./incoming-request.ts"
import { describeRequest, RequestLog } from "./request-log.ts"

export interface AppOptions {
  readonly log: Log
  readonly observers: readonly Observer[]
  /** Called with the record of each streamed response as soon as it begins. */
  readonly onBegin?: Observer
}

/** The peer of a request that has none: an address that is in no network. */
const nowhere: Peer = { address: "unknown" }

/** Answers requests, and reports each one to the log and to the observers. */
export class App {
  readonly #components: Components
  readonly #options: AppOptions
  readonly #requestLog: RequestLog
  #running = 0
  #whenIdle: (() => void) | undefined

  constructor(components: Components, options: AppOptions) {
    this.#components = components
    this.#options = options
    this.#requestLog = new RequestLog(options.log)
  }

  /** Answers a request. Never throws. */
  async answer(request: Request, peer: Peer = nowhere): Promise<Answer> {
    this.#running++
    const exchange: OpenExchange = { asked: receive(request, peer), decided: {} }
    try {
      return this.#finish(await answer(exchange, this.#components), exchange)
    } catch (error) {
      const { log } = this.#options
      const problem = problemOf(error, exchange, log)
      return this.#finish(await answerRefused(problem, exchange, log), exchange, problem)
    } finally {
      this.#leaveAfter(exchange)
    }
  }

  /** Like `answer`, but returns a `Response`. */
  async fetch(request: Request, peer?: Peer): Promise<Response> {
    return toResponse(await this.answer(request, peer))
  }

  /** Like `fetch`, for adapters of Hattip. The adapter decides which address is the client's. */
  readonly handler: HattipHandler = ({ request, ip }) =>
    this.fetch(request, ip ? { address: ip } : nowhere)

  /** Returns the longest body in bytes that a request may have. */
  longestBody(method: string, path: string): number {
    return this.#components.routes.longestBody(method, path)
  }

  /** Resolves when no request is running, no response is being sent, and everything is logged. */
  async close(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => (this.#whenIdle = resolve))
    this.#requestLog.flush()
  }

  /** Adds the headers that every response has, and reports the exchange. */
  #finish(answer: ListAnswer, exchange: OpenExchange, problem?: Problem): Answer {
    const { status, body, release, streamed, page, pages = page ? [page] : [] } = answer
    const { id, method, watch } = exchange.asked
    const headers: Record<string, string | readonly string[]> = { ...answer.headers }
    headers["x-request-id"] = id
    if (streamed) {
      void this.#follow(streamed, exchange, status)
      return { status, headers, body, trailers: streamed.trailers }
    }
    watch.stop()
    const finished = { status, headers, body, release }
    const bytes = method === "HEAD" || status === 304 ? 0 : lengthOf(finished)
    this.#report(exchange, { status, bytes, page, pages, problem })
    return method === "HEAD" ? withoutBody(finished) : finished
  }

  /** Reports a streamed response: to `onBegin` at once, to all others at its end. */
  async #follow(
    { begun, ended }: StreamedResponse,
    exchange: OpenExchange,
    status: number,
  ): Promise<void> {
    this.#running++
    const { asked: { watch } } = exchange
    const began = watch.elapsed
    const first = { status, bytes: 0, page: begun, pages: [begun], began }
    this.#options.onBegin?.(recordOf(exchange, { ...first, isWhole: false }))
    const { page, ending, bytes, error } = await ended
    watch.stop()
    const problem = error === undefined ? undefined : problemOf(error, exchange, this.#options.log)
    this.#report(exchange, { ...first, bytes, page, pages: [page], ending, problem })
    this.#leaveAfter(exchange)
  }

  /** Leaves once the response is sent: what is recorded then needs the configuration. */
  #leaveAfter({ asked }: OpenExchange): void {
    whenSent(asked, () => --this.#running === 0 && this.#whenIdle?.())
  }

  /** Reports an exchange once the response is sent: nobody waits for what is recorded. */
  #report(exchange: OpenExchange, sent: Omit<SentResponse, "isWhole">): void {
    whenSent(exchange.asked, (isWhole) => {
      const record = recordOf(exchange, { ...sent, isWhole })
      this.#requestLog.write(record)
      for (const observe of this.#options.observers) observe(record)
    })
  }
}

/**
 * Calls `listener` once the response to a request is sent in full (true) or the connection has closed before (false).
 * Where nothing is sent over a network, calls it at once with true.
 */
function whenSent(
  { whenGone }: OpenExchange["asked"],
  listener: (isWhole: boolean) => void,
): void {
  if (whenGone) whenGone(listener)
  else listener(true)
}

/** Returns the length of a body in bytes; 0 if it is not known beforehand. */
function lengthOf({ body, headers }: Answer): number {
  return body instanceof Uint8Array ? body.byteLength : Number(headers["content-length"] ?? 0)
}

/** Turns anything that was thrown into a problem. Logs what is not the caller's fault. */
function problemOf(error: unknown, exchange: OpenExchange, log: Log): Problem {
  if (error instanceof Problem) return error
  if (error instanceof Unavailable) {
    log.warn({ ...describeRequest(exchange), error }, "the database cannot answer")
    return usualProblem("unavailable", retryLater)
  }
  log.error({ ...describeRequest(exchange), error }, "request failed")
  return usualProblem("internal")
}
