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

/** The internals of the service, for pages of capabilities. */
export interface ServiceInternals {
  /** The database to change: the primary, if there are several servers. */
  readonly database: Database
  /** The database to read, also while there is no primary. */
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

/** A request for a handler that gets the internals. */
export type InternalContext = HandlerContext<"status" | "catalogue"> & {
  readonly internals: ServiceInternals
}

/** Marks routes whose handlers get the internals. Plugins outside the distribution cannot have it. */
const mark: unique symbol = Symbol("internals")

/**
 * Declares a route whose handler gets the internals. It is for operators, and for viewers if it is a GET, unless `auth`
 * names others: the handler then shows them only what is theirs. Callers see a `UserError` with status 400.
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

/** Returns the error of a response: errors for people become problems with status 400. */
export function problemOf(error: unknown): unknown {
  return error instanceof UserError || error instanceof NetworkError
    ? new Problem("invalid_body", error.message)
    : translateError(error)
}

/** Returns true for the routes of `internalHandler`. */
export function isInternal(route: Route): boolean {
  return mark in route
}
