import { NetworkError, translateError, UserError } from "../../../core/capability.ts"
import { Problem } from "../../../core/plugin.ts"

/** Returns the error that a page answers a request with: errors for people become problems with status 400. */
export function problemOf(error: unknown): unknown {
  return error instanceof UserError || error instanceof NetworkError
    ? new Problem("invalid_body", error.message)
    : translateError(error)
}

/** Returns why a request was refused, for a page that says so itself. Throws errors that are not the request's. */
export function reasonOf(error: unknown): string {
  const problem = problemOf(error)
  if (problem instanceof Problem && problem.status < 500) return problem.message
  throw error
}
