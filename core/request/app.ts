import type { HattipHandler } from "@hattip/core"
import type { Admission } from "../access/admission.ts"
import type { SessionKey } from "../access/sessions.ts"
import { boundedCache } from "../data/bounded-cache.ts"
import { Unavailable } from "../data/unavailable.ts"
import { type Answer, type Peer, toResponse, withoutBody } from "../http/answer.ts"
import { Problem, retryLater, usualProblem } from "../http/problems.ts"
import { RefusalLog } from "../http/refusal-log.ts"
import type { Log } from "../log.ts"
import { answer } from "./answer.ts"
import { answerRefused } from "./answer-refused.ts"
import type { Answered, Entry, Facts, Findings, Observer, PageFacts, Streamed } from "./facts.ts"
import { receive, roundMilliseconds, traceResponse } from "./incoming-request.ts"
import { listingParameters } from "./listing/parameters.ts"
import type { Parts } from "./parts.ts"

export interface AppOptions {
  readonly log: Log
  readonly observers: readonly Observer[]
  /** Is called with the facts about each response that is made while it is sent, as soon as that begins. */
  readonly onBegin?: Observer
  /** True if an observer needs the laps of stopwatches. */
  readonly keepLaps: boolean
  /** Who gets the `Server-Timing` header; never callers without a session. */
  readonly timing: "operators" | "all" | "off"
}

/** The most lists of which a warning is remembered. */
const mostWarned = 10_000

/** The peer of a request that has none: an address that is in no network. */
const nowhere: Peer = { address: "unknown" }

/** Answers requests, and reports each one to the log and to the observers. */
export class App {
  readonly #parts: Parts
  readonly #options: AppOptions
  readonly #refusals: RefusalLog
  /** The lists of events of which pages leave out records. */
  readonly #warned = boundedCache<true>({ most: mostWarned })
  #running = 0
  #whenIdle: (() => void) | undefined

  constructor(parts: Parts, options: AppOptions) {
    this.#parts = parts
    this.#options = options
    this.#refusals = new RefusalLog(options.log)
  }

  /** Answers a request. Never throws. */
  async answer(request: Request, peer: Peer = nowhere): Promise<Answer> {
    this.#running++
    const findings: Findings = { incoming: receive(request, peer, this.#options) }
    try {
      return this.#finish(await answer(findings, this.#parts), findings)
    } catch (error) {
      const problem = findings.problem = problemOf(error, findings, this.#options.log)
      return this.#finish(await answerRefused(problem, findings, this.#options.log), findings)
    } finally {
      this.#leaveAfter(findings)
    }
  }

  /** Like `answer`, but returns a `Response`. */
  async fetch(request: Request, peer?: Peer): Promise<Response> {
    return toResponse(await this.answer(request, peer))
  }

  /** Like `fetch`, for adapters of Hattip. The address is as the adapter tells it. */
  readonly handler: HattipHandler = ({ request, ip }) =>
    this.fetch(request, ip ? { address: ip } : nowhere)

  /** Returns the longest body in bytes that a request may have. */
  longestBody(method: string, path: string): number {
    return this.#parts.routes.longestBody(method, path)
  }

  /** Resolves when no request is running, no response is being sent, and everything is logged. */
  async close(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => (this.#whenIdle = resolve))
    this.#refusals.flush()
  }

  /** Adds the headers that every response has, and reports the request. */
  #finish(answered: Answered, findings: Findings): Answer {
    const { status, body, release, streamed } = answered
    const { incoming: { id, method, trace, watch } } = findings
    const headers: Record<string, string | readonly string[]> = { ...answered.headers }
    headers["x-request-id"] = id
    if (trace.parentId) headers["traceresponse"] = traceResponse(trace)
    if (streamed) {
      void this.#follow(streamed, findings, status)
      return { status, headers, body, trailers: streamed.trailers }
    }
    // A route's own form of a refusal may have another status.
    const decided = findings.problem?.status ?? status
    watch.stop()
    if (this.#mayKnowTimes(findings.admission)) headers["server-timing"] = watch.header()
    const finished = { status, headers, body, release }
    const bytes = method === "HEAD" || status === 304 ? 0 : lengthOf(finished)
    this.#report(factsOf(findings, status, bytes), isFloodable(findings, decided))
    return method === "HEAD" ? withoutBody(finished) : finished
  }

  /** Reports a response that is made while it is sent: to `onBegin` at once, to all others at its end. */
  async #follow({ begun, ended }: Streamed, findings: Findings, status: number): Promise<void> {
    this.#running++
    findings.page = begun
    findings.began = findings.incoming.watch.elapsed
    this.#options.onBegin?.(factsOf(findings, status, 0))
    const { page, ending, bytes, error } = await ended
    findings.incoming.watch.stop()
    findings.page = page
    findings.ending = ending
    if (error !== undefined) findings.problem = problemOf(error, findings, this.#options.log)
    this.#report(factsOf(findings, status, bytes), false)
    this.#leaveAfter(findings)
  }

  /** Leaves once the response is sent: what is recorded then needs the configuration. */
  #leaveAfter({ incoming: { whenGone = sentAtOnce } }: Findings): void {
    whenGone(() => --this.#running === 0 && this.#whenIdle?.())
  }

  #report(facts: Facts, floodable: boolean): void {
    const { log, observers } = this.#options
    const { line, page, isQuiet } = facts
    if (isQuiet) log.debug(line, "request")
    else if (floodable && line.code) this.#refusals.write({ ...line, code: line.code }, "request")
    else log.info(line, "request")
    if (page && page.leftOut.length > 0) this.#warnOfLeftOut(line, page)
    for (const observe of observers) observe(facts)
  }

  /** Warns of a page that leaves out records: once of each record with a wrong column, and of ids once of each list. */
  #warnOfLeftOut({ event, route }: Entry, { list: { name: list }, leftOut }: PageFacts) {
    for (const { id, column } of leftOut) {
      this.#warnOnce(
        { event, list, route, id, column },
        id === undefined
          ? "records are left out: their ids are no UUIDs"
          : "a record is left out: a column holds what its field cannot be",
      )
    }
  }

  #warnOnce(about: Readonly<Record<string, string | undefined>>, message: string): void {
    const { event = "", list, id = "", column = "" } = about
    const key = [event, list, id, column].join(" ")
    if (this.#warned.get(key)) return
    this.#warned.set(key, true)
    this.#options.log.warn(about, message)
  }

  #mayKnowTimes(caller: Admission | undefined): boolean {
    const { timing } = this.#options
    if (!caller || timing === "off") return false
    return timing === "all" || caller.session.account.role === "operator"
  }
}

