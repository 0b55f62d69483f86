import { boundedCache } from "../data/bounded-cache.ts"
import { Batch, type BatchNumbers, type DropCount } from "../data/batch.ts"
import type { Database } from "../data/database.ts"
import { addDisclosures, type Disclosure, type LedgerOptions } from "../disclosures/ledger.ts"
import { Problem, retryLater } from "../http/problems.ts"
import type { Log } from "../log.ts"
import type { List } from "../records/list.ts"
import type { Observer, PageFacts } from "../request/facts.ts"

/** How disclosures are recorded. */
export interface DisclosureTrailOptions {
  readonly log: Log
  readonly drops: DropCount
  /** True to refuse requests for records while entries wait for longer than they may. */
  readonly required: boolean
  /** Milliseconds that an entry may wait to be written. */
  readonly patience?: number
  /** The most milliseconds between two attempts to write. */
  readonly longestPause?: number
  /** Milliseconds that closing may take. */
  readonly closing?: number
  /** Milliseconds to collect entries before they are written. */
  readonly delay?: number
  /** How ranges are kept, if not as usual. */
  readonly near?: LedgerOptions["near"]
}

/**
 * Records which records of events accounts were sent: a page counts if it has records and was answered with a
 * body, whether all of it arrived or not. Written in the background, like the audit log.
 */
export class DisclosureTrail {
  readonly #batch: Batch<Disclosure>
  readonly #options: Required<Omit<DisclosureTrailOptions, "log" | "drops">>
  readonly #covered = new Covered()

  constructor(database: Database, { log, drops, ...options }: DisclosureTrailOptions) {
    this.#options = {
      patience: 60_000,
      longestPause: 10_000,
      closing: 5000,
      near: 3600,
      delay: 250,
      ...options,
    }
    const { longestPause, near, delay } = this.#options
    const known = new Set<string>()
    const write = (entries: readonly Disclosure[], signal: AbortSignal) =>
      addDisclosures(database, entries, { near, known, signal })
    this.#batch = new Batch(write, {
      log,
      name: "disclosures",
      drops,
      longestPause,
      delay,
      most: 100_000,
    })
  }

  /** `delayed` if entries have been waiting to be written for longer than they may. */
  get state(): "ok" | "delayed" {
    return this.#batch.numbers.age > this.#options.patience ? "delayed" : "ok"
  }

  /**
   * Returns if records may be sent.
   *
   * @throws {Problem} 503 if recording is required and entries cannot be written.
   */
  assertRecording(): void {
    if (this.#options.required && this.state === "delayed") {
      throw new Problem("unavailable", "Requests cannot be recorded now.", retryLater)
    }
  }

  get numbers(): BatchNumbers {
    return this.#batch.numbers
  }

  /** Records the page of a request, if it has records of an event. */
  readonly record: Observer = ({ line, page, route, admission }) => {
    const eventId = admission?.event?.id
    if (!page || !route || !admission || eventId === undefined) return
    const { list, isFiltered } = page
    // What is made while it is sent counts from its beginning on: any of it may be sent. All of it was, once it ends.
    const hasBegun = line.beginMs !== undefined && line.ending === undefined
    if (line.ending === "cut" || (line.ending === "continued" && list.bundle)) return
    if (list.parts.length === 0 || list.hasHorizon) return
    const accountId = admission.session.account.id
    const { prefix } = route
    const sent = line.status === 200 && line.method !== "HEAD" && page.rows > 0
    if (!sent && (isFiltered || hasBegun || line.method === "HEAD")) return
    const key = [accountId, eventId, prefix, list.name].join("\n")
    const range = isFiltered || hasBegun ? page.range : this.#covered.extend(key, page, sent)
    if (!sent) return
    this.#batch.add({
      eventId,
      accountId,
      prefix,
      list: list.name,
      fields: fieldsOf(list),
      whole: !isFiltered && !hasBegun,
      from: range.from,
      to: range.to,
      at: page.at,
      next: page.nextSince,
    })
  }

  /** Writes the remaining entries, or drops them if that takes long. */
  async close(): Promise<void> {
    await this.#batch.close(this.#options.closing)
  }
}

/**
 * What walks have covered of lists, in this process. While an account polls a list in which nothing changes,
 * nothing is recorded. The next page with records also covers that time: so it continues the range before.
 */
class Covered {
  readonly #latest = boundedCache<{ readonly to: number; readonly recorded: number }>({
    most: 100_000,
  })

  /** Adds a page. Returns the range to record if it was `sent`. */
  extend(key: string, { range: { from, to } }: PageFacts, sent: boolean): PageFacts["range"] {
    const last = this.#latest.get(key)
    const isNext = last !== undefined && from <= last.to + 1
    if (!isNext && !sent) return { from, to }
    const latest = Math.max(to, isNext ? last.to : to)
    const start = isNext ? Math.min(from, last.recorded) : from
    this.#latest.set(key, { to: latest, recorded: sent ? latest : last?.recorded ?? latest })
    return { from: start, to }
  }
}

const fields = new WeakMap<List, readonly string[]>()

/** Returns the names of the fields of a list's records, as `Guest.email`. */
function fieldsOf(list: List): readonly string[] {
  const known = fields.get(list)
  if (known) return known
  const names = list.parts.flatMap(({ projection }) =>
    projection.fields.map((field) => `${projection.record}.${field}`)
  )
  fields.set(list, names)
  return names
}
