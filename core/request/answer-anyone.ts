import type { AdmissionQuestion } from "../access/admission.ts"
import type { Session } from "../access/sessions.ts"
import { Unavailable } from "../data/unavailable.ts"
import type { Answer } from "../http/answer.ts"
import type { HandlerRoute } from "../routes/contract.ts"
import { questionOf } from "./attempt.ts"
import { paramsOf } from "./authorize.ts"
import type { Components } from "./components.ts"
import type { OpenExchange } from "./exchange.ts"
import type { Node } from "./nodes.ts"
import { familyOf, type RouteMatch } from "./route-table.ts"

/** Milliseconds that a log-in above the burst may wait: a partner's jobs may all start together. */
const logInPatience = 5_000

/** Answers a request to a route for anyone. @throws {Problem} as its lines say; what the handler throws. */
export async function answerAnyone(
  match: RouteMatch<HandlerRoute>,
  exchange: OpenExchange,
  components: Components,
): Promise<Answer> {
  const { route } = match
  const { address } = exchange.asked
  if (!route.quiet || !components.near.includes(address)) {
    // A route for anyone that opens sessions is a log-in.
    const patience = route.needs.includes("sessions") ? logInPatience : 0
    exchange.decided.delay = await components.limits.chargeAddress(
      address,
      familyOf(route),
      patience,
    ) // 429
  }
  const params = paramsOf(match) // 400
  const session = route.needs.includes("catalogue")
    ? await findCaller(exchange, components)
    : undefined
  return await components.handlers.answer({ route, params, session, exchange })
}

/**
 * Returns the caller's session, if there is one, for routes that show callers what is theirs. While the database cannot
 * answer, everybody counts as a stranger.
 */
async function findCaller(
  exchange: OpenExchange,
  components: Components,
): Promise<Session | undefined> {
  const { sessions, admissions, nodes } = components
  const { request, watch } = exchange.asked
  const preference = { primary: "first", isPatient: false } as const
  const lookUp = async (node: Node, question: AdmissionQuestion) => {
    const admission = await admissions.lookUp(node, question, watch)
    if (admission) await nodes.assertFit(admission, { node, preference })
    return admission?.session
  }
  try {
    const key = await sessions.read(request.headers)
    if (!key) return undefined
    const question = questionOf(key, exchange, components)
    return await nodes.read(preference, (node) => lookUp(node, question))
  } catch (error) {
    if (error instanceof Unavailable) return undefined
    throw error
  }
}
