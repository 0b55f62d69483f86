import type { FileStates } from "../config/files.ts"
import type { Config } from "../config/read.ts"
import type { Environment } from "../config/source.ts"
import { findMissing } from "../data/check-tables.ts"
import type { Database } from "../data/database.ts"
import { describeLocation } from "../data/open.ts"
import { fromResponse, type Responder } from "../http/answer.ts"
import { serve } from "../http/serve.ts"
import type { Log } from "../log.ts"
import type { App } from "../request/app.ts"
import type { ReloadOutcome } from "../routes/contract.ts"
import type { Plan } from "../routes/plan.ts"
import {
  findWarnings,
  ProcessState,
  settleCapabilities,
  startCapabilities,
} from "./capabilities.ts"
import {
  capabilitiesOf,
  type Flags,
  type Follow,
  type OpenProcess,
  type RunningService,
  type ServiceEvent,
  type StartNote,
} from "./capability.ts"
import { refuseFixed } from "./fixed-settings.ts"
import { type Instance, type InstanceOptions, openInstance } from "./instance.ts"
import { PlanFile } from "./plan-file.ts"
import { Reloads } from "./reloads.ts"
import { openStore, type Store, type StoreOptions } from "./store.ts"
import { waitForDatabase, type WaitOptions } from "./wait-for-database.ts"

/** What a service is started with, besides its configuration file. */
export interface ServiceOptions {
  readonly environment: Environment
  readonly flags?: Flags
  readonly prepare?: StoreOptions["prepare"]
  /** How to wait for a database that is away at start; by default not at all. */
  readonly waiting?: Pick<WaitOptions, "signal" | "pause">
  readonly recorderTimes?: InstanceOptions["recorderTimes"]
  /** The interval of looks at the change log, if not the usual one. */
  readonly changes?: StoreOptions["changes"]
  /** Makes the log of a configuration. */
  readonly log: (config: Config) => Log | Promise<Log>
  /** Returns the number of lines that logs have dropped. */
  readonly lostLines?: () => number
}

/**
 * A service that applies a changed configuration without missing a request.
 *
 * `reload` builds a new instance beside the running one, on the same open database, and swaps them in one assignment:
 * one instance handles each request from beginning to end. The old instance finishes its requests and closes. If
 * anything is wrong with the file, the old one stays in force, and the outcome says why.
 */
export class Service {
  readonly #file: PlanFile
  readonly #options: ServiceOptions
  // Assigned by `start`, the only caller of the constructor.
  #store!: Store
  #instance!: Instance
  #log: Log
  readonly #draining = new AbortController()
  #closing: Promise<void> | undefined
  /** The capabilities of the process. */
  #started: readonly OpenProcess[] = []
  readonly #reloads: Reloads
  readonly #kept = new ProcessState()
  readonly #retiring = new Set<Promise<void>>()

  /**
   * Reads a configuration file and starts its service.
   *
   * While it waits for the database, each attempt takes over a file that has changed.
   *
   * @throws as `readPlan`, `openStore` and `openInstance` do.
   */
  static async start(path: string, options: ServiceOptions): Promise<Service> {
    const file = new PlanFile(path, options.environment)
    let plan = await file.read()
    const service = new Service(file, options, await options.log(plan))
    await service.#startCapabilities(plan)
    const { waiting } = options
    const start = async () => {
      plan = await service.#newestOr(plan)
      return await openStore(plan, {
        log: service.#lastingLog(),
        prepare: (database) => service.#prepare(database),
        changes: service.#options.changes,
      })
    }
    const report: WaitOptions["report"] = async (wait) => {
      const database = await describeLocation(plan.database.url)
      service.#log.warn({ database, ...wait }, "waiting for the database")
      service.tell({ kind: "waiting for the database" })
    }
    try {
      service.#store = await (waiting ? waitForDatabase(start, { ...waiting, report }) : start())
      const { instance, follow } = await service.#open(plan, service.#log)
      service.#instance = instance
      service.#await(follow(Promise.resolve()))
      await service.#warn()
      return service
    } catch (error) {
      await service.#closeCapabilities()
      await service.#store?.close()
      throw error
    }
  }

  private constructor(file: PlanFile, options: ServiceOptions, log: Log) {
    this.#file = file
    this.#options = options
    this.#log = log
    this.#reloads = new Reloads(() => this.#swap(), (outcome) => this.#report(outcome))
  }

  get instance(): Instance {
    return this.#instance
  }

  get log(): Log {
    return this.#log
  }

