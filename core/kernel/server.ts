import { findUnknownNames } from "./check.ts"
import { ConfigError } from "../config/problem.ts"
import type { Config } from "../config/read.ts"
import type { Responder } from "../http/answer.ts"
import type { App } from "../request/app.ts"
import { type Kernel, type KernelOptions, startKernel } from "./instance.ts"
import { type Log, openLog } from "../log.ts"
import type { Metrics } from "../observe/metrics/metrics.ts"
import type { ReloadOutcome } from "../routes/contract.ts"
import { readPlan } from "../routes/plan.ts"
import type { Tracing } from "../observe/tracing/tracing.ts"

interface ServiceOptions {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly prepare?: KernelOptions["prepare"]
  /** True where standard output is a terminal. */
  readonly interactive?: boolean
  /** Makes spans of requests, and is closed with the service. */
  readonly tracing?: Tracing | undefined
  /** Makes the log of a configuration; by default to standard output. */
  readonly log?: (config: Config) => Log
}

/**
 * A service that takes a changed configuration into force without missing a request.
 *
 * `reload` builds a new kernel beside the running one, tries it, and swaps them in one assignment:
 * each request is answered by one kernel from beginning to end. The old kernel finishes what it has
 * begun and closes. When anything is wrong, the old one goes on and says why.
 */
export class Service {
  readonly #file: string
  readonly #options: ServiceOptions
  #kernel: Kernel
  #log: Log
  #lastReload: ReloadOutcome | null = null
  #draining = false
  #reloading: Promise<unknown> = Promise.resolve()
  #metrics: Metrics | undefined
  readonly #retiring = new Set<Promise<void>>()

  /** Reads a configuration file and starts what it describes. @throws as `readPlan` and `startKernel`. */
  static async start(file: string, options: ServiceOptions): Promise<Service> {
    const config = await readPlan(file, options.environment)
    const log = await logOf(config, options)
    const service = new Service(file, options, log)
    service.#kernel = await startKernel(config, service.#kernelOptions(log, options.prepare))
    await warnOf(service.#kernel, log)
    return service
  }

  private constructor(file: string, options: ServiceOptions, log: Log) {
    this.#file = file
    this.#options = options
    this.#log = log
    // Assigned by `start`, the only caller, before anyone has the service.
    this.#kernel = undefined as unknown as Kernel
  }

  get kernel(): Kernel {
    return this.#kernel
  }

  get log(): Log {
    return this.#log
  }

  /** Undefined until they are opened. */
  get metrics(): Metrics | undefined {
    return this.#metrics
  }

  /** Answers a request by the kernel that is in force when it arrives. */
  readonly answer: Responder = (request, peer) => this.#kernel.answer(request, peer)

  /** Like `answer`, but returns a `Response`. */
  readonly fetch: App["fetch"] = (request, peer) => this.#kernel.fetch(request, peer)

  /**
   * Puts the configuration file into force as it is now; never throws. One at a time, in order.
   */
  reload(trigger: string): Promise<ReloadOutcome> {
    const outcome = this.#reloading.then(() => this.#reload(trigger))
    this.#reloading = outcome
    return outcome
  }

  /** Counts what is answered from here on; loads the code that does. */
  async openMetrics(): Promise<Metrics> {
    const { Metrics } = await import("../observe/metrics/metrics.ts")
    return this.#metrics = new Metrics(() => this.#kernel.numbers())
  }

  /** From here on the service says that it is not ready, and goes on to answer. */
  drain(): void {
    this.#draining = true
  }

  /** Ends the service, after the requests that are being answered. */
  async close(): Promise<void> {
    await this.#reloading
    await Promise.all([...this.#retiring, this.#kernel.close()])
    await this.#options.tracing?.close()
  }

  async #reload(trigger: string): Promise<ReloadOutcome> {
    const at = Math.floor(Date.now() / 1000)
    try {
      const kernel = await this.#build()
      const old = this.#kernel
      this.#kernel = kernel
      this.#lastReload = { at, result: "applied", trigger, reason: null }
      this.#retire(old)
      this.#log.info({ trigger, hash: kernel.config.hash }, "configuration applied")
    } catch (error) {
      const reason = (error as Error).message
      this.#lastReload = { at, result: "refused", trigger, reason }
      const { hash } = this.#kernel.config
      this.#log.error(
        { trigger, hash, reason },
        "configuration refused; the old one stays in force",
      )
    }
    this.#metrics?.reloaded(this.#lastReload)
    return this.#lastReload
  }

  async #build(): Promise<Kernel> {
    const config = await readPlan(this.#file, this.#options.environment)
    refuseMoved(this.#kernel.config, config)
    const log = await logOf(config, this.#options)
    const kernel = await startKernel(config, this.#kernelOptions(log))
    try {
      await kernel.database.ping()
    } catch (error) {
      await kernel.close()
      throw error
    }
    await warnOf(kernel, log)
    this.#log = log
    return kernel
  }

  #kernelOptions(log: Log, prepare?: KernelOptions["prepare"]): KernelOptions {
    return {
      log,
      lastReload: () => this.#lastReload,
      draining: () => this.#draining,
      observers: [
        (facts) => this.#metrics?.record(facts),
        (facts) => this.#options.tracing?.record(facts),
      ],
      keepLaps: this.#options.tracing !== undefined,
      ...(prepare ? { prepare } : {}),
    }
  }

  #retire(kernel: Kernel): void {
    const closing = kernel.close().catch((error: unknown) => {
      this.#log.warn({ error }, "the old kernel did not close cleanly")
    })
    this.#retiring.add(closing)
    void closing.then(() => this.#retiring.delete(closing))
  }
}

async function logOf(
  config: Config,
  { log, interactive = false }: ServiceOptions,
): Promise<Log> {
  return log?.(config) ?? await openLog(config.log, { interactive })
}

async function warnOf({ config, database }: Kernel, log: Log): Promise<void> {
  for (const { use, reasons } of config.failed) log.warn({ plugin: use, reasons }, "plugin failed")
  for (const { message } of await findUnknownNames(database, config)) log.warn({}, message)
}

/** Listen addresses need a restart; reject the reload rather than apply it in part. */
function refuseMoved(old: Config, { file, server, admin }: Config): void {
  const refuse = (message: string) => new ConfigError([{ file, line: 1, column: 1, message }])
  if (old.admin?.host !== admin?.host || old.admin?.port !== admin?.port) {
    const where = old.admin ? `${old.admin.host}:${old.admin.port}` : "nowhere"
    throw refuse(`admin changes with a restart only: it listens ${where}`)
  }
  if (old.server.host !== server.host || old.server.port !== server.port) {
    throw refuse(
      `server.host and server.port change with a restart only: it listens on ` +
        `${old.server.host}:${old.server.port}`,
    )
  }
  if (old.server.reuse_port !== server.reuse_port) {
    throw refuse("server.reuse_port changes with a restart only")
  }
}
