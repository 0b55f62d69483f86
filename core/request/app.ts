import { randomUUID } from "node:crypto"
import { createRouter, type RouterContext } from "@hattip/router"
import type { Activity } from "../access/activity.ts"
import type { LogIn } from "../access/log-in.ts"
import type { Sessions } from "../access/sessions.ts"
import type { Gate } from "../access/gate.ts"
import { recordParameters } from "../records/resource.ts"
import { Unavailable } from "../data/unavailable.ts"
import type { PluginFailure } from "../routes/setup.ts"
import type { Log } from "../log.ts"
import type { MountedRoute } from "../routes/contract.ts"
import { markDeprecated } from "../routes/deprecation.ts"
import { answer } from "./answer.ts"
import { type Answered, type Entry, isQuiet } from "./facts.ts"
import type { Cursors } from "./listing/cursor.ts"
import { decodeParameters } from "../routes/path.ts"
import type { Pages } from "./listing/page-cache.ts"
import type { Polling } from "./listing/poll-interval.ts"
import type { AuditTrail } from "../observe/audit-trail.ts"
import type { FindCatalogue } from "./catalogue.ts"
import type { Status } from "../routes/contract.ts"
import type { Readiness } from "../routes/contract.ts"
import type { Limits } from "./limits.ts"
import { findRoute } from "./find-route.ts"
import { Problem, retryLater } from "../http/problems.ts"
import { withoutBody } from "../http/respond.ts"
import { roundMilliseconds, Stopwatch } from "./timing.ts"
import { continueTrace, traceResponse } from "./trace-context.ts"

/** What answering a request needs. */
export interface Services {
  readonly gate: Gate
  readonly sessions: Sessions
  readonly cursors: Cursors
  readonly pages: Pages
  readonly polling: Polling
  readonly logIn: LogIn
  readonly activity: Activity
  readonly audit: AuditTrail
  readonly limits: Limits
  readonly log: Log
  /** Seconds that a handler may take. */
  readonly timeLimit: number
  /** Optional plugins that could not be used: what is likely theirs answers 503. */
  readonly failed: readonly PluginFailure[]
  readonly status: () => Status
  /** Looks up the routes that a caller may use. */
  readonly catalogue: FindCatalogue
  readonly readiness: () => Promise<Readiness>
  /** Learns of every request that has been answered. */
  readonly onAnswer: (answered: Answered) => void
  /** True where it wants the laps of stopwatches. */
  readonly keepLaps: boolean
  /** Whom the `Server-Timing` header is for; never for callers without a session. */
  readonly timing: "operators" | "all" | "off"
}

/** Where a request comes from. */
export interface Peer {
  /** An IP address. */
  readonly address: string
}

/** An address that is in no network. */
const nowhere: Peer = { address: "unknown" }

/** Answers one request; never throws. */
export type App = (request: Request, peer?: Peer) => Promise<Response>

/**
 * Makes the app of the mounted routes: finds the route of a request, answers it, and turns
 * whatever is thrown into a problem. HEAD works on every GET route.
 */
export function createApp(routes: readonly MountedRoute[], services: Services): App {
  const router = createRouter()
  const byShape = Map.groupBy(routes, (route) => route.pattern.shape)
  // Words before parameters, so that `/events/special` is not taken for `/events/:eventId`.
  for (const shape of [...byShape.keys()].sort(wordsFirst)) {
    const sharing = byShape.get(shape) as MountedRoute[]
    const [{ pattern }] = sharing as [MountedRoute]
    router.use(pattern.expression, (context) => respond(context, sharing, services))
  }
  router.use((context) => respond(context, [], services))
  const handle = router.buildHandler()
  return async (request, { address } = nowhere) =>
    await handle({ request, ...standalone, ip: address })
}

/** What hattip wants of a platform, where there is none. */
const standalone = {
  platform: undefined,
  env: () => undefined,
  passThrough: () => {},
  waitUntil: () => {},
}

