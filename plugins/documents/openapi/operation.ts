import type { GenericSchema } from "valibot"
import type {
  Catalogue,
  Description,
  HandlerRoute,
  ListingRoute,
  MountedRoute,
} from "../../../core/plugin.ts"
import { derivedOf } from "./derived-lists.ts"
import { capital } from "./names.ts"
import { hasRows, pagesOf } from "./pages.ts"
import { familyOf, type Parts, unchanged } from "./parts.ts"
import type { Json, Schemas } from "./schemas.ts"
import { isFeed } from "./selection.ts"

/** Writes `/events/:eventId` as `/events/{eventId}`. */
export function templateOf(path: string): string {
  return path.replaceAll(/:([a-zA-Z]\w*)/g, "{$1}")
}

/** Returns the path of the OAuth 2.0 token endpoint; undefined if there is none. */
export function tokenUrlOf({ routes }: Pick<Catalogue, "routes">): string | undefined {
  return routes.find(({ pattern }) => pattern.text === "/oauth/token")?.pattern.text
}

/** Returns the operation of a route, without its name. */
export function operationOf(route: MountedRoute, parts: Parts): Json {
  const announced = route.kind === "handler" && route.announced === true
  return {
    tags: [route.plugin],
    ...wordsOf(route, parts),
    ...announced ? { "x-announced": true } : {},
    security: securityOf(route, parts),
    parameters: parts.parameters.of(route, familyOf(route, parts), parts.catalogue),
    ...route.kind === "handler" ? requestOf(route, parts) : {},
    responses: {
      ...responsesOf(route, parts),
      ...parts.problems.of(route, parts),
    },
  }
}

/**
 * Returns the ways to send a session. Importers use the first: the cookie that the log-in sets. For ending a session,
 * the token comes first, or a collection that runs all operations would end its own session.
 */
function securityOf({ auth, method }: MountedRoute, { catalogue }: Parts): Json[] {
  if (auth.kind === "anyone") return []
  const ways = [{ session: [] }, { bearer: [] }]
  const ordered = method === "DELETE" ? ways.toReversed() : ways
  return tokenUrlOf(catalogue) === undefined ? ordered : [...ordered, { oauth: [] }]
}

function wordsOf(route: MountedRoute, parts: Parts): Json {
  const own: Partial<Description> = route.kind === "handler" ? route.describe ?? {} : {
    summary: `${capital(route.list.name)}${route.export ? ", in one response" : ""}`,
    description: `${route.list.summary} ${pollingOf(route, parts)}`,
  }
  const { summary = `${route.method} ${route.pattern.text}`, description = "" } = own
  return { summary, ...description ? { description } : {} }
}

/** Describes how to poll a list, for readers who do not look at its headers. */
function pollingOf(route: MountedRoute & ListingRoute, parts: Parts): string {
  const { parameters, of } = route.list
  if (of) {
    return isFeed(route)
      ? "`Accept` chooses JSON or NDJSON. Store the changes of a page by `category` and `id`, then `next`. " +
        "Send it as `after`: at once if `more` is true, otherwise with the next poll. A change may come " +
        "twice."
      : "With `If-None-Match`, you get 304 if it has not changed."
  }
  return parameters.includes("cursor")
    ? (hasRows(parts) ? "`Accept` chooses JSON, NDJSON or CSV. " : "") +
      'If there is another page, its URL is in `Link`, as `rel="next"`. Send `Next-Since` of the first page as ' +
      "`since` in the next poll."
    : "`Copy` says if your copy is the same, as `mine` and `fields` describe it."
}

function responsesOf(route: MountedRoute, parts: Parts): Json {
  if (route.kind === "handler") return answersOf(route, parts)
  return route.list.of ? derivedOf(route, parts) : pagesOf(route, parts)
}

function requestOf({ describe }: HandlerRoute, { schemas }: Parts): Json {
  const { body, form } = describe ?? {}
  const shape = body ?? form
  if (!shape) return {}
  const schema = schemas.of(shape, "request")
  const type = body ? "application/json" : "application/x-www-form-urlencoded"
  const content = { [type]: { schema, ...exampleRequest(schema) } }
  return { requestBody: { required: true, content } }
}

/** Returns an example of a body if each of its properties has one. */
export function exampleRequest({ properties = {} }: Json): Json {
  const examples = Object.entries(properties as Record<string, { examples?: unknown[] }>)
    .map(([name, { examples = [] }]) => [name, examples[0]])
  const isWhole = examples.length > 0 && examples.every(([, example]) => example !== undefined)
  return isWhole ? { example: Object.fromEntries(examples) } : {}
}

/** Returns the responses of a handler. Without a description, that is only a 200. */
function answersOf(route: MountedRoute & HandlerRoute, { schemas, headers }: Parts): Json {
  const { answers = { 200: null }, headers: own = [] } = route.describe ?? {}
  const limits = route.auth.kind === "anyone" ? [] : ["RateLimit", "RateLimit-Policy"]
  const isAlways = (name: string) => !name.endsWith("?")
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [status, {
      description: Number(status) === 304 ? unchanged : "Done.",
      headers: headers.of({
        always: ["X-Request-Id", ...limits, ...own.filter(isAlways)],
        sometimes: own.filter((name) => !isAlways(name)).map((name) => name.slice(0, -1)),
      }),
      ...answer === null ? {} : { content: contentOf(answer, schemas) },
    }]),
  )
}

function contentOf(answer: GenericSchema | string, schemas: Schemas): Json {
  return typeof answer === "string"
    ? { [answer]: { schema: { type: "string" } } }
    : { "application/json": { schema: schemas.of(answer) } }
}
