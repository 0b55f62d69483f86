import { inspect } from "node:util"
import * as v from "valibot"
import type { Policy } from "../access/policies.ts"
import { suggest } from "../nearest.ts"
import { isProjection } from "../records/lists/list.ts"
import type { Resource } from "../records/lists/resource.ts"
import {
  apiVersion,
  type HandlerRoute,
  type HostPart,
  type ListingRoute,
  type Plugin,
  type Route,
} from "./contract.ts"
import { compilePath, type PathPattern } from "./path.ts"
import { pathSegment } from "./setting-types.ts"

const schema = v.looseObject({ kind: v.literal("schema") })
const text = v.pipe(v.string(), v.regex(/^.+$/))

/** The requirement for each part of a plugin, in words and as a schema. */
const pluginParts: Readonly<Record<keyof Plugin, [must: string, schema: v.GenericSchema]>> = {
  apiVersion: [`${apiVersion}, the version of this service's contract`, v.literal(apiVersion)],
  name: ["lower-case letters, digits and single hyphens", pathSegment],
  summary: ["one line of text", text],
  version: ["text", v.optional(text)],
  extends: ["the name of a plugin", v.optional(pathSegment)],
  settings: ["a valibot schema, such as v.strictObject({})", schema],
  mount: ["a function that returns { prefix, routes }", v.function()],
  document: ["a function that returns a document", v.optional(v.function())],
}

/** Returns what is wrong with the default export of a plugin's module, one sentence per mistake. */
export function pluginMistakes(plugin: unknown): string[] {
  if (!isGroup(plugin)) return ["its default export is not a plugin: write definePlugin({…})"]
  return Object.entries(pluginParts).flatMap(([name, [must, schema]]) =>
    v.is(schema, plugin[name]) ? [] : [mustBe(name, must, plugin[name])]
  )
}

/** Returns what is wrong with what a plugin's `mount` returned, one sentence per mistake, with method and path. */
export function mountMistakes(mounts: unknown): string[] {
  if (mounts instanceof Promise) {
    return ["mount must return { prefix, routes } at once, not a promise"]
  }
  return [mounts].flat().flatMap((mount: unknown) => {
    if (!isGroup(mount) || !Array.isArray(mount["routes"])) {
      return [mustBe("what mount returns", "{ prefix, routes } or a list of them", mount)]
    }
    const { prefix } = mount
    if (typeof prefix !== "string" || !/^(\/.*[^/])?$/s.test(prefix)) {
      return [mustBe("prefix", "empty, or begin with a slash and not end with one", prefix)]
    }
    return mount["routes"].flatMap((route: unknown) => routeMistakes(route, prefix))
  })
}

function routeMistakes(value: unknown, prefix: string): string[] {
  const route = (isGroup(value) ? value : {}) as unknown as Route
  const place = `${route.method ?? "a route of"} ${prefix}${route.path ?? ""}`
  const mistakes = isRoute(route)
    ? [...policyMistakes(route.auth), ...pathMistakes(route, prefix), ...handlerMistakes(route)]
    : ["a route is made by listing, handler or announced"]
  return mistakes.map((mistake) => `${place}: ${mistake}`)
}

function isRoute(route: Route): boolean {
  if (typeof route.path !== "string" || typeof route.method !== "string") return false
  return route.kind === "handler" || route.kind === "listing" && isGroup(route.list)
}

const policy = v.variant("kind", [
  v.object({ kind: v.picklist(["anyone", "signed-in", "operator"]) }),
  v.object({ kind: v.literal("granted"), organizations: v.array(v.string()) }),
  v.object({ kind: v.literal("service-user"), username: v.string(), organization: v.string() }),
])

function policyMistakes(auth: Policy | undefined): string[] {
  if (v.is(policy, auth)) return []
  return [mustBe("auth", "a policy, such as granted(organizations) or signedIn", auth)]
}

function pathMistakes(route: Route, prefix: string): string[] {
  try {
    const pattern = compilePath(prefix + route.path)
    return route.kind === "listing" ? placeMistakes(route, pattern) : []
  } catch (error) {
    return [(error as Error).message]
  }
}

function placeMistakes({ auth, list }: ListingRoute, { parameters }: PathPattern): string[] {
  const ofEvent = parameters.includes("eventId")
  const advice = ofEvent
    ? "a list for all events: take :eventId out of the path"
    : "a list per event: put :eventId into the path"
  return [
    ...(list.scope === "event") === ofEvent ? [] : [`"${list.name}" is ${advice}`],
    ...auth?.kind === "anyone"
      ? [`"${list.name}" is a list, which is never for anyone: name another policy`]
      : [],
  ]
}

/** Complete: a missing part of the host is a compile error. */
const hostParts: Readonly<Record<HostPart, true>> = {
  sessions: true,
  status: true,
  catalogue: true,
  readiness: true,
}

const description = v.looseObject({
  summary: v.string(),
  description: v.string(),
  body: v.optional(schema),
  answers: v.record(v.string(), v.union([schema, v.string(), v.null()])),
})

function unknownPart(part: string): string[] {
  if (Object.hasOwn(hostParts, part)) return []
  return [`the host has no ${part} for needs${suggest(part, Object.keys(hostParts), 2)}`]
}

function handlerMistakes(route: Route): string[] {
  if (route.kind !== "handler") return []
  const { method, needs, handle, describe }: Partial<HandlerRoute> = route
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]
  const answers = "per status a valibot schema, a media type or null"
  return [
    ...methods.includes(method) ? [] : [mustBe("method", `one of ${methods.join(", ")}`, method)],
    ...typeof handle === "function" ? [] : [mustBe("handle", "a function", handle)],
    ...v.is(v.array(v.string()), needs)
      ? needs.flatMap(unknownPart)
      : [mustBe("needs", "a list of parts of the host", needs)],
    ...v.is(v.optional(description), describe)
      ? []
      : [mustBe("describe", `{ summary, description, answers }, with ${answers}`, describe)],
  ]
}

/**
 * Returns what is wrong with the projection of a list, one sentence per mistake: it is missing
 * or of another record, or a bundle lacks one. A resource without `records` takes any projection.
 */
export function projectionMistakes(
  resource: Pick<Resource, "records"> | undefined,
  project: unknown,
): string[] {
  if (!isGroup(resource)) {
    return [mustBe("the second argument", "a resource, such as guests", resource)]
  }
  const { records } = resource
  if (records === undefined) return []
  if (typeof records === "string") return recordMistakes("project", records, project)
  if (!isGroup(project) || isProjection(project)) {
    const names = Object.keys(records).join(", ")
    return [mustBe("project", `an object with a projection for each of ${names}`, {})]
  }
  const unknown = Object.keys(project).filter((name) => !Object.hasOwn(records, name))
  return [
    ...unknown.map((name) =>
      `project has an unknown ${name}${suggest(name, Object.keys(records), 2)}`
    ),
    ...Object.entries(records).flatMap(([name, record]) =>
      recordMistakes(`project.${name}`, record, project[name])
    ),
  ]
}

function recordMistakes(name: string, record: string, project: unknown): string[] {
  if (!isProjection(project)) return [mustBe(name, `a projection of ${record}`, project)]
  return project.record === record
    ? []
    : [`${name} must be a projection of ${record}, not of ${project.record}`]
}

function mustBe(name: string, must: string, value: unknown): string {
  if (value === undefined) return `${name} is missing: it must be ${must}`
  const shown = isGroup(value) || typeof value === "function" ? "" : `, not ${inspect(value)}`
  return `${name} must be ${must}${shown}`
}

function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
