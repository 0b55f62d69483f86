import { longestCursor } from "../request/listing/cursor.ts"
import { defaultSince, maximumLimit, maximumSearch } from "../request/listing/query.ts"
import type { ListingParameter } from "../records/resource.ts"
import type { MountedRoute } from "../routes/contract.ts"
import { exampleEventId } from "../records/kinds/common.ts"
import type { Json } from "./schemas.ts"

/** The query parameters of listings, as a document describes them. */
export const queryParameters: Readonly<Record<ListingParameter, Json>> = {
  q: {
    description: "Words that must all occur, whatever their case and accents, in the fields that " +
      "this family returns.",
    schema: { type: "string", default: "", maxLength: maximumSearch },
  },
  since: {
    description: "Unix seconds: what has changed since then. A negative number means everything. " +
      "Send the `Next-Since` of the poll before.",
    schema: { type: "integer", format: "int64", default: defaultSince },
  },
  offset: {
    description: "Records to pass over; in a bundle, in each category. Not with `cursor`.",
    schema: {
      type: "integer",
      format: "int64",
      default: 0,
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
    },
  },
  limit: {
    description: "Records a page; in a bundle, of each category.",
    schema: { type: "integer", default: maximumLimit, minimum: 1, maximum: maximumLimit },
  },
  bucket: {
    description: "Only records whose ids begin with these hexadecimal digits.",
    schema: { type: "string", default: "", pattern: "^[0-9a-fA-F]{0,8}$" },
  },
  cursor: {
    description: "Where a walk goes on: part of the address in `Link`, never made by hand. The " +
      "other parameters may be left out, and must otherwise be those of the walk.",
    schema: {
      type: "string",
      pattern: "^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$",
      maxLength: longestCursor,
    },
  },
}

/** The parameters of a route, those of its path first. */
export function parametersOf(route: MountedRoute): Json[] {
  const query = route.kind === "listing" ? route.list.parameters : []
  const own = route.kind === "handler" ? route.describe?.parameters ?? {} : {}
  return [
    ...route.pattern.parameters.map((name) =>
      name === "eventId" ? refer("path.eventId") : pathParameter(name, own[name] ?? "Any text.")
    ),
    ...query.map((name) => refer(`query.${name}`)),
  ]
}

function refer(key: string): Json {
  return { $ref: `#/components/parameters/${key}` }
}

/** The parameters that routes refer to, by name. */
export function parameterComponents(routes: readonly MountedRoute[]): Json {
  const ofEvents = routes.some(({ pattern }) => pattern.parameters.includes("eventId"))
  const ofQueries = new Set(
    routes.flatMap((route) => route.kind === "listing" ? route.list.parameters : []),
  )
  return Object.fromEntries([
    ...ofEvents ? [["path.eventId", eventId] as const] : [],
    ...(Object.keys(queryParameters) as ListingParameter[])
      .filter((name) => ofQueries.has(name))
      .map((name) => [`query.${name}`, { name, in: "query", ...queryParameters[name] }] as const),
  ])
}

const eventId: Json = {
  ...pathParameter(
    "eventId",
    "The `id` of an event, in either case, as the family's list of events has it.",
  ),
  schema: { type: "string", format: "uuid" },
  example: exampleEventId,
}

function pathParameter(name: string, description: string): Json {
  return { name, in: "path", required: true, description, schema: { type: "string", minLength: 1 } }
}
