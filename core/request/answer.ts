import type { Activity } from "../access/activity.ts"
import type { Admission, AdmissionQuestion, Gate } from "../access/admission.ts"
import type { Session, SessionKey, Sessions } from "../access/sessions.ts"
import type { Answer } from "../http/answer.ts"
import { Unavailable } from "../data/unavailable.ts"
import { Problem } from "../http/problems.ts"
import type { Networks } from "../networks.ts"
import { categories } from "../records/categories.ts"
import type { ListingRoute, MountedRoute } from "../routes/contract.ts"
import { authorize, notLoggedIn, paramsOf, readInput } from "./authorize.ts"
import type { Findings, PageFacts } from "./facts.ts"
import type { Exports, Streamed } from "./exports/answer-export.ts"
import type { Handlers } from "./handlers.ts"
import type { Limits } from "./limits.ts"
import type { Lists } from "./listing/answer-list.ts"
import type { ListRequest } from "./listing/page-cache.ts"
import { canAnotherTry, type Need, type Node, type Nodes } from "./nodes/nodes.ts"
import { isFamilyPath, type RouteMatch, type RouteTable } from "./route-table.ts"
import { answerWhenNew, readWait } from "./waiting/answer-when-new.ts"
import type { Waiting } from "./waiting/waiting.ts"

/** The parts of the service that answer requests. */
export interface Parts {
  readonly routes: RouteTable
  readonly sessions: Sessions
  readonly gate: Gate
  readonly limits: Limits
  /** Loopback and the proxies in front: their health checks are answered without a limit. */
  readonly near: Networks
  readonly activity: Activity
  /** Throws a 503 while requests for records have to be recorded, and cannot. */
  readonly assertRecording: () => void
  readonly nodes: Nodes
  readonly lists: Lists
  readonly exports: Exports
  readonly waiting: Waiting
  readonly handlers: Handlers
}

/** An answer, and what is known of it later. */
export interface Answered extends Answer {
  /** Present if the response is made while it is sent. */
  readonly streamed?: Streamed
}

/**
 * Answers a request. Checks, always in this order: the session (401), the limits (429), whether there is
 * such a route (404, 405, 503, 400), whether it is for the caller (403), the parameters (400), and
 * whether the event is for the caller (404, 403). Only then reads records. A path that cannot be a
 * family's needs no session to be 404.
 *
 * One statement, the admission, reads everything that the checks need. Records are read in one
 * snapshot, which repeats the admission and its checks (`PageCache`). If there are several servers, both are of one of
 * them; if it fails, the request begins again at another, from the session on.
 *
 * Keeps its intermediate results in `findings`: a request that fails on the way is logged with them.
 *
 * @throws {Problem} with the status in the comment of each line; whatever a handler throws.
 */
