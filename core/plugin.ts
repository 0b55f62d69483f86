/**
 * THE CONTRACT between the kernel and its plugins: everything that a plugin may import from here.
 *
 * A plugin declares and does not register. `mount` has no effects: the kernel calls it to serve,
 * but also to check a configuration or to print the routes. For every request the kernel finds the
 * route, asks its policy, reads the parameters and, for a listing, asks the data layer and projects
 * the records; a plugin cannot forget any of it.
 */
import * as v from "valibot"
import type { Policy } from "./access/policies.ts"
import type { Session } from "./access/sessions.ts"
import type { Resource } from "./records/resource.ts"
import { Problem, type ProblemCode, problems } from "./http/problems.ts"
import type { Readiness } from "./kernel/readiness.ts"
import type { Status } from "./kernel/status.ts"

export {
  anyone,
  granted,
  operatorOnly,
  type Policy,
  serviceUser,
  signedIn,
} from "./access/policies.ts"
export {
  guestDeletions,
  itemDeletions,
  wholeGuestDeletion,
  wholeItemDeletion,
} from "./records/deletions.ts"
export { guestDigest, itemDigest, wholeDigest } from "./records/digest.ts"
export { event, events } from "./records/events.ts"
export { guest, guests } from "./records/guests.ts"
export {
  auctionItem,
  buyNowItem,
  gliRaffle,
  items,
  type ItemsProjection,
  pledge,
  raffle,
  ticket,
} from "./records/items.ts"
export { leanEvent, leanGuest, leanItems } from "./records/lean.ts"
export { pick, type Projection, rewritten, whole } from "./records/projection.ts"
export type { Resource } from "./records/resource.ts"
export type { Session } from "./access/sessions.ts"
export { readJson } from "./http/body.ts"
export { etagOf, matchesEtag } from "./http/etag.ts"
export { respondJson } from "./http/respond.ts"
export { respondIfChanged } from "./http/respond-if-changed.ts"

/** For plugins outside this repository, which need no other import. */
export { Problem, problems, v }

/** The version of this contract. It changes when a plugin that was right would no longer work. */
export const apiVersion = 1

export interface Plugin<Settings = unknown> {
  /** The contract version that the plugin was written for. */
  readonly apiVersion: number
  /** As its folder is called. */
  readonly name: string
  /** One line for people. */
  readonly summary: string
  /** The plugin's own version, for people. */
  readonly version?: string
  /**
   * The name of a plugin whose settings this one takes, instead of settings of its own: it adds
   * routes beside the other's, or puts real ones in the place of announced ones.
   */
  readonly extends?: string
  /** Checks what stands under `with` in the configuration; strict, so that a typo is found. */
  readonly settings: v.GenericSchema<unknown, Settings>
  /** Declares the routes for settings that have been checked. */
  mount(settings: Settings): Mount | readonly Mount[]
}

/** Routes under a common prefix: empty, or `/word/…` without a slash at the end. */
export interface Mount {
  readonly prefix: string
  readonly routes: readonly Route[]
}

export type Route = ListingRoute | HandlerRoute

/** A list of records: the kernel does all the work. */
export interface ListingRoute {
  readonly kind: "listing"
  readonly method: "GET"
  readonly path: string
  readonly auth: Policy
  readonly resource: Resource
  readonly project: unknown
  readonly deprecated?: Deprecation
}

/** Anything else. The handler always answers, or throws a `Problem`. */
export interface HandlerRoute {
  readonly kind: "handler"
  readonly method: Method
  readonly path: string
  readonly auth: Policy
  /** True where the route only tells that there will be one. */
  readonly announced?: true
  /** What the OpenAPI document says of it. */
  readonly describe?: Description
  /** True where requests are too many and too dull for the log: they are in it at level `debug`. */
  readonly quiet?: true
  readonly deprecated?: Deprecation
  handle(context: HandlerContext): Response | Promise<Response>
}

