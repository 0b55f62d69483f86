import { Buffer } from "node:buffer"
import { type ProblemCode, problems } from "../../../../core/http/problems.ts"
import type { Exchange } from "../exchange.ts"
import { type Simulation, Violation } from "../simulation.ts"
import type { World } from "../world.ts"

const successes = new Set([200, 201, 202, 204, 206, 302, 303, 304, 308])

/** Every answer has a status that is documented, and none is a 500. An error says which one it is. */
export default function simulate(world: World): Simulation {
  return {
    observe(exchange) {
      const fault = faultOf(exchange)
      if (fault === undefined) return
      const { client, method, path, service } = exchange
      world.fail(new Violation(`${service} answers ${client} with ${fault}: ${method} ${path}`))
    },
  }
}

/** Returns what is wrong with an answer; undefined if nothing is. */
function faultOf({ status, headers, body, isWhole, method }: Exchange): string | undefined {
  if (successes.has(status)) return
  if (status === 500) return "500"
  const known = Object.values(problems).some((problem) => problem.status === status)
  if (!known) return `${status}, which is not documented`
  const type = headers.get("content-type") ?? ""
  if (!isWhole || method === "HEAD" || !type.startsWith("application/")) return
  const text = Buffer.from(body).toString()
  const code = /json/.test(type) && text ? JSON.parse(text).code as unknown : undefined
  // The health of a service is no problem document.
  if (code === undefined) return status === 503 ? undefined : `${status} without a code`
  const problem = problems[code as ProblemCode] as { readonly status: number } | undefined
  if (problem?.status !== status) return `${status} with the code ${code}`
  const isLater = status === 503 || status === 429
  if (isLater && !headers.has("retry-after")) return `${status} without Retry-After`
  return
}
