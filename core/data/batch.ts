import { performance } from "node:perf_hooks"
import type { Log } from "../log.ts"
import { Unavailable } from "./unavailable.ts"
import { writeAround } from "./write-around.ts"

/** Counts dropped items. Batches that replace one another may share one. */
export interface DropCount {
  dropped: number
}

interface BatchOptions {
  readonly log: Log
  /** Names the items in the log. */
  readonly name: string
  readonly drops?: DropCount
  /** Upper bound for waiting items. More are dropped. */
  readonly most?: number
  /** Milliseconds to collect items before they are written. */
  readonly delay?: number
  /** The most milliseconds between two attempts. */
  readonly longestPause?: number
  /** Milliseconds that a write may take. */
  readonly timeLimit?: number
}

/** Makes a batch that is closed with its configuration. */
export type OpenBatch = <T>(
  write: Write<T>,
  options: Pick<BatchOptions, "name" | "most" | "delay"> & {
    /**
     * True if the service is not healthy while items wait for long; `required` if requests that have to be
     * recorded are refused then.
     */
    readonly vital?: boolean | "required"
  },
) => Batch<T>

/** Numbers of items of a batch. */
export interface BatchNumbers {
  readonly waiting: number
  /** Milliseconds that the oldest of them has been waiting; 0 if there is none. */
  readonly age: number
  /** Since the start. */
  readonly dropped: number
}

/** Writes items, all or none. Gives up once the signal aborts. */
type Write<T> = (items: readonly T[], signal: AbortSignal) => Promise<void>

interface Waiting<T> {
  readonly item: T
  /** On the clock of `performance.now()`. */
  readonly since: number
}

/** Upper bound for the items of one write. */
const largest = 200

/** The most milliseconds between two attempts of a batch that is being closed. */
const lastPause = 500

/**
 * Writes items in the background, in order, many at a time. Adding never waits and never fails. While the database cannot
 * write, tries again at growing intervals. Drops items that the database refuses, and items that are too many; counts
 * them, and logs how many and why, without their content.
 */
export class Batch<T> {
  readonly #write: Write<T>
  readonly #options: Required<BatchOptions>
  #waiting: Waiting<T>[] = []
  /** Numbers of dropped items that are not in the log yet, by the reason. */
  readonly #unreported = new Map<string, number>()
  /** Attempts in a row that failed. */
  #failures = 0
  #running: Promise<void> | undefined
  #endPause = () => {}
  #limit = new AbortController()
  #isClosed = false

  constructor(write: Write<T>, options: BatchOptions) {
    this.#write = write
    this.#options = {
      drops: { dropped: 0 },
      most: 10_000,
      delay: 250,
      longestPause: 10_000,
      timeLimit: 10_000,
      ...options,
    }
  }

  get numbers(): BatchNumbers {
    const [oldest] = this.#waiting
    return {
      waiting: this.#waiting.length,
      age: oldest ? performance.now() - oldest.since : 0,
      dropped: this.#options.drops.dropped,
    }
  }

  /** Adds an item to write later, or drops it if too many wait or the batch is closed. */
  add(item: T): void {
    if (this.#isClosed) this.#drop("the batch was closed")
    else if (this.#waiting.length >= this.#options.most) this.#drop("too many were waiting")
    else this.#waiting.push({ item, since: performance.now() })
    if (this.#waiting.length > 0) this.#running ??= this.#run()
    else this.#report()
  }

  /** Writes what waits. Drops what is not written within so many milliseconds. Never rejects. */
  async close(within: number): Promise<void> {
    this.#isClosed = true
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, within)
    this.#endPause()
    await Promise.race([this.#running, late])
    clearTimeout(timer)
    this.#drop("they could not be written before the end", this.#waiting.splice(0).length)
    this.#report()
    this.#limit.abort(new Unavailable("The batch was closed."))
    this.#endPause()
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#pause()
      if (this.#waiting.length > 0) await this.#writeWaiting()
      this.#report()
    }
    this.#running = undefined
  }

  async #pause(): Promise<void> {
    const { delay, longestPause } = this.#options
    const longest = this.#isClosed ? Math.min(longestPause, lastPause) : longestPause
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#endPause = resolve
    const timer = setTimeout(resolve, Math.min(delay * 2 ** this.#failures, longest))
    timer.unref()
    await promise
    clearTimeout(timer)
  }

  /** Writes what waits now. Leaves what is added meanwhile: else each would be a write of its own. */
  async #writeWaiting(): Promise<void> {
    const { log, name } = this.#options
    for (let count = this.#waiting.length; count > 0; count -= largest) {
      const items = this.#waiting.slice(0, Math.min(count, largest))
      const { left, failure, refusals } = await writeAround(items, (part) => this.#attempt(part))
      // Closed meanwhile: all that waited has been counted as dropped.
      if (this.#waiting.length === 0) return
      this.#waiting.splice(0, items.length, ...left)
      for (const error of refusals) this.#drop(`the database refuses them: ${nameOf(error)}`)
      if (left.length > 0) {
        const waiting = this.#waiting.length
        const error = failure instanceof Unavailable ? failure : nameOf(failure)
        // Metrics say how long it takes; the log says when it began and ended.
        if (this.#failures++ === 0) {
          log.error({ name, waiting, error }, "entries cannot be written now")
        }
        return
      }
    }
    if (this.#failures > 0) log.info({ name }, "entries are written again")
    this.#failures = 0
  }

  async #attempt(part: readonly Waiting<T>[]): Promise<void> {
    const { timeLimit } = this.#options
    const limit = this.#limit = new AbortController()
    const timer = setTimeout(
      () => limit.abort(new Unavailable(`The database took longer than ${timeLimit} ms.`)),
      timeLimit,
    )
    timer.unref()
    try {
      await this.#write(part.map(({ item }) => item), limit.signal)
    } finally {
      clearTimeout(timer)
    }
  }

  #drop(reason: string, count = 1): void {
    this.#options.drops.dropped += count
    this.#unreported.set(reason, (this.#unreported.get(reason) ?? 0) + count)
  }

  #report(): void {
    const { log, name } = this.#options
    for (const [reason, dropped] of this.#unreported) {
      if (dropped > 0) log.error({ name, dropped, reason }, "entries were dropped")
    }
    this.#unreported.clear()
  }
}

/** Names an error without its message, which may repeat what should have been written. */
function nameOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown }
  return String(code ?? name)
}
