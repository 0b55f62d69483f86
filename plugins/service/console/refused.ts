import { problemOf } from "../../../core/capability.ts"
import { Problem } from "../../../core/plugin.ts"

/**
 * Returns why a request was refused, for a page that shows the reason itself. Rethrows errors that the request did not
 * cause.
 */
export function reasonOf(error: unknown): string {
  const problem = problemOf(error)
  if (problem instanceof Problem && problem.status < 500) return problem.message
  throw error
}
