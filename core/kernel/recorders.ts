import { Batch, type BatchNumbers, type DropCount, type OpenBatch } from "../data/batch.ts"
import { Problem, retryLater } from "../http/problems.ts"
import type { Log } from "../log.ts"

/** Milliseconds, if not the usual ones. */
export interface RecorderTimes {
  /** How long an entry may wait to be written. */
  readonly patience?: number
  /** The longest pause between two attempts to write. */
  readonly longestPause?: number
  /** How long closing may take. */
  readonly closing?: number
  /** From one time that entries are written to the next. */
  readonly every?: number
}

/** The counts of what batches have dropped, by their names, over all configurations of a process. */
export type DropCounts = Map<string, DropCount>

/** Everything that a configuration writes in the background, once a second. */
export class Recorders {
  readonly #log: Log
  readonly #drops: DropCounts
  readonly #times: RecorderTimes
  readonly #batches = new Map<string, AnyBatch>()
  readonly #vital = new Set<AnyBatch>()
  readonly #timer: ReturnType<typeof setInterval>
  #isRequired = false

  constructor(log: Log, drops: DropCounts = new Map(), times: RecorderTimes = {}) {
    this.#log = log
    this.#drops = drops
    this.#times = times
    this.#timer = setInterval(() => this.#flush(), times.every ?? 1000)
    this.#timer.unref()
  }

  /** Makes what writes in the background. */
  readonly batch: OpenBatch = (write, { vital, ...options }) => {
    const { name } = options
    const drops = this.#drops.get(name) ?? { dropped: 0 }
    this.#drops.set(name, drops)
    const { longestPause } = this.#times
    const pauses = longestPause === undefined ? {} : { longestPause }
    const batch = new Batch(write, { ...options, ...pauses, log: this.#log, drops })
    this.#batches.set(name, batch)
    if (vital) this.#vital.add(batch)
    if (vital === "required") this.#isRequired = true
    return batch
  }

  /** `delayed` if vital entries have been waiting to be written for longer than they may. */
  get state(): "ok" | "delayed" {
    const { patience = 60_000 } = this.#times
    return [...this.#vital].some(({ numbers: { age } }) => age > patience) ? "delayed" : "ok"
  }

  /** True while requests that have to be recorded are refused. */
  get isRefusing(): boolean {
    return this.#isRequired && this.state === "delayed"
  }

  /**
   * Returns what throws a 503 while entries cannot be written that answered requests must have; undefined if nothing
   * that was made so far is required.
   */
  get assertRecording(): (() => void) | undefined {
    if (!this.#isRequired) return undefined
    return () => {
      if (!this.isRefusing) return
      throw new Problem("unavailable", "Requests cannot be recorded now.", retryLater)
    }
  }

  #flush(): void {
    for (const batch of this.#batches.values()) void batch.flush()
  }

  get numbers(): Readonly<Record<string, BatchNumbers>> {
    return Object.fromEntries([...this.#batches].map(([name, { numbers }]) => [name, numbers]))
  }

  /** Writes the remaining entries, or drops them if that takes long once `ending` has aborted. */
  async close(ending?: AbortSignal): Promise<void> {
    clearInterval(this.#timer)
    const { closing = 5000 } = this.#times
    await Promise.all([...this.#batches.values()].map((batch) => batch.close(closing, ending)))
  }
}

/** What all batches have, whatever they write. */
type AnyBatch = Pick<Batch<unknown>, "numbers" | "flush" | "close">
