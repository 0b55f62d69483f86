import type { Author } from "../access/audit-changes.ts"
import { operatorOnly, operatorOrViewer, type Policy } from "../access/policies.ts"
import type { Database } from "../data/database.ts"
import { translateError } from "../data/unavailable.ts"
import { UserError } from "../errors.ts"
import { Problem } from "../http/problems.ts"
import { NetworkError } from "../networks.ts"
import type { HandlerContext, HandlerRoute, Method, MountedRoute, Route } from "./contract.ts"
import { handler } from "./declare.ts"
import type { Plan } from "./plan.ts"

/** The service from inside, for the pages of capabilities. */
export interface ServiceInternals {
  /** Takes changes: that of the primary, if there are several servers. */
  readonly database: Database
  /** What can be read, also while the database has no primary. */
  readonly readable: Database
  /** The configuration in force. */
  readonly plan: Plan
  /** The caller who makes the request: the author of its changes. */
  readonly author: Author
  /** Returns what is left to the caller for requests to a family of this process. */
  left(of: Pick<MountedRoute, "plugin" | "prefix">): RemainingRequests
}

/** Requests that are left of each limit, and milliseconds until all of them are there again. */
export type RemainingRequests = Readonly<
  Record<"burst" | "quota", { readonly requests: number; readonly reset: number }>
>

/** A request for a handler that works inside the service. */
export type InternalContext = HandlerContext<"status" | "catalogue"> & {
  readonly internals: ServiceInternals
}

/** Marks routes that work inside the service. No plugin of others can have it: it is not part of their contract. */
const mark: unique symbol = Symbol("internals")

/**
 * Declares a route whose handler works inside the service. It is for operators, and for viewers if it is a GET, unless
 * `auth` says for whom: that handler sees to it that nobody gets more than their own. Callers see errors for people
 * (`UserError`) with status 400.
 */
export function internalHandler(
  method: Method,
  path: string,
  options: Pick<HandlerRoute, "describe" | "longestBody" | "refused"> & {
    readonly auth?: Policy
    handle(context: InternalContext): Response | Promise<Response>
  },
): HandlerRoute {
  const handle = async (context: HandlerContext) => {
    try {
      return await options.handle(context as InternalContext)
    } catch (error) {
      throw problemOf(error)
    }
  }
  const auth = options.auth ?? (method === "GET" ? operatorOrViewer : operatorOnly)
  const needs = options.auth ? ["catalogue"] as const : ["status", "catalogue"] as const
  const route = handler(method, path, { ...options, auth, needs, handle })
  return { ...route, ...{ [mark]: true } }
}

/** Returns the error that such a route answers a request with: errors for people become problems with status 400. */
export function problemOf(error: unknown): unknown {
  return error instanceof UserError || error instanceof NetworkError
    ? new Problem("invalid_body", error.message)
    : translateError(error)
}

/** Returns true for the routes of `internalHandler`. */
export function isInternal(route: Route): boolean {
  return mark in route
}
