import type { Command } from "commander"
import type { AuditChange } from "../access/audit-changes.ts"
import type { FindByToken } from "../access/sessions.ts"
import type { CapabilityDeclaration } from "../config/capabilities.ts"
import type { Config, ConfiguredCapability } from "../config/read.ts"
import type { Environment } from "../config/source.ts"
import type { OpenBatch } from "../data/batch.ts"
import type { Database } from "../data/database.ts"
import type { Peer } from "../http/answer.ts"
import type { ConnectionLimit } from "../http/connections.ts"
import type { HttpServer } from "../http/serve.ts"
import type { Storage } from "../data/storage.ts"
import type { Log } from "../log.ts"
import type { Observer } from "../request/exchange.ts"
import type { ListLayer } from "../request/list-layer.ts"
import type { AnswerOwn, ChooseForm } from "../request/listing/answer-list.ts"
import type { FindPage } from "../request/listing/pages.ts"
import type { Walks } from "../request/listing/walks.ts"
import type { Nodes } from "../request/nodes.ts"
import type { Readiness, ReloadOutcome, Status } from "../routes/contract.ts"
import type { ListDeriver } from "../routes/mount.ts"
import type { Plan } from "../routes/plan.ts"
import type { DatabaseAccess } from "./database-access.ts"
import type { Metric } from "./metric.ts"
import type { Recorders } from "./recorders.ts"
import type { Terminal } from "./terminal.ts"

/**
 * A capability: something that the service can do besides serving families, and that one line of the configuration
 * turns off. The default export of `plugins/capabilities/NAME/capability.ts`. All but the name and the summary may be
 * missing. Its life:
 *
 * 1. It is declared: the configuration names it, its module is loaded. Until it is started, it has no effects.
 * 2. Its settings are checked by `settings.schema`, each time that the file is read.
 * 3. It is started with the process (`start`), before the database is opened (`database`).
 * 4. Once the database is open, it may fill it (`prepare`). Its tables must be there (`storage`).
 * 5. It is opened for one configuration (`open`); after that, what is wrong with its set-up is logged (`warn`).
 * 6. It takes part in requests: `findByToken`, `layers`, `answers`, `findPage`, `forms`, `onBegin`, `observe`.
 * 7. It does its work beside them: `record`, `metrics`, `cleanUp` each hour, `tell` and `serving`.
 * 8. At a reload it is opened for the next configuration. Then `closing` aborts for the former one, which is closed
 *    (`OpenCapability.close`) after its last request. Steps 5 to 8 repeat.
 * 9. At the end the process closes it (`OpenProcess.close`), then the last configuration, then the database.
 */
export interface Capability<Settings = unknown>
  extends CapabilityDeclaration<Settings>, ListDeriver {
  /** One line for people. */
  readonly summary: string
  /** How the service reaches its database, if it is not the usual single server. */
  readonly database?: DatabaseAccess
  /** Its tables and their migrations, which exist only while it is on. */
  readonly storage?: Storage
  /** Commands of the command line. One with the name of an existing command adds its subcommands and options to that. */
  readonly commands?: readonly ((terminal: Terminal) => Command)[]
  /** Records a change of accounts, grants or sessions, or follows it, in the transaction that makes it. */
  record?(db: Pick<Database, "writer" | "dialect">, change: AuditChange): Promise<void>
  /** Finds what is wrong with its set-up, although the service can start. */
  warn?(
    served: Pick<CapabilityHost<Settings>, "database" | "plan" | "settings">,
  ): readonly Warning[] | Promise<readonly Warning[]>
  /**
   * Prepares the database for a configuration that comes into force right after this, which the result follows. Calls
   * `open` once, last: what it has prepared is undone if that fails.
   */
  settle?(
    host: Pick<CapabilityHost, "database" | "plan" | "log" | "draining" | "every"> & {
      /** The configuration in force; undefined at the start. */
      readonly former?: Plan | undefined
    },
    open: () => Promise<void>,
  ): Promise<Follow>
  /** Starts it for a process that serves. Lasts until that ends, whatever is reloaded. */
  start?(host: ProcessHost<Settings>): OpenProcess | Promise<OpenProcess>
  /** Opens it for one configuration in service. */
  open?(host: CapabilityHost<Settings>): OpenCapability
}

/**
 * Follows a configuration in the background, at once and again when the former one answers nobody any more. Never
 * rejects; ends early if the process ends.
 */
export type Follow = (alone: Promise<unknown>) => Promise<void>

/** A set-up that leaks or does not work as intended, although the service starts with it. */
export interface Warning {
  /** The setting or the thing that it is about, such as `server.trust_proxy` or `account ann`. */
  readonly about: string
  /** What is wrong, what that leads to, and what to do. */
  readonly message: string
}

/** What the kernel gives to a capability of one configuration in service. */
export interface CapabilityHost<Settings = unknown> {
  readonly settings: Settings
  readonly walks: Walks
  readonly plan: Plan
  /** The database: on the primary, if there are several servers. */
  readonly database: Database
  readonly nodes: Nodes
  /** Milliseconds between looks at the change log, if not the usual ones. */
  readonly every?: number | undefined
  readonly log: Log
  /** Makes what writes in the background. Closed by the kernel. */
  readonly batch: OpenBatch
  /** Records a change that the service makes of its own accord, in the background. */
  recordChange(change: ServiceChange): void
  /** Returns what the capability keeps across reloads, and makes it the first time. */
  keep<T>(key: string, make: () => T): T
  /** Aborts when this configuration begins to close. */
  readonly closing: AbortSignal
  /** Aborts when the process is asked to end. */
  readonly draining: AbortSignal
}

