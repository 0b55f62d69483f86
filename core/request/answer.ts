import type { SessionKey } from "../access/sessions.ts"
import { Problem } from "../http/problems.ts"
import type { HandlerRoute } from "../routes/contract.ts"
import { answerAnyone } from "./answer-anyone.ts"
import { authorize, notLoggedIn, paramsOf, readInput } from "./authorize.ts"
import type { Answered, Findings } from "./facts.ts"
import type { Charge } from "./limits.ts"
import type { BegunLayer } from "./list-layer.ts"
import type { Parts } from "./parts.ts"
import { familyOf, isFamilyPath, type RouteMatch } from "./route-table.ts"
import { Turn } from "./turn.ts"

/**
 * Answers a request. Checks the session (401), the limits (429), the route (404, 405, 503, 400), the caller (403), the
 * parameters (400) and the event (404, 403), always in this order; a path that cannot be a family's is 404 first. One
 * statement, the admission, reads what the checks need. Records are read in a snapshot that repeats it (`Pages`).
 * If a server fails, all begins again at another (`Turn`). A request that fails is logged with its `findings` so far.
 * @throws {Problem} with the status in a line's comment; what a handler throws.
 */
export async function answer(findings: Findings, parts: Parts): Promise<Answered> {
  const { incoming: { url, method, address } } = findings
  const routed = parts.routes.find(method, url.pathname)
  const match = findings.match = routed instanceof Problem ? undefined : routed
  const input = findings.input = match && readInput(match, url.search)
  const open = match && openRouteOf(match)
  if (open) return await answerAnyone(open, findings, parts) // 429, 400
  if (routed instanceof Problem && !isFamilyPath(url.pathname)) {
    throw parts.limits.refuseStranger(address, routed) // 404, 405, 429
  }

  const key = await readKey(findings, parts) // 401, 429
  using running = parts.limits.enter({ id: key.account, username: key.username }) // 429, before any query
  if (match?.route.kind !== "handler") parts.assertRecording?.() // 503
  const layers = await beginLayers(findings, parts)
  const turn = new Turn(findings, parts, { key, running, layers })
  const admission = await turn.admit() // 401, 429
  const { session } = admission
  const family = match ? familyOf(match.route) : "none"
  const charge = await parts.limits.charge(session.account, family, turn.signal) // 429
  findings.delay = charge.delay
  if (!match || !input) throw routed // 404, 405, 503
  const { route } = match
  const params = paramsOf(match) // 400
  authorize(route, admission, input) // 403, 400, 404
  if (!admission.isUseRecorded) parts.activity.recordRequest(session)

  const answered: Answered = route.kind === "listing"
    ? await answerList(turn, layers, parts) // 400, 410
    : await parts.handlers.answer({ route, params, session, findings })
  findings.page = answered.page
  findings.pages = answered.pages
  return settle(answered, charge, running)
}

/** Returns a match whose route is for anyone; undefined if it is not. */
function openRouteOf({ route, params }: RouteMatch): RouteMatch<HandlerRoute> | undefined {
  return route.kind === "handler" && route.auth.kind === "anyone" ? { route, params } : undefined
}

/** Returns what the token or the cookie of a request says. @throws {Problem} 401, 429. */
async function readKey(findings: Findings, { sessions, limits }: Parts): Promise<SessionKey> {
  const { incoming: { request, address, watch } } = findings
  watch.enter("auth")
  const key = findings.key = await sessions.read(request.headers)
  if (!key) throw limits.refuseStranger(address, notLoggedIn(request.headers))
  return key
}

/** Begins the layers that do something with a request, outermost first. */
async function beginLayers(findings: Findings, { layers }: Parts): Promise<BegunLayer[]> {
  const route = findings.match?.route
  const begun: BegunLayer[] = []
  if (route?.kind !== "listing") return begun
  for (const layer of layers) {
    const one = await layer.begin(findings, route)
    if (one) begun.push(one)
  }
  return begun
}

/** Answers a request for a list, through its layers. */
async function answerList(
  turn: Turn,
  [layer, ...within]: readonly BegunLayer[],
  parts: Parts,
): Promise<Answered> {
  if (layer) return await layer.answer(turn, () => answerList(turn, within, parts))
  return await turn.read((request) => parts.lists.answer(request))
}

/** Adds what is left of the limits. A response that is made while it is sent runs, and is charged, until its end. */
function settle(
  answered: Answered,
  charge: Charge,
  running: DisposableStack,
): Answered {
  const { status, body, release, streamed, charged = 0 } = answered
  const headers = { ...answered.headers, ...charge.settle(status) }
  charge.chargeRecords(charged)
  if (!streamed) return { status, headers, body, release }
  const held = running.move()
  void streamed.ended.then(({ page: { rows } }) => {
    held.dispose()
    charge.chargeRecords(rows)
  })
  return { status, headers, body, streamed }
}