export async function answer(findings: Findings, parts: Parts): Promise<Answered> {
  const { incoming } = findings
  const { request, method, url, address, watch } = incoming
  const found = parts.routes.find(method, url.pathname)
  const match = findings.match = found instanceof Problem ? undefined : found
  const input = findings.input = match && readInput(match, url.search)
  const onLogIn = (username: string | undefined) => {
    findings.logIn = { username }
  }
  const onLogOut = () => {
    findings.loggedOut = true
  }
  if (match?.route.kind === "handler" && match.route.auth.kind === "anyone") {
    const { route } = match
    if (!route.quiet || !parts.near.includes(address)) {
      // A route for anyone that opens sessions is a log-in.
      const patience = route.needs.includes("sessions") ? logInPatience : 0
      findings.delay = await parts.limits.chargeAddress(address, familyOf(route), patience) // 429
    }
    const params = paramsOf(match) // 400
    return await parts.handlers.answer({
      route,
      incoming,
      params,
      session: await callerOf(match, findings, parts),
      onLogIn,
      onLogOut,
    })
  }
  if (found instanceof Problem && !isFamilyPath(url.pathname)) {
    throw parts.limits.refuseStranger(address, found) // 404, 405, 429
  }

  watch.enter("auth")
  const key = findings.key = await parts.sessions.read(request.headers)
  if (!key) throw parts.limits.refuseStranger(address, notLoggedIn()) // 401, 429
  using running = parts.limits.enter({ id: key.account, username: key.username }) // 429, before any query
  if (!match || match.route.kind === "listing") parts.assertRecording() // 503
  const mayWait = request.headers.has("prefer")
  const wait = mayWait ? await readWait(findings, parts.waiting) : undefined
  const question = questionOf(key, findings, { ...parts, isWaiting: wait !== undefined })
  const own = needOf(findings)
  const admitFor = (need: Need) => async (node: Node): Promise<Admitted> => {
    findings.node = watch.node = node.name
    const { watermark } = node.changes
    const admission = findings.admission = await parts.gate.lookUp(node, question, watch)
    if (!admission) throw parts.limits.refuseStranger(address, notLoggedIn()) // 401, 429
    const assertFit = (admission: Admission) => parts.nodes.assertFit(admission, { node, need })
    await assertFit(admission)
    return { admission, watermark, node, assertFit }
  }
  const signal = goneSignal(request)
  const onRetry = () => {
    findings.retries = (findings.retries ?? 0) + 1
  }
  const need = (): Need => ({
    ...own,
    signal,
    first: wait && parts.waiting.node,
    onRetry,
  })
  const admit = admitFor(own)
  const admitted = await parts.nodes.read(need(), admit).catch((error) => {
    if (!(error instanceof Unavailable && isForOperators(findings))) throw error
    const anyAge = { ...need(), isAnyAge: true }
    return parts.nodes.read(anyAge, admitFor(anyAge))
  })
  const { admission } = admitted
  const { session } = admission
  const family = match ? familyOf(match.route) : "none"
  const charge = await parts.limits.charge(session.account, family, signal) // 429
  findings.delay = charge.delay
  if (!match || !input) throw found // 404, 405, 503
  const { route } = match
  const params = paramsOf(match) // 400
  authorize(route, admission, input) // 403, 400, 404
  parts.activity.recordRequest(session)

  const answerList = async (list: MountedRoute & ListingRoute) => {
    const asked = { route: list, incoming, input, question }
    const again = async <T>(make: (admitted: Admitted) => Promise<T>): Promise<T> => {
      watch.enter("auth")
      return await parts.nodes.read(need(), async (node) => {
        const admitted = await admit(node) // 401
        authorize(list, admitted.admission, input) // 404
        return await make(admitted)
      })
    }
    const first = async <T>(make: (admitted: Admitted) => Promise<T>): Promise<T> => {
      try {
        return await make(admitted)
      } catch (error) {
        if (!parts.nodes.areMany || !canAnotherTry(error, admitted.node)) throw error
        onRetry()
        return await again(make)
      }
    }
    if (list.export) {
      return await first(({ watermark, ...own }) =>
        parts.exports.answer({ ...asked, ...own }, watermark) // 410, 429
      )
    }
    const page = ({ watermark, ...own }: Admitted) =>
      parts.lists.answer({ ...asked, ...own }, watermark) // 410
    const made = await first(page)
    if (!wait) return made
    const onHold = () => running[Symbol.dispose]()
    const most = parts.limits.mostWaiting(session.account)
    const { waiting } = parts
    return await answerWhenNew(made, wait, {
      findings,
      waiting,
      most,
      signal,
      onHold,
      again: async () => {
        using turn = await parts.limits.enterAgain(session.account, signal)
        return turn && await again(page)
      },
    })
  }
  const made: Answered & { readonly page?: PageFacts } = route.kind === "listing"
    ? await answerList(route)
    : await parts.handlers.answer({ route, incoming, params, session, onLogIn, onLogOut })
  findings.page = made.page
  const headers = { ...made.headers, ...await charge.settle(made.status) }
  const { status, body, streamed } = made
  if (!streamed) return { status, headers, body }
  running.holdUntil(streamed.ended)
  void streamed.ended.then(({ page: { rows } }) => charge.chargeRecords(rows))
  return { status, headers, body, streamed }
}

