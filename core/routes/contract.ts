import type { RouterContext } from "@hattip/router"
import type { GenericSchema } from "valibot"
import type { Policy } from "../access/policies.ts"
import type { OpenedSession, Session, SessionLimits } from "../access/sessions.ts"
import type { Problem, ProblemCode } from "../http/problems.ts"
import type { List } from "../records/lists/list.ts"
import type { RecordType } from "../records/kinds/fields.ts"
import type { ListingParameter } from "../records/lists/resource.ts"
import type { PathPattern } from "./path.ts"

/** The version of the contract. It changes when a correct plugin would no longer work. */
export const apiVersion = 3

/** A plugin: the default export of its module. */
export interface Plugin<Settings = unknown> {
  /** The contract version that the plugin was written for. */
  readonly apiVersion: number
  /** The name of the plugin's folder. */
  readonly name: string
  /** One line for people. */
  readonly summary: string
  /** The plugin's own version, for people. */
  readonly version?: string
  /**
   * The name of a plugin whose settings this one takes, instead of its own. It adds routes beside the other's, or real
   * ones in the place of announced ones.
   */
  readonly extends?: string
  /** Checks the settings under `with` in the configuration. Strict, so that a typo is found. */
  readonly settings: GenericSchema<unknown, Settings>
  /** Declares the routes for checked settings. Has no effects. `additions` are from this distribution's capabilities. */
  mount(settings: Settings, additions?: readonly unknown[]): Mount | readonly Mount[]
  /** Returns a document about routes, as JSON. `event-export openapi` prints that of `openapi`. */
  document?(catalogue: Catalogue): Promise<Readonly<Record<string, unknown>>>
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
  readonly list: List
  /** True if all records are in one response, which is made while it is sent. */
  readonly export?: true
}

/** Anything else. The handler always returns a response, or throws a `Problem`. */
export interface HandlerRoute {
  readonly kind: "handler"
  readonly method: Method
  readonly path: string
  readonly auth: Policy
  /** The parts of the host that the handler gets. */
  readonly needs: readonly HostPart[]
  /** True if the route announces one that comes later. */
  readonly announced?: true
  /** The route's part of the OpenAPI document. */
  readonly describe?: Description
  /** True if a token with a scope may use it, which else reads only lists of families. */
  readonly anyScope?: true
  /** True for health probes and the like, which are logged at `debug` only. */
  readonly quiet?: true
  /** The longest request body in bytes, if it is more than `longestBody`. */
  readonly longestBody?: number
  handle(context: HandlerContext<HostPart>): Response | Promise<Response>
  /**
   * Returns the response of a request to this route that is refused, for pages: browsers cannot show problem
   * details. Undefined keeps these. The OpenAPI document leaves out a route that has this.
   */
  refused?(problem: Problem, refused: RefusedRequest): Response | undefined
}

/** A request that is refused, with the id that its response has. */
export interface RefusedRequest {
  readonly request: Request
  readonly requestId: string
  /** The caller's, if it was looked up before. */
  readonly session?: Session | undefined
}

/** A route with the plugin that declares it and the path that it is served from. */
export type MountedRoute = Route & {
  readonly plugin: string
  /** The prefix of its mount; if that is empty, the route's own path. */
  readonly prefix: string
  readonly pattern: PathPattern
}

