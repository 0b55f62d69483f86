import { Buffer } from "node:buffer"
import { Readable } from "node:stream"
import { ConfigError } from "../../../core/config/problem.ts"
import { watchFiles } from "../../../core/config/watch.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { Unavailable } from "../../../core/data/unavailable.ts"
import type { Answer } from "../../../core/http/answer.ts"
import { Problem } from "../../../core/http/problems.ts"
import { startHousekeeping } from "../../../core/kernel/housekeeping.ts"
import { Service } from "../../../core/kernel/service.ts"
import type { Log } from "../../../core/log.ts"
import type { Environment } from "../../../core/config/source.ts"
import { Crash, Life } from "./life.ts"
import { owner } from "./virtual/time.ts"
import type { Machine } from "./virtual/machine.ts"

/** Milliseconds that a service that stops takes new requests for, at least, as `stopListening` has it. */
const grace = 250
/** Milliseconds after which a running exchange is cut: an export takes two minutes. */
const longestExchange = 130_000

/** How a client behaves, besides what it asks for. */
export interface ClientOptions {
  /** Its address; that of this machine by default. */
  readonly address?: string
  /** Leaves when it has got so many bytes of the body. */
  readonly leavesAfter?: number
  /** Stops reading for so many milliseconds after each part of the body. */
  readonly stalls?: number
  /** Is called with the body, once the client has all of it, or no more comes. */
  readonly onEnd?: (received: Uint8Array, isWhole: boolean) => void
}

interface ProcessOptions {
  readonly name: string
  readonly config: string
  readonly environment: Environment
  readonly log: Log
}

interface Running {
  readonly service: Service
  /** Ends what runs beside it. */
  stop(): void
}

/** A process of the service: starts, answers, reloads, stops, and may die at any statement. */
export class SimulatedService {
  /** The newest of its lives; undefined before the first. */
  life: Life | undefined
  /** How often it has started, and which of these lives ended by a crash. */
  lives = 0
  readonly crashes = new Set<number>()
  /** What it had left when it was last stopped in order: timers, and connections to the database. */
  leftovers: { readonly timers: number; readonly connections: number } | undefined
  readonly name: string
  readonly #machine: Machine
  readonly #options: ProcessOptions
  #running: Running | undefined
  #isStopping = false

  constructor(machine: Machine, options: ProcessOptions) {
    this.name = options.name
    this.#machine = machine
    this.#options = options
  }

  get isDead(): boolean {
    return this.life?.isDead ?? true
  }

  /** True if it answers requests. */
  get isUp(): boolean {
    return this.#running !== undefined && !this.isDead
  }

