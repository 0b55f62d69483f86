import type { GenericSchema } from "valibot"
import { describeDeprecation } from "../routes/deprecation.ts"
import type { MountedRoute } from "../routes/contract.ts"
import type { Description, HandlerRoute, ListingRoute } from "../routes/contract.ts"
import { exampleDigests, exampleOf } from "./examples.ts"
import { type AnswerHeaders, deprecationOf, type HeaderNames } from "./headers.ts"
import { parametersOf } from "./parameters.ts"
import { pascal, schemaOfRecord } from "./records.ts"
import type { ProblemResponses } from "./problem-responses.ts"
import type { Json, Schemas } from "./schemas.ts"

/** Where the parts go that operations refer to. */
export interface Parts {
  readonly schemas: Schemas
  readonly problems: ProblemResponses
  readonly headers: AnswerHeaders
}

/** The name of a route in generated clients: from its method and path alone, so that it stays. */
export function operationIdOf({ method, pattern }: MountedRoute): string {
  const words = pattern.text.slice(1).split("/").map((segment) => segment.replace(/^:/, "by-"))
  return [method.toLowerCase(), ...words].join("_")
}

/** `/events/:eventId` as `/events/{eventId}`. */
export function templateOf(path: string): string {
  return path.replaceAll(/:([a-zA-Z]\w*)/g, "{$1}")
}

/** The operation of a route. */
export function operationOf(route: MountedRoute, parts: Parts): Json {
  const announced = route.kind === "handler" && route.announced === true
  return {
    operationId: operationIdOf(route),
    tags: [route.plugin],
    ...wordsOf(route),
    ...announced ? { "x-announced": true } : {},
    ...route.deprecated ? { deprecated: true, "x-sunset": route.deprecated.sunset } : {},
    security: route.auth.kind === "anyone" ? [] : [{ session: [] }],
    parameters: parametersOf(route),
    ...route.kind === "handler" ? requestOf(route, parts) : {},
    responses: {
      ...route.kind === "handler" ? answersOf(route, parts) : pagesOf(route, parts),
      ...parts.problems.of(route),
    },
  }
}

function wordsOf(route: MountedRoute): Json {
  const own: Partial<Description> = route.kind === "handler"
    ? route.describe ?? {}
    : { summary: capital(route.list.name), description: route.list.summary }
  const { summary = `${route.method} ${route.pattern.text}`, description = "" } = own
  const note = route.deprecated
    ? `${capital(templateOf(describeDeprecation(route.deprecated)))}.`
    : ""
  const sentences = [description, note].filter(Boolean).join(" ")
  return { summary, ...sentences ? { description: sentences } : {} }
}

function requestOf({ describe }: HandlerRoute, { schemas }: Parts): Json {
  if (!describe?.body) return {}
  const content = { "application/json": { schema: schemas.of(describe.body, "request") } }
  return { requestBody: { required: true, content } }
}

/** Without a description, all that is known is that there is an answer. */
function answersOf(route: MountedRoute & HandlerRoute, { schemas, headers }: Parts): Json {
  const { answers = { 200: null }, headers: own = [] } = route.describe ?? {}
  const limits = route.auth.kind === "anyone" ? [] : ["RateLimit", "RateLimit-Policy"]
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [status, {
      description: Number(status) === 304 ? unchanged : "Done.",
      headers: headers.of({ always: ["X-Request-Id", ...limits, ...own, ...deprecationOf(route)] }),
      ...answer === null ? {} : { content: contentOf(answer, schemas) },
    }]),
  )
}

function contentOf(answer: GenericSchema | string, schemas: Schemas): Json {
  return typeof answer === "string"
    ? { [answer]: { schema: { type: "string" } } }
    : { "application/json": { schema: schemas.of(answer) } }
}

const unchanged = "Nothing has changed since the answer that had this `ETag`."

function pagesOf(route: MountedRoute & ListingRoute, { schemas, headers }: Parts): Json {
  const { parameters, bundle, hasHorizon } = route.list
  const names: HeaderNames = {
    always: [
      ...["X-Request-Id", "Cache-Control", "Vary", "ETag", "Next-Since", "Poll-Interval"],
      ...["RateLimit", "RateLimit-Policy"],
      ...hasHorizon ? ["Complete-Since"] : [],
      ...deprecationOf(route),
    ],
    sometimes: [
      ...parameters.includes("cursor") && !route.deprecated?.successor ? ["Link"] : [],
      ...bundle ? ["More"] : [],
    ],
  }
  const example = exampleBody(route)
  const examples = example === undefined ? {} : { examples: { page: { value: example } } }
  const content = { "application/json": { schema: bodyOf(route, schemas), ...examples } }
  return {
    200: { description: "A page.", headers: headers.of(names), content },
    304: { description: unchanged, headers: headers.of(names) },
  }
}

/** The shape of a page: what the resource says, else what its projections do. */
function bodyOf(
  { plugin, list }: MountedRoute & ListingRoute,
  schemas: Schemas,
): Json {
  const { parts } = list
  if (list.schema) return schemas.of(list.schema)
  const array = (part: (typeof parts)[number]) => ({
    type: "array",
    items: schemas.add(schemaOfRecord(part.projection, plugin)),
  })
  const [only] = parts
  if (only && only.name === undefined) return array(only)
  if (!only) return {}
  const arrays = Object.fromEntries(parts.map((part) => [part.name, array(part)]))
  const own = parts.some(({ projection }) =>
    schemaOfRecord(projection, plugin)["title"] !== projection.record
  )
  return schemas.add({
    title: `${own ? pascal(plugin) : ""}${pascal(list.name)}Bundle`,
    type: "object",
    properties: arrays,
    required: Object.keys(arrays),
  })
}

function exampleBody({ list: { name, parts, schema } }: ListingRoute): unknown {
  if (schema) return exampleDigests[name]
  const examples = parts.map(({ projection }) => exampleOf(projection))
  if (parts.length === 0 || examples.includes(undefined)) return undefined
  if (parts[0]?.name === undefined) return examples
  return Object.fromEntries(parts.map(({ name }, index) => [name, [examples[index]]]))
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
