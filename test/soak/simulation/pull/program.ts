import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs"
import { createRequire, syncBuiltinESMExports } from "node:module"
import { join } from "node:path"
import process from "node:process"
import { DatabaseSync, StatementSync } from "node:sqlite"
import { main } from "../../../../plugins/documents/pull/pull.ts"
import type { ClientOptions } from "../service.ts"
import { type Owner, owner } from "../virtual/time.ts"
import type { AccountName, World } from "../world.ts"

const require = createRequire(import.meta.url)

export interface ProgramSettings {
  /** Who it is in exchanges and the story. */
  readonly name: string
  /** Whose program it is. */
  readonly account: AccountName
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** Has the copy, and nothing else. */
  readonly folder: string
  /** After how many of its requests, parts of bodies, statements and files it is killed; never if it is missing. */
  readonly killedAfter?: number | undefined
  /** How its connections behave; they are good if it is missing. */
  readonly connection?: (() => ClientOptions) | undefined
}

/** What came of a run. */
export interface Outcome {
  /** The exit code; null if it was killed. */
  readonly code: number | null
  readonly output: string
  readonly errors: string
}

const never = new Promise<never>(() => {})

/** A process that runs the client for partners. May be killed at any moment: its files are then as they were in that moment. */
export class Program implements Owner {
  isDead = false
  output = ""
  errors = ""
  requests = 0
  readonly #world: World
  readonly #settings: ProgramSettings
  readonly #files = new Set<DatabaseSync>()
  readonly #signals = new Map<string, () => void>()
  readonly #connections = new Set<AbortController>()
  readonly #killed = Promise.withResolvers<null>()
  #left: number

  constructor(world: World, settings: ProgramSettings) {
    install()
    this.#world = world
    this.#settings = settings
    this.#left = settings.killedAfter ?? Infinity
    mkdirSync(settings.folder, { recursive: true })
  }

