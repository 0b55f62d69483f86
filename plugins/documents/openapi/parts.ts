import type { Catalogue, MountedRoute } from "../../../core/plugin.ts"
import type { ResponseHeaders } from "./headers.ts"
import type { Parameters } from "./parameters.ts"
import type { ProblemResponses } from "./problems.ts"
import type { Schemas } from "./schemas.ts"

/** The parts of a document that operations refer to, and its catalogue. */
export interface Parts {
  readonly catalogue: Catalogue
  /** The name of each route's family. */
  readonly families: ReadonlyMap<MountedRoute, string>
  readonly schemas: Schemas
  readonly problems: ProblemResponses
  readonly headers: ResponseHeaders
  readonly parameters: Parameters
}

/** Returns the name of a route's family. */
export function familyOf(route: MountedRoute, { families }: Parts): string {
  return families.get(route) ?? route.plugin
}

/** The description of a 304. */
export const unchanged = "Nothing has changed since the response with this `ETag`."
