import type { Catalogue, ListingParameter, MountedRoute } from "../../core/plugin.ts"
import type { Json } from "./schemas.ts"

/** Returns the parameters of a route, first those of its path. */
export function parametersOf(route: MountedRoute): Json[] {
  const query = route.kind === "listing" ? route.list.parameters : []
  const own = route.kind === "handler" ? route.describe?.parameters ?? {} : {}
  return [
    ...route.pattern.parameters.map((name) =>
      name === "eventId" ? refer("path.eventId") : pathParameter(name, own[name] ?? "Any text.")
    ),
    ...query.map((name) =>
      refer(name === "limit" && isExport(route) ? "query.export.limit" : `query.${name}`)
    ),
  ]
}

/** True for a list that is sent whole. */
function isExport(route: MountedRoute): boolean {
  return route.kind === "listing" && route.export === true
}

function refer(key: string): Json {
  return { $ref: `#/components/parameters/${key}` }
}

/** Returns the parameters that routes refer to, by name. */
export function parameterComponents(
  { routes, records, parameters, limitOfExports }: Catalogue,
): Json {
  const ofEvents = routes.some(({ pattern }) => pattern.parameters.includes("eventId"))
  const ofQueries = new Set(
    routes.flatMap((route) => route.kind === "listing" ? route.list.parameters : []),
  )
  return Object.fromEntries([
    ...ofEvents ? [["path.eventId", eventId(records)] as const] : [],
    ...(Object.keys(parameters) as ListingParameter[])
      .filter((name) => ofQueries.has(name))
      .map((name) => [`query.${name}`, { name, in: "query", ...parameters[name] }] as const),
    ...routes.some(isExport)
      ? [["query.export.limit", { name: "limit", in: "query", ...limitOfExports }] as const]
      : [],
  ])
}

function eventId(records: Catalogue["records"]): Json {
  return {
    ...pathParameter(
      "eventId",
      "The `id` of an event from the family's list of events, in upper or lower case.",
    ),
    schema: { type: "string", format: "uuid" },
    example: records.get("Event")?.fields["id"]?.example,
  }
}

function pathParameter(name: string, description: string): Json {
  return { name, in: "path", required: true, description, schema: { type: "string", minLength: 1 } }
}