/** A change that the service makes of its own accord. */
export type ServiceChange = Pick<AuditChange, "action" | "detail" | "code">

/** A capability of one configuration in service. */
export interface OpenCapability {
  /** Layers around the answers of lists. They have no order: each lets pass what the layer of another answers. */
  readonly layers?: readonly ListLayer[]
  /** Forms of pages other than JSON. */
  readonly forms?: readonly ChooseForm[]
  /** Finds pages that are not cached, before they are read. Asked only if every record has a version. */
  readonly findPage?: FindPage
  /** Answers of its own to requests for lists. */
  readonly answers?: AnswerOwn
  /** Finds sessions by bearer tokens that are not sealed. Asked on every request with a token. */
  readonly findByToken?: FindByToken
  /** Called with the record of each answered request. */
  readonly observe?: Observer
  /** Called with the record of each streamed response as soon as it begins. */
  readonly onBegin?: Observer
  /** Runs soon after the start and every hour: deletes what has expired, warns. Returns how many rows it deleted. */
  cleanUp?(signal: AbortSignal): Promise<number>
  /** Returns its metrics as they are now. */
  metrics?(): readonly Metric[] | Promise<readonly Metric[]>
  /** Ends its background work, after the running requests. */
  close?(): Promise<void>
}

/** A process that serves, for a capability. */
export interface ProcessHost<Settings = unknown> {
  readonly settings: Settings
  /** The configuration that the process was started with. */
  readonly plan: Plan
  readonly environment: Environment
  /** The options of the command line, by their names. */
  readonly flags: Flags
  /** What is in service; none of it before the first configuration is. */
  readonly service: RunningService
  /** Returns how many lines of the log were dropped. */
  lostLines(): number
}

/** A process in service, across all its configurations. */
export interface RunningService {
  readonly log: Log
  /** Answers a request. Never throws. */
  readonly fetch: (request: Request, peer?: Peer) => Promise<Response>
  readonly instance: ServiceInstance
  /** Serves another address, besides the one for partners. @throws {Error} if it cannot listen there. */
  listen(
    place: { readonly host: string; readonly port: number },
    respond: (request: Request, peer: Peer) => Promise<Response>,
  ): Promise<Pick<HttpServer, "url" | "close">>
}

/** One configuration in service. */
export interface ServiceInstance {
  readonly config: Plan
  /** Since when it is in force, in Unix seconds. */
  readonly since: number
  readonly database: Database
  readonly nodes: Nodes
  readonly recorders: Pick<Recorders, "numbers">
  status(): Status
  readiness(): Promise<Readiness>
  /** Returns the metrics of its capabilities, as they are now. */
  metrics(): Promise<readonly Metric[]>
}

/** What happens in a process besides answering requests. */
export type ServiceEvent =
  /** It waits for its database, or is asked to end. */
  | { readonly kind: "waiting for the database" | "stopping" }
  | { readonly kind: "reloaded"; readonly outcome: ReloadOutcome }
  /**
   * Something was refused before it became a request: with the code of a response, or as a connection beyond a limit.
   */
  | { readonly kind: "refused"; readonly code: string }
  | { readonly kind: "refused connection"; readonly limit: ConnectionLimit }

/** Options of a command line, by their names. */
export type Flags = Readonly<Record<string, unknown>>

/** A capability of a process that serves. */
export interface OpenProcess {
  /** Called with the record of each answered request, of all configurations. */
  readonly observe?: Observer
  /** Runs after the database is opened for the first configuration, and before it is checked: to fill it. */
  prepare?(database: Database): Promise<void>
  tell?(event: ServiceEvent): void
  /** Called when the service listens at a URL. Returns what the start of the service reports about it. */
  serving?(url: string): StartNote | void | Promise<StartNote | void>
  close?(): Promise<void>
}

/** What the start of the service reports about a capability. */
export interface StartNote {
  /** Fields of the line in the log. */
  readonly fields: Readonly<Record<string, string | null>>
  /** Lines on a terminal: a word, and what it is about. */
  readonly lines: Readonly<Record<string, string>>
  /** What is printed below, on a terminal or not. */
  readonly text?: string
}

/** A capability that is on, with its settings. */
export type EnabledCapability = ConfiguredCapability<Capability>

/** Returns the capabilities of a configuration. */
export function capabilitiesOf(
  { capabilities }: Pick<Config, "capabilities">,
): readonly EnabledCapability[] {
  // What is loaded has been checked against this contract by the types of its module.
  return capabilities as readonly EnabledCapability[]
}

/** Returns the settings of a capability that is on. For its commands. */
export function settingsOf<Settings>(config: Pick<Config, "capabilities">, name: string): Settings {
  return capabilitiesOf(config).find(({ capability }) => capability.name === name)
    ?.settings as Settings
}