/** Describes a handler for the OpenAPI document. Its policy and path add to this. */
export interface Description {
  /** A few words. */
  readonly summary: string
  /** Sentences. */
  readonly description: string
  /** Descriptions of the path's parameters. That of `eventId` is known. */
  readonly parameters?: Readonly<Record<string, string>>
  /** The request headers that it reads, besides those that every route reads. */
  readonly requestHeaders?: Readonly<
    Record<string, { readonly description: string; readonly example: string }>
  >
  /** The shape of the JSON request body. */
  readonly body?: GenericSchema
  /** The shape of the request body, if that is a form. */
  readonly form?: GenericSchema
  /**
   * Per status: the shape of the JSON response body; a media type, such as `text/html` or `text/*`,
   * if it is not JSON; null if there is none.
   */
  readonly answers: Readonly<Record<number, GenericSchema | string | null>>
  /** The headers of all these responses. A name that ends with `?` is that of a header of some of them. */
  readonly headers?: readonly string[]
  /** The handler's own errors: their detail, or true for the usual one. */
  readonly problems?: { readonly [Code in ProblemCode]?: string | true }
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"

/** One request, for a handler: Hattip's context, authorized, with the path parameters decoded. */
export interface HandlerContext<Needs extends HostPart = never>
  extends RouterContext<Readonly<Record<string, string>>> {
  /**
   * The caller's session. If the policy is `anyone`, it is undefined unless the route needs the catalogue and
   * the caller has one.
   */
  readonly session: Session | undefined
  /** The parts of the host that the route declares in `needs`, and no others. */
  readonly host: Pick<HandlerHost, Needs>
}

/** The parts of the kernel that a handler may declare in `needs`. */
export interface HandlerHost {
  readonly sessions: SessionControl
  /** Returns what is loaded and the outcome of the last reload, for operators. */
  status(): Status
  /** Returns the routes that the caller may use, for documents about them. On a route for anyone as well. */
  catalogue(): Promise<Catalogue>
  /** Returns whether the service can handle requests now. Never fails. */
  readiness(): Promise<Readiness>
}

export type HostPart = keyof HandlerHost

/** The routes that a caller may use, with everything that a document about them needs. */
export interface Catalogue {
  /** Sorted by path. */
  readonly routes: readonly MountedRoute[]
  /** The URL of the service for the caller: scheme, host and port. */
  readonly server: string
  /** The contact for partners: an e-mail address or an https URL; undefined if the operator names none. */
  readonly contact: string | undefined
  /** The name of the session cookie. */
  readonly cookie: string
  /** The summary of each plugin, by its name. */
  readonly summaries: ReadonlyMap<string, string>
  /** The prefixes of the families, first those that are for the reader alone. */
  readonly families: readonly string[]
  /** What the reader can count on. */
  readonly numbers: Numbers
  /** Every kind of record, by its name. */
  readonly records: ReadonlyMap<string, RecordType>
  /** The query parameters of lists, described as they are read. */
  readonly parameters: Readonly<Record<ListingParameter, ParameterDescription>>
  /** `limit`, as exports take it. */
  readonly limitOfExports: ParameterDescription
  /** The reader; undefined if the routes are for nobody in particular, as on the command line. */
  readonly reader: Pick<Session["account"], "username" | "role"> | undefined
  /** Returns an error exactly as a route returns it, but for the request id. */
  example(code: ProblemCode, route: MountedRoute): Problem
  /** Returns the ten newest events that the reader may read by a route, for examples with ids that exist. */
  eventsOf(route: MountedRoute): readonly EventName[]
}

/** An event in an example. */
export interface EventName {
  readonly id: string
  readonly name: string
}

/** The numbers of this installation that partners need. Times are in seconds. */
export interface Numbers {
  /** The rate limits of the caller's account; without a session, those of accounts without limits of their own. */
  readonly limits: {
    /** Requests per second to a family. */
    readonly burst: number
    /** Requests per hour to a family. */
    readonly quota: number
    /** Requests at the same time. */
    readonly concurrent: number
    /** Requests at the same time that wait for a change. */
    readonly waiting: number
  }
  /** Until a session ends, and until it ends without a request; 0 if it does not. */
  readonly session: { readonly lifetime: number; readonly idle: number }
  readonly polling: {
    /** How long deletions are remembered. */
    readonly retention: number
    /** How long a request may wait for a change; 0 if none may. */
    readonly wait: number
    /** `Poll-Interval` by the status of an event. */
    readonly intervals: {
      readonly running: number
      readonly upcoming: number
      readonly closed: number
    }
  }
  /** The limits of an export, in records and seconds; 0 if there are no exports. */
  readonly export: { readonly records: number; readonly seconds: number }
  /** How long a cursor works. */
  readonly cursor: number
  /** The maximum length of `q`, in characters. */
  readonly search: number
}

/** A query parameter in words, and as a JSON Schema. */
interface ParameterDescription {
  readonly description: string
  readonly schema: Readonly<Record<string, unknown>>
}

/** Logs callers in and out. */
export interface SessionControl {
  /**
   * Logs in; undefined if the name or the password is wrong.
   * @throws {Problem} with status 429 after too many failures.
   */
  open(
    username: string,
    password: string,
    limits?: SessionLimits,
  ): Promise<OpenedSession | undefined>
  /** Ends a session, and returns the value of the `Set-Cookie` header that clears its cookie. */
  end(session: Session): Promise<string>
}

/** The state of a running service, for operators. Times are Unix seconds. */
export interface Status {
  readonly config: { readonly file: string; readonly hash: string }
  /** The contract version that this service offers to plugins. */
  readonly contract: number
  readonly database: string
  /** The servers of the database, if there are several. */
  readonly nodes?: readonly NodeStatus[]
  /** When this configuration came into force. */
  readonly since: number
  readonly plugins: readonly PluginStatus[]
  readonly routes: readonly RouteSummary[]
  /** The settings that change only with a restart, by name. */
  readonly fixedSettings: Readonly<Record<string, unknown>>
  /** All settings by name, without secrets; of a plugin, only a hash. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Null until the first reload. */
  readonly lastReload: ReloadOutcome | null
}

/** One of several servers of the database, as this process sees it. */
export interface NodeStatus {
  /** Its host and port. */
  readonly name: string
  /** `away`: it does not answer. */
  readonly role: "primary" | "replica" | "away"
  /** Why it does not answer; null while it does. */
  readonly problem: string | null
  /** Seconds since the last heartbeat of the primary that it has; null if that is not known. */
  readonly behind: number | null
  /** True if nothing is read from it, because it is behind for longer than `database.replicas.staleness`. */
  readonly stale: boolean
  /** The state that it has in its group, such as `ONLINE`; null if that is not known, or it belongs to none. */
  readonly member: string | null
}

export interface PluginStatus {
  readonly name: string
  readonly version: string | null
  readonly contract: number
  readonly summary: string
  readonly prefixes: readonly string[]
  readonly routes: number
}

/** A route as it can be compared with another configuration's. */
export interface RouteSummary {
  readonly method: string
  readonly path: string
  readonly plugin: string
  readonly policy: string
  /** Slugs; null if the policy is not about organizations. */
  readonly organizations: readonly string[] | null
  /** The fields that the route lets through, as `Record.field`; empty for a handler. */
  readonly fields: readonly string[]
  /** Says which guests it lets through; missing for all. */
  readonly filter?: string
}

/** The outcome of a reload. */
export interface ReloadOutcome {
  /** Unix seconds. */
  readonly at: number
  readonly result: "applied" | "refused"
  /** The cause, in words: `SIGHUP` or `a change of the file`. */
  readonly trigger: string
  /** Why it was refused; null if it was applied. */
  readonly reason: string | null
}

/** Whether the service can handle requests now, and why not. Reveals nothing about customers. */
export interface Readiness {
  readonly ready: boolean
  /** True after the signal to stop. */
  readonly draining: boolean
  /** `away`: no server is fit to answer. */
  readonly database: "ok" | "away"
  /** `cut off`: the database takes writes by a server that this process cannot reach. */
  readonly primary: "ok" | "cut off"
  readonly migrations: "ok" | "pending" | "unknown"
  /** The name of a table that the service needs, and the database does not have. */
  readonly missingTable?: string | undefined
  /** `delayed`: entries of the audit log have not been written for a minute. */
  readonly audit: "ok" | "delayed"
  /** `faulty`: triggers are missing or different, so changes may go unnoticed. */
  readonly triggers: "ok" | "faulty"
  /** `refused`: the changed file is wrong, and the old configuration stays in force. */
  readonly config: "ok" | "refused"
  /** By the name of each plugin: one that is not all right is not served at all. */
  readonly families: Readonly<Record<string, "ok">>
}
