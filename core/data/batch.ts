import { once } from "node:events"
import { performance } from "node:perf_hooks"
import { setTimeout as sleep } from "node:timers/promises"
import type { Log } from "../log.ts"
import { isAboutValues, translateError, Unavailable } from "./unavailable.ts"

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
  /** Milliseconds until the next attempt after a failure; doubles with each further one. */
  readonly pause?: number
  /** The longest pause between two attempts, in milliseconds. */
  readonly longestPause?: number
  /** Milliseconds that a write may take. */
  readonly timeLimit?: number
}

/** Makes a batch that is written once a second, with all others, and closed with its configuration. */
export type OpenBatch = <T>(
  write: Write<T>,
  options: Pick<BatchOptions, "name" | "most"> & {
    /**
     * True if the service is unhealthy while items wait for long; `required` if requests that must be recorded are then
     * refused.
     */
    readonly vital?: boolean | "required"
  },
) => Batch<T>

/** Numbers of items of a batch. */
export interface BatchNumbers {
  readonly waiting: number
  /** Upper bound for the milliseconds that the oldest has been waiting; 0 if there is none. */
  readonly age: number
  /** Since the start. */
  readonly dropped: number
}

/** Writes items, all or none. Gives up once the signal aborts. */
type Write<T> = (items: readonly T[], signal: AbortSignal) => Promise<void>

/** Upper bound for the items of one write. */
const itemsPerWrite = 200

/** Milliseconds between two attempts of a batch that is being closed. */
const lastPause = 100

/** If more items fail one by one, the fault must be the database's. */
const mostSuspects = 2

/**
 * Items that are written in the background, in order, many at a time, whenever `flush` is called. Adding never waits
 * and never fails. While the database cannot write, tries again at growing intervals. Drops items that the database
 * refuses, and items beyond `most`. Logs their number and the reason, but not their content.
 */
export class Batch<T> {
  readonly #write: Write<T>
  readonly #options: Required<BatchOptions>
  #waiting: T[] = []
  /** No item has been waiting for longer, on the clock of `performance.now()`. */
  #since = 0
  /** Numbers of dropped items that are not in the log yet, by the reason. */
  readonly #unreported = new Map<string, number>()
  /** Attempts in a row that failed, and when the next one is due. */
  #failures = 0
  #due = 0
  #running: Promise<void> | undefined
  #limit = new AbortController()
  #isClosed = false

  constructor(write: Write<T>, options: BatchOptions) {
    this.#write = write
    this.#options = {
      drops: { dropped: 0 },
      most: 10_000,
      pause: 250,
      longestPause: 10_000,
      timeLimit: 10_000,
      ...options,
    }
  }

  get numbers(): BatchNumbers {
    const waiting = this.#waiting.length
    const age = waiting > 0 ? performance.now() - this.#since : 0
    return { waiting, age, dropped: this.#options.drops.dropped }
  }

  /** Adds an item to write later, or drops it if too many wait or the batch is closed. */
  add(item: T): void {
    if (this.#isClosed) {
      this.#drop("the batch was closed")
      this.#report()
    } else if (this.#waiting.length >= this.#options.most) this.#drop("too many were waiting")
    else if (this.#waiting.push(item) === 1) this.#since = performance.now()
  }

  /** Writes what waits, unless that is running, or has failed a moment ago. Never rejects. */
  async flush(): Promise<void> {
    if (this.#waiting.length === 0 || performance.now() < this.#due) return
    await (this.#running ??= this.#writeWaiting().finally(() => (this.#running = undefined)))
  }

  /**
   * Writes what waits. Drops what is not written within `within` milliseconds after `ending` has aborted: until then,
   * tries again at the usual intervals. Never rejects.
   */
  async close(within: number, ending = AbortSignal.abort()): Promise<void> {
    this.#isClosed = true
    const isOver = new AbortController()
    const late = untilAborted(ending, isOver.signal)
      .then(() => sleep(within, undefined, isOver))
      .then(() => isOver.abort(), () => {})
    while (this.#waiting.length > 0 && !isOver.signal.aborted) {
      if (ending.aborted) this.#due = 0
      await Promise.race([this.flush(), late])
      if (this.#waiting.length > 0) await Promise.race([sleep(lastPause), late])
    }
    isOver.abort()
    this.#drop("they could not be written before the end", this.#waiting.splice(0).length)
    this.#report()
    this.#limit.abort(new Unavailable("The batch was closed."))
  }

  /** Writes what waits now. Leaves what is added meanwhile: else each would be a write of its own. */
  async #writeWaiting(): Promise<void> {
    const { log, name, pause, longestPause } = this.#options
    const began = performance.now()
    for (let count = this.#waiting.length; count > 0; count -= itemsPerWrite) {
      const items = this.#waiting.slice(0, Math.min(count, itemsPerWrite))
      const { left, failure } = await this.#writeSome(items)
      // Closed meanwhile: all that waited has been counted as dropped.
      if (this.#waiting.length === 0) return
      this.#waiting.splice(0, items.length, ...left)
      if (failure !== undefined) {
        const waiting = this.#waiting.length
        const error = failure instanceof Unavailable ? failure : codeOf(failure)
        // Metrics say how long it takes; the log says when it began and ended.
        if (this.#failures++ === 0) {
          log.error({ name, waiting, error }, "entries cannot be written now")
        }
        this.#due = performance.now() + Math.min(pause * 2 ** this.#failures, longestPause)
        return this.#report()
      }
    }
    if (this.#failures > 0) log.info({ name }, "entries are written again")
    this.#failures = 0
    this.#since = began
    this.#report()
  }

  /**
   * Writes items together or, if the database refuses that, one by one. Drops an item that fails because of its values.
   * Drops an item that fails for another reason, such as a missing privilege, only if it fails again after a later one
   * has been written. Returns the items that have to wait, and why.
   */
  async #writeSome(items: readonly T[]): Promise<{ left: readonly T[]; failure: unknown }> {
    const all = await this.#attempt(items)
    if (all === undefined) return { left: [], failure: undefined }
    let failure: unknown = all
    const suspects: T[] = []
    for (const [index, item] of items.entries()) {
      const isHopeless = failure instanceof Unavailable || suspects.length > mostSuspects
      if (isHopeless) return { left: [...suspects, ...items.slice(index)], failure }
      const error = await this.#attempt([item])
      if (error === undefined) {
        for (const suspect of suspects.splice(0)) {
          const again = await this.#attempt([suspect])
          if (again !== undefined) this.#refuse(again)
        }
      } else if (isAboutValues(error)) this.#refuse(error)
      else {
        failure = error
        suspects.push(item)
      }
    }
    return { left: suspects, failure: suspects.length > 0 ? failure : undefined }
  }

  /** Returns the error of a write, or undefined. */
  async #attempt(items: readonly T[]): Promise<unknown> {
    const { timeLimit } = this.#options
    const limit = this.#limit = new AbortController()
    const timer = setTimeout(
      () => limit.abort(new Unavailable(`The database took longer than ${timeLimit} ms.`)),
      timeLimit,
    )
    timer.unref()
    try {
      await this.#write(items, limit.signal)
      return undefined
    } catch (error) {
      return translateError(error) ?? new Error("unknown")
    } finally {
      clearTimeout(timer)
    }
  }

  #refuse(error: unknown): void {
    this.#drop(`the database refuses them: ${codeOf(error)}`)
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

/** Waits until a signal aborts. @throws once `over` aborts before */
async function untilAborted(signal: AbortSignal, over: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort", { signal: over })
}

/** Names an error without its message, which may repeat what should have been written. */
function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown }
  return String(code ?? name)
}
