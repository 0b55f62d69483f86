import type { Log } from "../log.ts"

interface BatchOptions {
  readonly log: Log
  /** Names the items in the log. */
  readonly name: string
  /** Upper bound for waiting items. More are dropped, and the log says how many. */
  readonly most?: number
  /** Milliseconds to collect items before they are written. */
  readonly delay?: number
}

/** Numbers of items of a batch. */
export interface BatchNumbers {
  readonly waiting: number
  /** Since the start. */
  readonly dropped: number
}

/** Upper bound for the items of one write. */
const largest = 200

/**
 * Writes items in the background, many at a time. Adding never waits and never fails: items that the
 * database cannot take now are tried again, up to a bound.
 */
export class Batch<T> {
  readonly #write: (items: readonly T[]) => Promise<void>
  readonly #options: Required<BatchOptions>
  #waiting: T[] = []
  /** Dropped, and not yet in the log. */
  #unreported = 0
  /** Dropped, and in the log. */
  #reported = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #writing: Promise<boolean> | undefined

  constructor(write: (items: readonly T[]) => Promise<void>, options: BatchOptions) {
    this.#write = write
    this.#options = { most: 10_000, delay: 250, ...options }
  }

  /** How many items wait, and how many were dropped. */
  get numbers(): BatchNumbers {
    return { waiting: this.#waiting.length, dropped: this.#reported + this.#unreported }
  }

  /** Adds an item to write later, or drops it if too many wait. */
  add(item: T): void {
    if (this.#waiting.length >= this.#options.most) this.#unreported++
    else this.#waiting.push(item)
    this.#schedule()
  }

  /** Writes the waiting items. Resolves once that is done or has failed; never rejects. */
  async drain(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#writing
    const written = await (this.#writing = this.#writeAll())
    this.#writing = undefined
    if (written && this.#waiting.length > 0) this.#schedule()
  }

  #schedule(): void {
    if (this.#timer || this.#writing) return
    this.#timer = setTimeout(() => void this.drain(), this.#options.delay)
    this.#timer.unref()
  }

  /** Returns true if all items that waited when it was called were written. */
  async #writeAll(): Promise<boolean> {
    const { log, name } = this.#options
    if (this.#unreported > 0) log.error({ name, dropped: this.#unreported }, "entries were dropped")
    this.#reported += this.#unreported
    this.#unreported = 0
    // Leaves items that are added meanwhile to the next call: else each would be a write of its own.
    for (let left = this.#waiting.length; left > 0; left -= largest) {
      const items = this.#waiting.splice(0, Math.min(left, largest))
      try {
        await this.#write(items)
      } catch (error) {
        this.#waiting = [...items, ...this.#waiting]
        log.error({ name, waiting: this.#waiting.length, error }, "entries cannot be written now")
        return false
      }
    }
    return true
  }
}
