import type { HandlerContext, HandlerRoute } from "../plugin.ts"
import { Problem, retryLater } from "../http/problems.ts"

/**
 * Runs a plugin's handler within a time limit in seconds.
 *
 * @throws {Problem} 503 past the limit; the handler's own work cannot be stopped, only left alone.
 */
export async function handle(
  route: HandlerRoute,
  context: HandlerContext,
  timeLimit: number,
): Promise<Response> {
  const { promise, reject } = Promise.withResolvers<never>()
  const late = new Problem("unavailable", "The answer took too long.", retryLater)
  const timer = setTimeout(() => reject(late), timeLimit * 1000)
  try {
    return await Promise.race([route.handle(context), promise])
  } finally {
    clearTimeout(timer)
  }
}