/** From when on a route is not recommended any more, and when it may go: days, such as `2027-01-31`, in UTC. */
export interface Deprecation {
  readonly since: string
  readonly sunset: string
  /** The path of what takes its place, from the root on; it may have parameters of the route. */
  readonly successor?: string
}

/** A handler, for the OpenAPI document. What its policy and its path bring with them is known. */
export interface Description {
  /** A few words. */
  readonly summary: string
  /** Sentences. */
  readonly description: string
  /** What the parameters of its path are; of `eventId` that is known. */
  readonly parameters?: Readonly<Record<string, string>>
  /** The shape of the JSON body that it takes. */
  readonly body?: v.GenericSchema
  /**
   * By status: the shape of the JSON body; a media type, such as `text/html` or `text/*`, where it is
   * not JSON; null where there is none.
   */
  readonly answers: Readonly<Record<number, v.GenericSchema | string | null>>
  /** The headers that all of these have. */
  readonly headers?: readonly string[]
  /** Its own errors: what the detail is, or true where that is the kernel's. */
  readonly problems?: { readonly [Code in ProblemCode]?: string | true }
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"

/** One request, for a handler: authorized, with its path parameters decoded. */
export interface HandlerContext {
  readonly request: Request
  readonly params: Readonly<Record<string, string>>
  /** The caller's session; undefined only where the policy is `anyone`. */
  readonly session: Session | undefined
  readonly sessions: SessionControl
  /** What is loaded and how the last reload went, for operators. */
  status(): Status
  /** The OpenAPI document of the routes that the caller may use. */
  openapi(): Promise<Readonly<Record<string, unknown>>>
  /** Whether the service can answer; never fails. */
  readiness(): Promise<Readiness>
}

/** Logging in and out; each answers the `Set-Cookie` header to send. */
export interface SessionControl {
  /** Undefined when the name or the password is wrong. Fails with a 429 after too many failures. */
  begin(username: string, password: string): Promise<string | undefined>
  end(session: Session): Promise<string>
}

/** Gives a plugin its types; nothing more. */
export function definePlugin<Settings>(plugin: Plugin<Settings>): Plugin<Settings> {
  return plugin
}

/** A route that lists a resource; `path` of an event's records has `:eventId` in it. */
export function listing<P>(
  path: string,
  resource: Resource<P>,
  { auth, project }: { readonly auth: Policy; readonly project: P },
): ListingRoute {
  return { kind: "listing", method: "GET", path, auth, resource: resource as Resource, project }
}

/** A route with a handler of its own. */
export function handler(
  method: Method,
  path: string,
  declared: Pick<HandlerRoute, "auth" | "handle" | "describe" | "quiet">,
): HandlerRoute {
  return { kind: "handler", method, path, ...declared }
}

/** A route that is announced: it answers 404 `not_available` until a plugin has a real one for it. */
export function announced(
  path: string,
  { auth, detail }: { readonly auth: Policy; readonly detail: string },
): HandlerRoute {
  const handle = () => {
    throw new Problem("not_available", detail)
  }
  const describe: Description = {
    summary: "Announced",
    description: detail,
    answers: {},
    problems: { not_available: detail },
  }
  return { ...handler("GET", path, { auth, handle, describe }), announced: true }
}

/** Marks a route as deprecated: every answer of it says so, and so does the OpenAPI document. */
export function deprecated<R extends Route>(deprecation: Deprecation, route: R): R {
  return { ...route, deprecated: deprecation }
}

/** One segment of a path, for settings: lower-case letters, digits and hyphens. */
export const pathSegment: v.GenericSchema<unknown, string> = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must be lower-case letters, digits and single hyphens"),
)

/** The short name of an organization, for settings. */
export const slug: v.GenericSchema<unknown, string> = pathSegment

/** The user name of an account, for settings. */
export const username: v.GenericSchema<unknown, string> = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9][a-z0-9._@-]{0,99}$/, "must be lower-case letters, digits and . _ @ -"),
)
