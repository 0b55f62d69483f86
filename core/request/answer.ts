import type { Activity } from "../access/activity.ts"
import type { AdmissionQuestion, Gate } from "../access/admission.ts"
import type { SessionKey, Sessions } from "../access/sessions.ts"
import type { Answer } from "../http/answer.ts"
import { categories } from "../records/categories.ts"
import type { MountedRoute } from "../routes/contract.ts"
import { authorize, type Input, notLoggedIn, readInput } from "./authorize.ts"
import type { Findings, PageFacts } from "./facts.ts"
import type { Handlers } from "./handlers.ts"
import type { Limits } from "./limits.ts"
import type { Lists } from "./listing/answer-list.ts"
import type { RouteTable } from "./route-table.ts"

/** The parts of the service that answer requests. */
export interface Parts {
  readonly routes: RouteTable
  readonly sessions: Sessions
  readonly gate: Gate
  readonly limits: Limits
  readonly activity: Activity
  /** Throws a 503 while requests for records have to be recorded, and cannot. */
  readonly assertRecording: () => void
  readonly lists: Lists
  readonly handlers: Handlers
}

/**
 * Answers a request. Checks, always in this order: the session (401), the limits (429), whether the
 * route is for the caller (403), the parameters (400), and whether the event is for the caller (404,
 * 403). Only then reads records.
 *
 * One statement, the admission, reads everything that the checks need. Records are read in one
 * snapshot, which repeats the admission and its checks (`PageCache`).
 *
 * Keeps its intermediate results in `findings`: a request that fails on the way is logged with them.
 *
 * @throws {Problem} with the status in the comment of each line; whatever a handler throws.
 */
export async function answer(findings: Findings, parts: Parts): Promise<Answer> {
  const { incoming } = findings
  const { request, method, url, address, watch } = incoming
  const match = findings.match = parts.routes.find(method, url.pathname) // 404, 405, 503
  const input = findings.input = readInput(match, url.search) // 400, for the path alone
  const { route } = match
  const { params } = input
  const family = familyOf(route)
  const onLogIn = (username: string | undefined) => {
    findings.logIn = { username }
  }
  if (route.kind === "handler" && route.auth.kind === "anyone") {
    // A route for anyone that opens sessions is a log-in.
    const patience = route.needs.includes("sessions") ? logInPatience : 0
    findings.delay = await parts.limits.chargeAddress(address, family, patience) // 429
    return await parts.handlers.answer({ route, incoming, params, session: undefined, onLogIn })
  }

  watch.enter("auth")
  const key = await parts.sessions.read(request.headers.get("cookie"))
  if (!key) throw notLoggedIn() // 401
  // Before any query. Cookies that were sealed without the account's id count by session.
  using _running = parts.limits.enter(key.account ?? key.session) // 429
  if (route.kind === "listing") parts.assertRecording() // 503
  const question = questionOf(key, { route, input, address }, parts)
  const admission = findings.admission = await parts.gate.lookUp(question, watch)
  if (!admission) throw notLoggedIn() // 401
  const { session } = admission
  const charge = await parts.limits.charge(session.account.id, family, goneSignal(request)) // 429
  findings.delay = charge.delay
  authorize(route, admission, input) // 403, 400, 404
  parts.activity.recordRequest(session)

  const found: Answer & { readonly page?: PageFacts } = route.kind === "listing"
    ? await parts.lists.answer({ route, incoming, input, question, admission }) // 410
    : await parts.handlers.answer({ route, incoming, params, session, onLogIn })
  findings.page = found.page
  const headers = { ...found.headers, ...await charge.settle(found.status) }
  return { status: found.status, headers, body: found.body }
}

/** The most milliseconds that a log-in above the burst waits: a partner's jobs may all start together. */
const logInPatience = 5_000

/** Returns the question of the admission: everything that the checks need to know, at once. */
function questionOf(
  key: SessionKey,
  { route, input, address }: {
    readonly route: MountedRoute
    readonly input: Input
    readonly address: string
  },
  { sessions: { idle }, lists }: Parts,
): AdmissionQuestion {
  const eventId = input.eventId?.value
  // Only a list with an empty body can be answered without reading records.
  const list = route.kind === "listing" && route.list.emptyBody !== undefined
    ? route.list
    : undefined
  const tables = (list?.categories ?? []).map((category) => categories[category])
  const baseline = eventId === undefined ? 0 : lists.baselineOf(eventId)
  return { key, idle, address, eventId, tables, baseline }
}

/** Returns the signal that the client has gone. With a body it may come when that has been read. */
function goneSignal({ method, signal }: Request): AbortSignal | undefined {
  return method === "GET" || method === "HEAD" ? signal : undefined
}

/** Returns the name under which an account's requests to these routes are counted together. */
function familyOf({ plugin, prefix }: MountedRoute): string {
  return `${plugin} ${prefix}`
}
