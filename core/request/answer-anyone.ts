import type { AdmissionQuestion } from "../access/admission.ts"
import type { Session } from "../access/sessions.ts"
import { Unavailable } from "../data/unavailable.ts"
import type { HandlerRoute } from "../routes/contract.ts"
import { paramsOf } from "./authorize.ts"
import type { Answered, Findings } from "./facts.ts"
import type { Node } from "./nodes.ts"
import type { Parts } from "./parts.ts"
import { familyOf, type RouteMatch } from "./route-table.ts"
import { questionOf } from "./turn.ts"

/** The most milliseconds that a log-in above the burst waits: a partner's jobs may all start together. */
const logInPatience = 5_000

/** Answers a request to a route for anyone. @throws {Problem} as its lines say; what the handler throws. */
export async function answerAnyone(
  match: RouteMatch<HandlerRoute>,
  findings: Findings,
  parts: Parts,
): Promise<Answered> {
  const { route } = match
  const { address } = findings.incoming
  if (!route.quiet || !parts.near.includes(address)) {
    // A route for anyone that opens sessions is a log-in.
    const patience = route.needs.includes("sessions") ? logInPatience : 0
    findings.delay = await parts.limits.chargeAddress(address, familyOf(route), patience) // 429
  }
  const params = paramsOf(match) // 400
  const session = route.needs.includes("catalogue") ? await findCaller(findings, parts) : undefined
  return await parts.handlers.answer({ route, params, session, findings })
}

/**
 * Returns the session of a caller who needs none, for routes that show each caller what is theirs. While the database
 * cannot answer, all are strangers there.
 */
async function findCaller(findings: Findings, parts: Parts): Promise<Session | undefined> {
  const { sessions, gate, nodes } = parts
  const { request, watch } = findings.incoming
  const need = { primary: "first", isPatient: false } as const
  const lookUp = async (node: Node, question: AdmissionQuestion) => {
    const admission = await gate.lookUp(node, question, watch)
    if (admission) await nodes.assertFit(admission, { node, need })
    return admission?.session
  }
  try {
    const key = await sessions.read(request.headers)
    if (!key) return undefined
    const question = questionOf(key, findings, parts)
    return await nodes.read(need, (node) => lookUp(node, question))
  } catch (error) {
    if (error instanceof Unavailable) return undefined
    throw error
  }
}