  /** The files of the configuration in force, and of the one that was read last, as they were then. */
  get files(): FileStates {
    return new Map([...this.#instance.config.files, ...this.#file.files])
  }

  /** Answers a request by the instance that is current when it arrives. */
  readonly answer: Responder = (request, peer) => this.#instance.answer(request, peer)

  readonly listen: RunningService["listen"] = (place, respond) =>
    serve(async (request, peer) => fromResponse(await respond(request, peer)), {
      ...place,
      publicUrl: undefined,
      log: this.#log,
    })

  readonly fetch: App["fetch"] = (request, peer) => this.#instance.fetch(request, peer)

  readonly handler: App["handler"] = (context) => this.#instance.handler(context)

  /** Applies the configuration file, as `Reloads` describes. Never throws. */
  reload(trigger: string): Promise<ReloadOutcome> {
    return this.#reloads.run(trigger)
  }

  tell(event: ServiceEvent): void {
    for (const { tell } of this.#started) tell?.(event)
  }

  /** Tells the capabilities that the service listens at a URL. Returns what its start says of them. */
  async serving(url: string): Promise<readonly StartNote[]> {
    const notes = await Promise.all(this.#started.map((each) => each.serving?.(url)))
    return notes.filter((note) => note !== undefined)
  }

  /** Reports from now on that the service is not ready; it still handles requests, but none waits. */
  drain(): void {
    this.#draining.abort()
  }

  /** Closes the service, after the running requests. Gives up if the database does not respond. */
  close(): Promise<void> {
    return this.#closing ??= this.#close()
  }

  async #close(): Promise<void> {
    const { time_limit: timeLimit } = this.#instance.config.database
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(() => {
      this.#log.warn({}, "the database does not respond; its connections are not closed")
      resolve()
    }, (timeLimit + 5) * 1000)
    await Promise.race([this.#closeAll(), late])
    clearTimeout(timer)
  }

  async #closeAll(): Promise<void> {
    await this.#reloads.close()
    // They may still use the database.
    await this.#closeCapabilities()
    this.#draining.abort()
    try {
      await Promise.all([...this.#retiring, this.#instance.close()])
    } finally {
      await this.#store.close()
    }
  }

  async #startCapabilities(plan: Plan): Promise<void> {
    this.#started = await startCapabilities(capabilitiesOf(plan), {
      plan,
      environment: this.#options.environment,
      flags: this.#options.flags ?? {},
      service: this,
      lostLines: this.#options.lostLines ?? (() => 0),
    })
  }

  async #prepare(database: Database): Promise<void> {
    await this.#options.prepare?.(database)
    const preparing = this.#started.flatMap(({ prepare }) => prepare ?? [])
    // A database that lacks tables is refused after this.
    if (preparing.length > 0 && (await findMissing(database)).length > 0) return
    for (const prepare of preparing) await prepare(database)
  }

  async #closeCapabilities(): Promise<void> {
    await Promise.all(this.#started.map((each) => each.close?.()))
  }

  /** Puts the configuration of the file in force. @throws if that is impossible, and then changes nothing. */
  async #swap(): Promise<void> {
    const old = this.#instance
    const plan = await this.#file.read()
    refuseFixed(old.config, plan)
    const log = await this.#options.log(plan)
    const { instance, follow } = await this.#open(plan, log, old.config)
    this.#instance = instance
    this.#log = log
    this.#retire(old, follow)
    await this.#warn()
  }

  /** Logs what leads to trouble although the configuration is in force. Never throws. */
  async #warn(): Promise<void> {
    const { config, database } = this.#instance
    try {
      for (const { about, message } of await findWarnings(database, config)) {
        this.#log.warn({ about }, `${about}: ${message}`)
      }
    } catch (error) {
      this.#log.warn({ error }, "the set-up cannot be checked now")
    }
  }

  #report(outcome: ReloadOutcome): void {
    const { result, trigger, reason } = outcome
    const { hash } = this.#instance.config
    if (result === "applied") this.#log.info({ trigger, hash }, "configuration applied")
    else {
      const message = "configuration refused; the old one stays in force"
      this.#log.error({ trigger, hash, reason }, message)
    }
    this.tell({ kind: "reloaded", outcome })
    if (this.#closing) return
    const detail = result === "applied"
      ? `${trigger}: configuration ${hash} applied`
      : `${trigger}: ${reason}; ${hash} stays in force`
    const code = result === "refused" ? { code: "refused" } : {}
    this.#instance.recordChange({ action: "reload", detail, ...code })
  }

  /** Returns the plan of the file, or `plan` if it has not changed or cannot be used. */
  async #newestOr(plan: Plan): Promise<Plan> {
    if (!this.#file.hasChanged()) return plan
    try {
      const newest = await this.#file.read()
      this.#log = await this.#options.log(newest)
      return newest
    } catch (error) {
      const { message: reason } = error as Error
      this.#log.error({ reason }, "configuration refused; still waiting with the old one")
      return plan
    }
  }

  /** Returns a log for what outlasts a configuration: it writes with the log of the one in force. */
  #lastingLog(): Log {
    return {
      debug: (fields, message) => this.#log.debug(fields, message),
      info: (fields, message) => this.#log.info(fields, message),
      warn: (fields, message) => this.#log.warn(fields, message),
      error: (fields, message) => this.#log.error(fields, message),
    }
  }

  #instanceOptions(log: Log): InstanceOptions {
    return {
      log,
      kept: this.#kept,
      lastReload: () => this.#reloads.last,
      draining: this.#draining.signal,
      observers: this.#started.flatMap(({ observe }) => observe ?? []),
      recorderTimes: this.#options.recorderTimes,
      changes: this.#options.changes,
    }
  }

  /** Opens a plan, and prepares the database for it. @throws if that is impossible, and then changes nothing. */
  async #open(plan: Plan, log: Log, former?: Plan) {
    const { signal: draining } = this.#draining
    const every = this.#options.changes?.every
    const host = { ...this.#store, plan, former, log, draining, every }
    return await settleCapabilities(
      host,
      () => openInstance(plan, this.#store, this.#instanceOptions(log)),
    )
  }

  #retire(instance: Instance, follow: Follow): void {
    const closing = instance.close(this.#draining.signal).catch((error: unknown) => {
      this.#log.warn({ error }, "the old configuration did not close cleanly")
    })
    this.#await(follow(closing))
    this.#await(closing)
  }

  /** Keeps the database open until then. */
  #await(end: Promise<void>): void {
    this.#retiring.add(end)
    void end.then(() => this.#retiring.delete(end))
  }
}
