import type { HandlerContext, HandlerRoute, Host, HostPart } from "../routes/contract.ts"
import { Problem, retryLater } from "../http/problems.ts"

/**
 * Runs a plugin's handler within a time limit in seconds.
 *
 * @throws {Problem} 503 past the limit; the handler's own work cannot be stopped, only left alone.
 */
export async function handle(
  route: HandlerRoute,
  context: HandlerContext<HostPart>,
  timeLimit: number,
): Promise<Response> {
  const { promise, reject } = Promise.withResolvers<never>()
  const late = new Problem("unavailable", "The answer took too long.", retryLater)
  const timer = setTimeout(() => reject(late), timeLimit * 1000)
  try {
    return await Promise.race([
      route.handle({ ...context, host: partsOf(context.host, route.needs) }),
      promise,
    ])
  } finally {
    clearTimeout(timer)
  }
}

/** The parts of the host that a route declares, and no others. */
function partsOf(host: Host, needs: readonly HostPart[]): Host {
  const parts = needs.map((name) => [name, host[name]] as const)
  return Object.fromEntries(parts) as unknown as Host
}