  /** @throws {Error} if it does not run. */
  get service(): Service {
    if (!this.#running) throw new Error(`${this.name} does not run`)
    return this.#running.service
  }

  /**
   * Starts it, as `event-export serve` does, the first time with `--migrate`. Returns false if it was killed meanwhile, or if the
   * file has mistakes. @throws as the service does otherwise.
   */
  async start(): Promise<boolean> {
    if (!this.isDead) throw new Error(`${this.name} runs already`)
    const life = this.life = new Life(this)
    this.lives++
    const { config, environment, log } = this.#options
    const start = () =>
      Service.start(config, {
        environment,
        log: () => log,
        // The first start finds all tables; so would the others, at the price of reading the whole schema.
        ...this.lives === 1 && { prepare: async (database) => void await migrate(database) },
        waiting: { signal: new AbortController().signal },
      })
    try {
      const service = await life.run(start)
      this.#running = await life.run(() => {
        const stopWatching = watchFiles(
          () => service.instance.config.watch ? service.files : new Map(),
          () => void service.reload("a change of the file"),
        )
        const stopHousekeeping = startHousekeeping(service)
        const stop = () => {
          stopHousekeeping()
          stopWatching()
        }
        return service.serving(`http://${this.name}.test`).then(() => ({ service, stop }))
      })
      return true
    } catch (error) {
      if (error instanceof Crash) return false
      this.#end(life)
      if (error instanceof ConfigError) return false
      throw error
    }
  }

  /** Ends it as the signal to end does: after the running requests. */
  async stop(): Promise<void> {
    const running = this.#running
    const { life } = this
    if (!running || !life || life.isDead || this.#isStopping) return
    this.#isStopping = true
    const { service } = running
    const { time, statements } = this.#machine
    const stop = async () => {
      const { drain } = service.instance.config.server
      service.tell({ kind: "stopping" })
      running.stop()
      service.drain()
      await time.sleep(Math.max(drain * 1000, grace))
      this.#running = undefined
      const ended = Promise.all([...life.exchanges].map(({ promise }) => promise))
      // A timer of nobody: those of the process should have ended with it.
      await Promise.race([ended, owner.exit(() => time.sleep(longestExchange))])
      for (const exchange of life.exchanges) exchange.resolve(false)
      await service.close()
      this.leftovers = { timers: time.timersInUse(life), connections: statements.connections(life) }
      this.#end(life)
    }
    try {
      await life.run(stop)
    } catch (error) {
      if (!(error instanceof Crash)) throw error
    }
  }

  /** Ends it at once: nothing of it runs any more, its transactions are rolled back and its connections are cut. */
  crash(): void {
    const { life } = this
    if (!life || life.isDead) return
    this.crashes.add(this.lives)
    this.#end(life)
  }

  /** Does something in the process. @throws {Crash} if it dies meanwhile; {Error} if it was never started. */
  run<T>(work: () => Promise<T>): Promise<T> {
    if (!this.life) throw new Error(`${this.name} does not run`)
    return this.life.run(work)
  }

  #end(life: Life): void {
    life.crash()
    this.#isStopping = false
    this.#running = undefined
    this.#machine.time.forget(life)
    this.#machine.statements.closeAll(life)
  }

  /** Answers a request as over a connection. @throws {TypeError} as `fetch` does, if it is refused or cut. */
  async fetch(request: Request, client: ClientOptions = {}): Promise<Response> {
    const { address = "127.0.0.1" } = client
    const { life } = this
    if (!life || !this.isUp) throw unreachable("ECONNREFUSED")
    await this.#machine.time.whenReleased(life)
    if (!this.isUp || life.isDead) throw unreachable("ECONNRESET")
    const { service } = this
    const gone = Promise.withResolvers<boolean>()
    const peer = {
      address,
      whenGone: (listener: (sent: boolean) => void) => void gone.promise.then(listener),
    }
    life.exchanges.add(gone)
    void gone.promise.then(() => life.exchanges.delete(gone))
    const leave = () => gone.resolve(false)
    request.signal.addEventListener("abort", leave, { once: true })
    let answer: Answer
    try {
      answer = await life.run(() => service.answer(request, peer))
    } catch (error) {
      gone.resolve(false)
      throw error instanceof Crash ? unreachable("ECONNRESET") : error
    }
    if (request.signal.aborted) {
      destroy(answer)
      throw request.signal.reason
    }
    const body = answer.body &&
      this.#bodyOf(answer, { ...client, signal: request.signal, gone, life })
    if (!body) {
      gone.resolve(true)
      client.onEnd?.(new Uint8Array(), true)
    }
    const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
      [value].flat().map((each) => [name, each] as [string, string])
    )
    const response = new Response(body as ReadableStream<Uint8Array<ArrayBuffer>> | null, {
      status: answer.status,
      headers,
    })
    Object.defineProperty(response, "url", { value: request.url })
    return response
  }

  /** Returns the body as it arrives at the client. Whoever reads it may go at any byte. */
  #bodyOf(
    { body }: Answer,
    { leavesAfter = Infinity, stalls = 0, onEnd = () => {}, signal, gone, life }: ClientOptions & {
      readonly life: Life
      readonly signal: AbortSignal
      readonly gone: PromiseWithResolvers<boolean>
    },
  ): ReadableStream<Uint8Array> {
    const parts = this.#partsOf(body)
    const chunks: Uint8Array[] = []
    let received = 0
    let isOver = false
    const end = (sent: boolean) => {
      if (isOver) return
      isOver = true
      gone.resolve(sent)
      onEnd(Buffer.concat(chunks), sent)
    }
    const close = async () => {
      end(false)
      if (!life.isDead) await owner.run(life, () => parts.return?.(undefined))
    }
    return new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        try {
          if (received > 0 && stalls > 0) await this.#machine.time.sleep(stalls)
          const { done, value } = await life.run(() => parts.next())
          if (signal.aborted) throw signal.reason
          if (done) {
            end(true)
            return controller.close()
          }
          received += value.byteLength
          if (received > leavesAfter) {
            await close()
            throw unreachable("the client left")
          }
          // A copy: the service uses the memory again.
          const copy = new Uint8Array(value)
          chunks.push(copy)
          controller.enqueue(copy)
        } catch (error) {
          end(false)
          // What a service breaks off, because it cannot or may not go on.
          const isCut = [Crash, Problem, Unavailable].some((kind) => error instanceof kind)
          controller.error(isCut ? unreachable("ECONNRESET") : error)
        }
      },
      cancel: close,
    }, { highWaterMark: 0 })
  }

  async *#partsOf(body: Answer["body"]): AsyncGenerator<Uint8Array, void> {
    if (!body) return
    if (body instanceof Uint8Array) return yield body
    if (!(body instanceof Readable)) body = Readable.fromWeb(body as never)
    for await (const part of body) yield typeof part === "string" ? Buffer.from(part) : part
  }

  /** Applies its configuration file, as SIGHUP does. */
  async reload(): Promise<"applied" | "refused" | "crashed"> {
    const { life } = this
    if (!life || !this.isUp) return "crashed"
    try {
      return (await life.run(() => this.service.reload("SIGHUP"))).result
    } catch (error) {
      if (error instanceof Crash) return "crashed"
      throw error
    }
  }
}

/** Returns true if an error says that a client could not connect, or was disconnected. */
export function isDisconnected(error: unknown): boolean {
  return error instanceof TypeError && error.message === "fetch failed"
}

function unreachable(code: string): TypeError {
  const cause = Object.assign(new Error(code), { code })
  return new TypeError("fetch failed", { cause })
}

function destroy({ body }: Answer): void {
  if (body instanceof Readable) body.destroy()
  else if (body instanceof ReadableStream) void body.cancel().catch(() => {})
}