  /** Runs it to its end. */
  async run(): Promise<Outcome> {
    const { args, environment } = this.#settings
    const ending = owner.run(this, () => main(args, environment))
    const code = await Promise.race([ending, this.#killed.promise])
    if (code === null) await this.#end()
    return { code, output: this.output, errors: this.errors }
  }

  /** Ends it as the signal to end does. */
  stop(): void {
    const end = this.#signals.get("SIGTERM")
    if (end) owner.run(this, end)
  }

  /** Kills it. What it still does until it waits for something is undone when `run` returns. */
  kill(): void {
    if (this.isDead) return
    this.isDead = true
    const { folder } = this.#settings
    cpSync(folder, asKilled(folder), { recursive: true })
    this.#world.time.forget(this)
    for (const connection of this.#connections) connection.abort()
    this.#killed.resolve(null)
  }

  /** Puts its files back as they were when it was killed. */
  async #end(): Promise<void> {
    await this.#world.time.sleep(1)
    for (const file of this.#files) if (file.isOpen) file.close()
    const { folder } = this.#settings
    rmSync(folder, { recursive: true })
    renameSync(asKilled(folder), folder)
  }

  /** Is called whenever it does something that is seen outside, and kills it at the moment that was chosen. */
  reach(file?: DatabaseSync): void {
    if (file) this.#files.add(file)
    if (!this.isDead && --this.#left <= 0) this.kill()
  }

  /** Takes a handler of a signal. */
  onSignal(name: string, handle: () => void): void {
    this.#signals.set(name, handle)
  }

  /** Sends a request, as `fetch` does. */
  readonly send = async (request: Request): Promise<Response> => {
    this.reach()
    if (this.isDead) return await never
    this.requests++
    const connection = new AbortController()
    this.#connections.add(connection)
    const signal = AbortSignal.any([request.signal, connection.signal])
    const world = this.#world
    const { name: client, account, connection: behave } = this.#settings
    const options = { client, account, ...behave?.() }
    const outside = <T>(work: () => Promise<T>) =>
      owner.run(undefined as never, () => untilAborted(work(), signal))
    const end = () => void this.#connections.delete(connection)
    try {
      const asked = new Request(request, { signal })
      const response = await outside(() => world.fetch(asked, options))
      this.reach()
      if (this.isDead) return await never
      if (!response.body) end()
      const body = response.body && this.#bodyOf(response.body, { outside, signal, end })
      return new Response(body, { status: response.status, headers: response.headers })
    } catch (error) {
      if (this.isDead) return await never
      end()
      throw error
    }
  }

  #bodyOf(
    body: ReadableStream<Uint8Array<ArrayBuffer>>,
    { outside, signal, end }: {
      readonly outside: <T>(work: () => Promise<T>) => Promise<T>
      readonly signal: AbortSignal
      readonly end: () => void
    },
  ): ReadableStream<Uint8Array<ArrayBuffer>> {
    const reader = body.getReader()
    // It may be killed, or give up, while nothing comes.
    signal.addEventListener("abort", () => void reader.cancel().catch(() => {}), { once: true })
    return new ReadableStream({
      pull: async (controller) => {
        try {
          const { done, value } = await outside(() => reader.read())
          this.reach()
          if (this.isDead) return await never
          if (!done) return controller.enqueue(value)
          end()
          controller.close()
        } catch (error) {
          if (this.isDead) return await never
          end()
          controller.error(error)
        }
      },
      cancel: (reason) => (end(), reader.cancel(reason)),
    }, { highWaterMark: 0 })
  }
}

function asKilled(folder: string): string {
  return `${folder}.killed`
}

/** Waits for something until a signal aborts. @throws its reason. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error)
    if (signal.aborted) abort()
    signal.addEventListener("abort", abort, { once: true })
    const end = () => signal.removeEventListener("abort", abort)
    work.then(resolve, reject).finally(end)
  })
}

let isInstalled = false

/** Makes what programs share with this process their own, for good: what they print, signals, and files that they write. */
function install(): void {
  if (isInstalled) return
  isInstalled = true
  const current = () => {
    const of = owner.getStore()
    return of instanceof Program ? of : undefined
  }
  const { once } = process
  process.once = ((name: string, handle: () => void) => {
    const program = current()
    if (!program) return once.call(process, name, handle)
    program.onSignal(name, handle)
    return process
  }) as typeof once
  for (const [stream, part] of [["stdout", "output"], ["stderr", "errors"]] as const) {
    const write = process[stream].write.bind(process[stream])
    process[stream].write = ((text: string, ...rest: []) => {
      const program = current()
      if (!program) return write(text, ...rest)
      program[part] += text
      return true
    }) as typeof write
  }
  const { exec } = DatabaseSync.prototype
  DatabaseSync.prototype.exec = function (this: DatabaseSync, sql) {
    current()?.reach(this)
    return exec.call(this, sql)
  }
  const { run } = StatementSync.prototype
  StatementSync.prototype.run = function (this: StatementSync, ...values: never) {
    current()?.reach()
    return run.apply(this, values)
  }
  const files = require("node:fs")
  for (const name of ["openSync", "writeFileSync", "renameSync"]) {
    const known = files[name]
    files[name] = (...values: unknown[]) => {
      current()?.reach()
      return known(...values)
    }
  }
  syncBuiltinESMExports()
}

/** Returns the ids of the events of a copy that are not gone; none if there is no copy yet. */
export function copiedEvents(folder: string, format: string): string[] {
  const file = join(folder, format === "sqlite" ? "copy.db" : "copy/pull.db")
  if (!existsSync(file)) return []
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const tables = database.prepare("select 1 from sqlite_schema where name = 'events'").all()
    if (tables.length === 0) return []
    return database.prepare("select id from events where not gone").all().map(({ id }) =>
      String(id)
    )
  } finally {
    database.close()
  }
}