/** Routes that share a path share this: it picks one by method, and owns what is thrown. */
async function respond(
  { request, method, url, ip }: Pick<RouterContext, "request" | "method" | "url" | "ip">,
  sharing: readonly MountedRoute[],
  services: Services,
): Promise<Response> {
  const watch = new Stopwatch({ keepLaps: services.keepLaps })
  const requestId = requestIdOf(request)
  const trace = continueTrace(request.headers.get("traceparent"))
  const entry: Entry = {
    id: requestId,
    traceId: trace.traceId,
    spanId: trace.spanId,
    method,
    address: ip,
  }
  let response: Response
  let route: MountedRoute | undefined
  let params: Readonly<Record<string, string>> | undefined
  try {
    route = findRoute(sharing, { method, path: url.pathname, failed: services.failed })
    entry.route = route.pattern.text
    entry.family = route.plugin
    params = decodeParameters(route.pattern.expression.exec(url.pathname)?.groups ?? {})
    if (!params) {
      throw new Problem("malformed_request", "The path is not valid percent-encoding of UTF-8.")
    }
    response = await answer(
      { route, request, params, search: url.search, entry, peer: { address: ip }, watch },
      services,
    )
    if (!response?.headers) throw new TypeError(`plugin ${route.plugin} gave no response`)
    response.headers.set("x-request-id", requestId)
  } catch (error) {
    response = toProblem(error, entry, services.log).toResponse(requestId)
  }
  if (trace.parentId) response.headers.set("traceresponse", traceResponse(trace))
  if (route?.deprecated) {
    markDeprecated(response, route.deprecated, { origin: url.origin, params })
  }
  const ms = roundMilliseconds(watch.stop())
  if (mayKnowTimes(entry, services)) response.headers.set("server-timing", watch.header())
  const line = {
    ...entry,
    status: response.status,
    bytes: bytesIn(response, method),
    ms,
    dbMs: roundMilliseconds(watch.spent("db")),
  }
  services.log[isQuiet(route) ? "debug" : "info"](line, "request")
  services.audit.record(line)
  services.onAnswer({ line, headers: response.headers, route, trace, watch })
  return method === "HEAD" ? withoutBody(response) : response
}

function mayKnowTimes({ role }: Entry, { timing }: Services): boolean {
  return timing === "all" ? role !== undefined : timing === "operators" && role === "operator"
}

/** The bytes of the body that is sent; 0 where its length is not known beforehand. */
function bytesIn({ status, headers }: Response, method: string): number {
  return method === "HEAD" || status === 304 ? 0 : Number(headers.get("content-length") ?? 0)
}

function wordsFirst(a: string, b: string): number {
  const key = (shape: string) => shape.replaceAll(":", "\uffff")
  return key(a) < key(b) ? -1 : 1
}

function toProblem(error: unknown, entry: Entry, log: Log): Problem {
  const problem = problemFrom(error, entry, log)
  entry.code = problem.code
  if (problem.errors) entry.rejected = problem.errors.map(({ parameter }) => nameToLog(parameter))
  return problem
}

/** Anyone may type anything as a name. */
function nameToLog(parameter: string): string {
  return knownParameters.has(parameter) ? parameter : "unknown"
}

const knownParameters = new Set<string>([...recordParameters, "eventId"])

function problemFrom(error: unknown, entry: Entry, log: Log): Problem {
  if (error instanceof Problem) return error
  if (error instanceof Unavailable) {
    log.warn({ ...entry, error }, "the database cannot answer")
    return new Problem(
      "unavailable",
      "The service cannot answer now. Nothing was changed; ask again shortly.",
      retryLater,
    )
  }
  log.error({ ...entry, error }, "request failed")
  return new Problem(
    "internal",
    "Something unforeseen happened. The request id leads the operator to it.",
  )
}

function requestIdOf(request: Request): string {
  const given = request.headers.get("x-request-id") ?? ""
  return /^[\w.:-]{1,64}$/.test(given) ? given : randomUUID()
}
