import { setTimeout as sleep } from "node:timers/promises"
import type { Copy } from "../../support/partner/copy.ts"
import { FeedReader } from "../../support/partner/feed-reader.ts"
import type { Reader } from "../../support/partner/reader.ts"
import type { List } from "../../support/partner/rows.ts"
import type { Random } from "../../support/random.ts"
import { NotNow } from "./client.ts"

/** How a partner polls. */
export interface Polling {
  /** Milliseconds between two polls, at least and at most. */
  readonly pause: readonly [least: number, most: number]
  /** True if it takes so long to store a page that changes are committed late meanwhile. */
  readonly isSlow?: boolean
  /** The lists of a feed whose copy it forgets now and then, and begins again: with a cursor of now, and these. */
  readonly forgets?: readonly List[]
}

interface PollerOptions extends Polling {
  readonly random: Random
  /** Ends it at once. */
  readonly signal: AbortSignal
}

/** Milliseconds until a failed request is repeated: far sooner than `Retry-After` says. */
const wait = 150

/** Failures in a row after which it gives up. No fault takes half as long. */
const mostFailures = 600

/** A partner who keeps a copy of a list, by the rules of the guide, whatever happens. */
export class Poller {
  /** Finished polls. */
  polls = 0
  readonly #reader: Reader | FeedReader
  readonly #options: PollerOptions
  #isEnding = true
  #running: Promise<void> | undefined

  constructor(reader: Reader | FeedReader, options: PollerOptions) {
    this.#reader = reader
    this.#options = options
  }

  get copy(): Copy {
    return this.#reader.copy
  }

  /** How often it had to read everything again. */
  get resyncs(): number {
    return this.#reader.resyncs
  }

  /** The `since` of the poll that is running or comes next; undefined before the first poll has ended. */
  get since(): number | undefined {
    return this.#reader.since
  }

  /** Polls until `stop`. Resolves after the first poll. */
  async start(): Promise<void> {
    await this.pollOnce()
    this.#isEnding = false
    this.#running = this.#run()
    // `stop` reports it.
    this.#running.catch(() => {})
  }

  /** Stops after the poll that is running. */
  async stop(): Promise<void> {
    this.#isEnding = true
    await this.#running
  }

  /** Forgets where it was, and reads everything. */
  async readAgain(): Promise<void> {
    this.#reader.resyncs++
    this.#reader.beginAgain()
    await this.pollOnce()
  }

  /** Reads until a poll is finished. Repeats what failed, or begins the poll again. */
  async pollOnce(): Promise<void> {
    const { random, isSlow, signal } = this.#options
    for (let failures = 0;;) {
      signal.throwIfAborted()
      try {
        await this.#read()
        if (!this.#reader.isInterrupted) return void this.polls++
        failures = 0
        if (isSlow && !this.#isEnding) await sleep(random.between(0, 1500))
      } catch (error) {
        if (!(error instanceof NotNow) || ++failures === mostFailures) throw error
        if (random.below(4) === 0) this.#reader.crash()
        await sleep(wait)
      }
    }
  }

  /** Reads a page. Who reads a feed is often killed when it has stored the page, and not its cursor. */
  async #read(): Promise<void> {
    const reader = this.#reader
    const { random, forgets } = this.#options
    if (!(reader instanceof FeedReader)) return void await reader.read()
    if (forgets && random.below(100) === 0) await reader.beginNow(forgets)
    await reader.read()
    if (random.below(6) === 0) reader.crash()
  }

  async #run(): Promise<void> {
    const { pause, random } = this.#options
    while (!this.#isEnding) {
      await this.pollOnce()
      for (let left = random.between(...pause); left > 0 && !this.#isEnding; left -= 200) {
        await sleep(Math.min(left, 200))
      }
    }
  }
}
