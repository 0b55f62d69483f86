import type { PluginFailure } from "../routes/setup.ts"
import type { MountedRoute } from "../routes/contract.ts"
import { Problem, retryLater } from "../http/problems.ts"

/**
 * The route for a method, of those that share a path; HEAD finds GET.
 *
 * @throws {Problem} 405 where the path has other methods; 503 where it is likely a plugin's that
 *   could not be used; else 404.
 */
export function findRoute(
  sharing: readonly MountedRoute[],
  asked: {
    readonly method: string
    readonly path: string
    readonly failed: readonly PluginFailure[]
  },
): MountedRoute {
  const { method, path, failed } = asked
  const wanted = method === "HEAD" ? "GET" : method
  const found = sharing.find((route) => route.method === wanted)
  if (found) return found
  if (sharing.length > 0) throw notAllowed(sharing, method)

  const [, segment = ""] = path.split("/")
  const lost = failed.find(({ segments }) => segments.includes(segment))
  if (lost) throw new Problem("unavailable", `The plugin ${lost.use} cannot be used.`, retryLater)
  const detail = "There is nothing at this address. Check the path, segment by segment."
  throw new Problem("not_found", detail)
}

function notAllowed(sharing: readonly MountedRoute[], method: string): Problem {
  const allowed = sharing.flatMap((route) =>
    route.method === "GET" ? ["GET", "HEAD"] : [route.method]
  )
  const allow = allowed.sort().join(", ")
  const detail = `${method} is not for this address; it knows ${allow}.`
  return new Problem("method_not_allowed", detail, { headers: { allow } })
}
