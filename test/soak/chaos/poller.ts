import { setTimeout as sleep } from "node:timers/promises"
import { Reader, type ReaderKind, type RecordCopy } from "../../support/polling/reader.ts"
import type { Random } from "../../support/random.ts"
import { NotNow, ResyncRequired } from "./client.ts"
import { type FeedReading, FeedSource } from "./feed-source.ts"
import type { HttpSource } from "./http-source.ts"

/** How a partner polls. */
export interface PollerOptions {
  readonly kind: ReaderKind & FeedReading
  readonly limit: number
  /** True for items, which come as a bundle. */
  readonly isBundle: boolean
  /** Milliseconds between two polls, at least and at most. */
  readonly pause: readonly [least: number, most: number]
  readonly random: Random
  /** Ends it at once. */
  readonly signal: AbortSignal
}

interface PastPoll {
  readonly since: number | undefined
  readonly began: number
  readonly ended: number
}

const now = () => Date.now() / 1000

/** Milliseconds until a failed request is repeated: far sooner than `Retry-After` says. */
const wait = 150

/** Failures in a row after which it gives up. No fault takes half as long. */
const mostFailures = 600

/** A partner who keeps a copy of a list, by the rules of the guide, whatever happens. */
export class Poller {
  /** Finished polls. */
  polls = 0
  /** How often it had to read everything again. */
  resyncs = 0
  /** What its polls sent as `since`, and when they began and ended, in Unix seconds. */
  readonly history: PastPoll[] = []
  readonly #source: HttpSource | FeedSource
  readonly #options: PollerOptions
  #reader: Reader | FeedSource
  #isEnding = true
  #running: Promise<void> | undefined

  constructor(source: HttpSource | FeedSource, options: PollerOptions) {
    this.#source = source
    this.#options = options
    this.#reader = this.#newReader()
  }

  /** By id, the category of each record that a bundle or a feed had. */
  get categories(): ReadonlyMap<string, string> {
    return this.#source.categories
  }

  get copy(): ReadonlyMap<string, RecordCopy> {
    return this.#reader.copy
  }

  /** The `since` of the poll that is running or comes next; undefined before the first poll has ended. */
  get since(): number | undefined {
    return this.#reader.since
  }

  /** Polls until `stop`. Resolves after the first poll. */
  async start(): Promise<void> {
    await this.#poll()
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

  /** Forgets its copy, and reads everything. */
  async readAgain(): Promise<void> {
    this.resyncs++
    this.#reader = this.#newReader()
    await this.#poll()
  }

  /** Polls once more. */
  async pollOnce(): Promise<void> {
    await this.#poll()
  }

  async #run(): Promise<void> {
    const { pause, random } = this.#options
    while (!this.#isEnding) {
      await this.#poll()
      for (let left = random.between(...pause); left > 0 && !this.#isEnding; left -= 200) {
        await sleep(Math.min(left, 200))
      }
    }
  }

  /** Reads until a poll is finished. Repeats what failed, or begins the poll again. */
  async #poll(): Promise<void> {
    const { kind, random } = this.#options
    const began = now()
    for (let failures = 0;;) {
      this.#options.signal.throwIfAborted()
      try {
        const { since } = this.#reader
        if (await this.#reader.read()) {
          this.polls++
          this.history.push({ since, began, ended: now() })
          return
        }
        failures = 0
        if (kind.isSlow && !this.#isEnding) await sleep(random.between(0, 1500))
      } catch (error) {
        if (error instanceof ResyncRequired) {
          this.resyncs++
          this.#reader = this.#newReader()
        } else if (error instanceof NotNow) {
          if (random.below(4) === 0) this.#reader.crash()
          if (++failures === mostFailures) throw error
          await sleep(wait)
        } else throw error
      }
    }
  }

  #newReader(): Reader | FeedSource {
    const source = this.#source
    if (source instanceof FeedSource) {
      source.beginAgain()
      return source
    }
    const { kind, limit, isBundle, random } = this.#options
    const lists = random.below(2) === 0
      ? ["records", "deletions"] as const
      : ["deletions", "records"] as const
    return new Reader(source, {
      kind,
      limit,
      // The largest `updated` says nothing about deletions.
      lists: kind.keeps === "Next-Since" ? lists : ["records"],
      bundle: isBundle,
    })
  }
}
