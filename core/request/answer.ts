import type { SessionKey } from "../access/sessions.ts"
import { Problem } from "../http/problems.ts"
import type { HandlerRoute } from "../routes/contract.ts"
import { answerAnyone } from "./answer-anyone.ts"
import { Attempt } from "./attempt.ts"
import { authorize, paramsOf, readInput } from "./authorize.ts"
import type { Components } from "./components.ts"
import type { ListAnswer, OpenExchange } from "./exchange.ts"
import type { Charge } from "./limits.ts"
import type { BegunLayer } from "./list-layer.ts"
import { notLoggedIn, whyUnknown } from "./not-logged-in.ts"
import { familyOf, isFamilyPath, type RouteMatch } from "./route-table.ts"

/**
 * Answers a request. Checks the session (401), the limits (429), the route (404, 405, 503, 400), the caller (403), the
 * parameters (400) and the event (404, 403), always in this order; a path that cannot be a family's is 404 first. One
 * statement, the admission, reads what the checks need. Records are read in a snapshot that repeats it (`Pages`). If a
 * server fails, everything begins again at another (`Attempt`). A request that fails is logged as far as it came.
 * @throws {Problem} with the status in a line's comment; what a handler throws.
 */
export async function answer(exchange: OpenExchange, components: Components): Promise<ListAnswer> {
  const { asked, asked: { url, method, address }, decided } = exchange
  const routed = components.routes.find(method, url.pathname)
  const match = asked.match = routed instanceof Problem ? undefined : routed
  const input = asked.input = match && readInput(match, url.search)
  if (input?.query) asked.action = "list"
  const open = match && openRouteOf(match)
  if (open) return await answerAnyone(open, exchange, components) // 429, 400
  if (routed instanceof Problem && !isFamilyPath(url.pathname)) {
    throw components.limits.refuseStranger(address, routed) // 404, 405, 429
  }

  const key = await readKey(exchange, components) // 401, 429
  using running = components.limits.enter({ id: key.account, username: key.username }) // 429, before any query
  if (match?.route.kind !== "handler") components.assertRecording?.() // 503
  const layers = await beginLayers(exchange, components)
  const attempt = new Attempt(exchange, components, { key, running, layers })
  const admission = await attempt.admit() // 401, 429
  const { session } = admission
  const family = match ? familyOf(match.route) : "none"
  const charge = await components.limits.charge(session.account, family, attempt.signal) // 429
  decided.delay = charge.delay
  if (!match || !input) throw routed // 404, 405, 503
  const { route } = match
  const params = paramsOf(match) // 400
  authorize(route, admission, input) // 403, 400, 404
  if (!admission.isUseRecorded) components.activity.recordRequest(session, address)

  const answered: ListAnswer = route.kind === "listing"
    ? await answerList(attempt, layers, components) // 400, 410
    : await components.handlers.answer({ route, params, session, exchange })
  return settle(answered, charge, running)
}

/** Returns a match whose route is for anyone; undefined if it is not. */
function openRouteOf({ route, params }: RouteMatch): RouteMatch<HandlerRoute> | undefined {
  return route.kind === "handler" && route.auth.kind === "anyone" ? { route, params } : undefined
}

/** Returns what the token or the cookie of a request says. @throws {Problem} 401, 429. */
async function readKey(
  { asked }: OpenExchange,
  { sessions, limits }: Components,
): Promise<SessionKey> {
  const { request, address } = asked
  const key = asked.key = await sessions.read(request.headers)
  if (key) return key
  const reason = whyUnknown(request.headers, sessions.cookie)
  throw limits.refuseStranger(address, notLoggedIn(reason))
}

/** Begins the layers that do something with a request, outermost first. */
async function beginLayers(
  exchange: OpenExchange,
  { layers }: Components,
): Promise<BegunLayer[]> {
  const route = exchange.asked.match?.route
  const begun: BegunLayer[] = []
  if (route?.kind !== "listing") return begun
  for (const layer of layers) {
    const one = await layer.begin(exchange, route)
    if (one) begun.push(one)
  }
  return begun
}

/** Answers a request for a list, through its layers. */
async function answerList(
  attempt: Attempt,
  [layer, ...within]: readonly BegunLayer[],
  components: Components,
): Promise<ListAnswer> {
  if (layer) return await layer.answer(attempt, () => answerList(attempt, within, components))
  return await attempt.read((request) => components.lists.answer(request))
}

/** Adds what is left of the limits. A streamed response runs, and is charged, until its end. */
function settle(answered: ListAnswer, charge: Charge, running: DisposableStack): ListAnswer {
  const { status, streamed, charged = 0 } = answered
  const headers = { ...answered.headers, ...charge.settle(status) }
  charge.chargeRecords(charged)
  if (streamed) {
    const held = running.move()
    void streamed.ended.then(({ page: { rows } }) => {
      held.dispose()
      charge.chargeRecords(rows)
    })
  }
  return { ...answered, headers }
}