/** Returns the facts about a request, as far as they are known. */
function factsOf(findings: Findings, status: number, bytes: number): Facts {
  const { incoming: { trace, watch, whenGone }, match, admission } = findings
  const { delay, waited, began, page, pages = page ? [page] : [] } = findings
  return {
    line: {
      ...describe(findings),
      status,
      bytes,
      ms: roundMilliseconds(watch.elapsed),
      dbMs: roundMilliseconds(watch.spent("db")),
      ...began !== undefined && { beginMs: roundMilliseconds(began) },
      ...delay && { delayMs: roundMilliseconds(delay) },
      ...waited !== undefined && { waitedMs: roundMilliseconds(waited) },
    },
    page,
    pages,
    isQuiet: match?.route.kind === "handler" && match.route.quiet === true,
    trace,
    watch,
    route: match?.route,
    admission,
    ended: endedIn(findings),
    whenSent: whenGone ?? sentAtOnce,
  }
}

/** Returns what the cookie says if its session has ended. */
function endedIn({ admission, problem, key }: Findings): SessionKey | undefined {
  return !admission && problem?.code === "unauthenticated" ? key : undefined
}

/** There is no network: the caller has the response. */
function sentAtOnce(listener: (sent: boolean) => void): void {
  listener(true)
}

/** True for refused requests that anyone can send in any number; not for log-ins that were tried: each may matter. */
function isFloodable({ admission, logIn }: Findings, status: number): boolean {
  return !admission && status >= 400 && status < 500 && (!logIn || status === 429)
}

/** Returns the length of a body in bytes; 0 if it is not known beforehand. */
function lengthOf({ body, headers }: Answer): number {
  return body instanceof Uint8Array ? body.byteLength : Number(headers["content-length"] ?? 0)
}

/** Returns the log's fields of a request, as far as it came. */
function describe(findings: Findings): Entry {
  const { incoming: { id, trace, method, address }, match, input, admission, logIn } = findings
  const { traceId, spanId } = trace
  const entry: Mutable<Entry> = { id, traceId, spanId, method, address }
  if (match) {
    entry.route = match.route.pattern.text
    entry.family = match.route.plugin
  }
  if (input?.query) {
    entry.action = "list"
    if (input.eventId?.value !== undefined) entry.event = input.eventId.value
    Object.assign(entry, input.query.logged)
  }
  if (findings.node) entry.node = findings.node
  if (findings.retries) entry.retries = findings.retries
  if (admission) {
    entry.account = admission.session.account.username
    entry.role = admission.session.account.role
  }
  const ended = endedIn(findings)
  if (ended) {
    entry.accountId = ended.account
    if (ended.username !== undefined) entry.account = ended.username
  }
  if (logIn) {
    entry.action = "log-in"
    if (logIn.username !== undefined) entry.account = logIn.username
  }
  if (findings.loggedOut) entry.action = "log-out"
  if (findings.page) {
    const { rows, cursor } = findings.page
    entry.rows = rows
    if (cursor !== undefined) entry.cursor = cursor
  }
  if (findings.ending) entry.ending = findings.ending
  if (findings.problem) {
    const { code, errors } = findings.problem
    entry.code = code
    if (errors) entry.rejected = errors.map(({ parameter }) => nameToLog(parameter))
  }
  return entry
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] }

/** Returns `unknown` for names that no list has: anyone may type anything, such as an address. */
function nameToLog(parameter: string): string {
  return knownParameters.has(parameter) ? parameter : "unknown"
}

const knownParameters = new Set([...Object.keys(listingParameters), "eventId", "id"])

/** Turns anything that was thrown into a problem. Logs what is not the caller's fault. */
function problemOf(error: unknown, findings: Findings, log: Log): Problem {
  if (error instanceof Problem) return error
  if (error instanceof Unavailable) {
    log.warn({ ...describe(findings), error }, "the database cannot answer")
    return usualProblem("unavailable", retryLater)
  }
  log.error({ ...describe(findings), error }, "request failed")
  return usualProblem("internal")
}