/** A request that is to be answered from a node, as of the node's admission. */
interface Admitted {
  readonly node: Node
  readonly admission: Admission
  /** What the process knew before. */
  readonly watermark: number | undefined
  readonly assertFit: ListRequest["assertFit"]
}

/**
 * Returns which node a request needs. Nothing says what the walk of an offset has seen before: only the primary
 * has all of it for sure. Handlers read what the primary has, and may write; some
 * need neither.
 */
function needOf({ match, input }: Findings): Need {
  if (match?.route.kind !== "listing") return { primary: "first", isPatient: false }
  const { offset = 0, cursor } = input?.query?.value ?? {}
  return { primary: offset > 0 && cursor === undefined ? "only" : "spared" }
}

/** Returns true for a page that shows operators how the service is. While no server is in use, they need it most. */
function isForOperators({ match, incoming: { method } }: Findings): boolean {
  return match?.route.kind === "handler" && method === "GET" &&
    match.route.needs.some((need) => need === "operations" || need === "status")
}

/**
 * Returns the session of a caller who needs none, for routes that show each caller what is theirs. While the
 * database cannot answer, everyone is a stranger there, and gets what strangers get.
 */
async function callerOf(
  { route }: RouteMatch,
  findings: Findings,
  parts: Parts,
): Promise<Session | undefined> {
  if (route.kind === "listing" || !route.needs.includes("catalogue")) return undefined
  const { request, watch } = findings.incoming
  const key = await parts.sessions.read(request.headers)
  if (!key) return undefined
  try {
    const question = questionOf(key, findings, parts)
    const need = { primary: "first", isPatient: false } as const
    const read = async (node: Node) => {
      const admission = await parts.gate.lookUp(node, question, watch)
      if (admission) await parts.nodes.assertFit(admission, { node, need })
      return admission?.session
    }
    return await parts.nodes.read(need, read)
  } catch (error) {
    if (error instanceof Unavailable) return undefined
    throw error
  }
}

/** The most milliseconds that a log-in above the burst waits: a partner's jobs may all start together. */
const logInPatience = 5_000

/** Returns the question of the admission: everything that the checks need to know, at once. */
function questionOf(
  key: SessionKey,
  { match, input, incoming: { address } }: Findings,
  { sessions: { idle }, nodes, isWaiting = false }:
    & Pick<Parts, "sessions" | "nodes">
    & { readonly isWaiting?: boolean },
): AdmissionQuestion {
  const eventId = input?.eventId?.value
  const list = match?.route.kind === "listing" ? match.route.list : undefined
  const own = list?.categories ?? []
  // Only a list with an empty body can be answered without reading records.
  const isOfRecords = list?.emptyBody !== undefined
  const tables = isOfRecords ? own.map((category) => categories[category]) : []
  // With one server, the tag of a page says enough about deletions.
  const isAboutDeletions = isOfRecords
    ? isWaiting || nodes.areMany
    : nodes.areMany && list?.hasHorizon === true
  return {
    ...{ key, idle, address, eventId, tables },
    ...isAboutDeletions && { deletions: own },
    ...nodes.areMany && { heartbeat: true },
  }
}

/** Returns the signal that the client has gone. With a body it may come when that has been read. */
function goneSignal({ method, signal }: Request): AbortSignal | undefined {
  return method === "GET" || method === "HEAD" ? signal : undefined
}

/** Returns the name under which an account's requests to these routes are counted together. */
function familyOf({ plugin, prefix }: MountedRoute): string {
  return `${plugin} ${prefix}`
}
