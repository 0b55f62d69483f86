import { type Answer, fromResponse } from "../http/answer.ts"
import type { Problem } from "../http/problems.ts"
import type { Log } from "../log.ts"
import type { OpenExchange } from "./exchange.ts"

/**
 * Returns the answer of a request that is refused: problem details, or the route's form of them with the same headers,
 * such as `Retry-After`. Never throws.
 */
export async function answerRefused(
  problem: Problem,
  { asked: { id, request, match }, decided: { admission } }: OpenExchange,
  log: Log,
): Promise<Answer> {
  const route = match?.route
  if (route?.kind === "handler" && route.refused) {
    try {
      const response = route.refused(problem, {
        request,
        requestId: id,
        session: admission?.session,
      })
      if (response) {
        const { status, headers, body } = await fromResponse(response)
        const all = { "cache-control": "no-store", ...problem.headers, ...headers }
        return { status, headers: all, body }
      }
    } catch (error) {
      log.error({ id, error }, `plugin ${route.plugin} cannot word a refusal`)
    }
  }
  return problem.toAnswer(id)
}
