import type { Policy } from "../access/policies.ts"
import { Problem } from "../http/problems.ts"
import { bindList } from "../records/lists/list.ts"
import type { Projection } from "../records/kinds/projection.ts"
import type { Resource } from "../records/lists/resource.ts"
import { projectionMistakes } from "./validate.ts"
import type {
  Description,
  HandlerContext,
  HandlerRoute,
  HostPart,
  ListingRoute,
  Method,
  Plugin,
} from "./contract.ts"

/** Returns the plugin unchanged. Only gives it types. */
export function definePlugin<Settings>(plugin: Plugin<Settings>): Plugin<Settings> {
  return plugin
}

/**
 * Declares a route that lists a resource. The path of an event's records has `:eventId` in it.
 * @throws {TypeError} if the projection is missing, or of another record than the resource's.
 */
export function listing<P>(
  path: string,
  resource: Resource<P>,
  options: { readonly auth: Policy; readonly project: P },
): ListingRoute {
  const { auth, project } = options ?? missing
  const mistakes = projectionMistakes(resource, project)
  if (mistakes.length > 0) throw new TypeError(`GET ${path}: ${mistakes.join("; ")}`)
  const { filter } = (project ?? {}) as Partial<Projection>
  if (filter && filter.scope === undefined) {
    throw new TypeError(`GET ${path}: only lists of family(…) have filters`)
  }
  return { kind: "listing", method: "GET", path, auth, list: bindList(resource, project) }
}

type HandlerOption = "auth" | "anyScope" | "describe" | "quiet" | "longestBody" | "refused"

/** Declares a route with its own handler. `needs` names the parts of the host that it gets. */
export function handler<Needs extends HostPart = never>(
  method: Method,
  path: string,
  options: Pick<HandlerRoute, HandlerOption> & {
    readonly needs?: readonly Needs[]
    handle(context: HandlerContext<Needs>): Response | Promise<Response>
  },
): HandlerRoute {
  return { kind: "handler", method, path, needs: [], ...options }
}

/**
 * Declares a future route: a 404 `not_available` with `detail`, until another plugin serves a real route there.
 * @throws {TypeError} if there is no detail.
 */
export function announced(
  path: string,
  options: { readonly auth: Policy; readonly detail: string },
): HandlerRoute & { readonly describe: Description } {
  const { auth, detail } = options ?? missing
  if (typeof detail !== "string" || detail === "") {
    throw new TypeError(`GET ${path} is announced without a detail: write a sentence for partners`)
  }
  const handle = () => {
    throw new Problem("not_available", detail)
  }
  const describe: Description = {
    summary: "Announced",
    description: detail,
    answers: {},
    problems: { not_available: detail },
  }
  return { ...handler("GET", path, { auth, handle }), describe, announced: true }
}

/** Stands for options that a plugin in JavaScript forgets: validation then names those that are missing. */
const missing = {} as never
