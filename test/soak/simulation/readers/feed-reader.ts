import type { Random } from "../../../support/random.ts"
import type { Client, Got } from "../client.ts"
import { Violation } from "../simulation.ts"
import type { World } from "../world.ts"
import { anyService, ask, codeOf, disturbed } from "./asking.ts"
import { Copy, keyOf } from "./copy.ts"
import type { Keeper } from "./keep.ts"
import { readPages } from "./link.ts"
import { type List, rowOf, rowsOf } from "./rows.ts"
import { type Fields, readRecords } from "./truth.ts"

/** How a reader of a feed reads it. */
export interface FeedReading {
  readonly accept: "application/json" | "application/x-ndjson"
  readonly limit: number
  /** True if it sends the tag of a page without news. */
  readonly sendsTags?: boolean
  /** True if it takes the cursor of the moment first, and then reads whole lists. */
  readonly beginsNow?: boolean
  /** The most seconds that it waits for a change. */
  readonly waits?: number
}

interface FeedReaderOptions extends FeedReading {
  readonly client: Client
  readonly family: string
  readonly lists: readonly List[]
  /** Returns the id of the event: there is none before the world is prepared. */
  readonly event: () => string
  readonly name: string
}

/** A line of the feed. */
export interface Change {
  readonly list: List
  readonly category: string
  readonly id: string
  readonly record?: Fields
  readonly deleted?: number
}

/** A page of the feed. */
export interface FeedPage {
  readonly changes: readonly Change[]
  readonly next: string
  readonly more: boolean
}

interface Stored {
  readonly cursor: string
  readonly etag: string | undefined
  /** When it was got, on the steady clock, in milliseconds. */
  readonly at: number
  readonly restores: number
}

/** A program that keeps a copy of an event by its feed, and remembers nothing but the last cursor. */
export class FeedReader implements Keeper {
  readonly copy = new Copy()
  readonly #world: World
  readonly #options: FeedReaderOptions
  #stored: Stored | undefined
  #hasMore = false

  constructor(world: World, options: FeedReaderOptions) {
    this.#world = world
    this.#options = options
  }

  get name(): string {
    return this.#options.name
  }

  get state(): string {
    return `${this.copy.rows.size} records`
  }

  get isInterrupted(): boolean {
    return this.#hasMore
  }

  get #path(): string {
    const { family, event } = this.#options
    return `${family}/events/${event()}`
  }

  /** It has stored all that it needs. */
  crash(): void {}

  async poll(random: Random, isCalm = false): Promise<void> {
    if (this.#isBeyondPromise()) this.#beginAgain()
    if (!this.#stored && this.#options.beginsNow) await this.#beginNow(random, isCalm)
    for (let pages = 0;; pages++) {
      if (pages > 300) throw new Violation(`${this.name} reads without end`)
      if (!(await this.#step(random, isCalm))) return
    }
  }

  async differences(): Promise<readonly string[]> {
    const { event, family, lists } = this.#options
    const records = await readRecords(this.#world, event(), family)
    const isWanted = (key: string) => lists.includes(key.startsWith("guests ") ? "guests" : "items")
    return this.copy.differences(records, isWanted)
  }

  /** True if the clock was set back further than the embedded database allows since its cursor. */
  #isBeyondPromise(): boolean {
    const stored = this.#stored
    if (!stored) return false
    const { time, configuration } = this.#world
    const { least } = time.wallBetween(stored.at, time.steady)
    const { most } = time.wallBetween(stored.at, stored.at)
    const lag = Number(configuration.get("polling.lag"))
    // A cursor may be of a second that has just begun.
    return least < most - (lag - 2) * 1000
  }

  #beginAgain(): void {
    this.#stored = undefined
    this.copy.rows.clear()
  }

  /** Reads and stores a page. Returns true if more follow. */
  async #step(random: Random, isCalm: boolean): Promise<boolean> {
    const stored = this.#stored
    const page = await this.#read(stored?.cursor, random, isCalm)
    if (page === undefined) return false
    if (page === "again") {
      this.#beginAgain()
      return true
    }
    // A page may be there whose cursor was lost.
    if (!stored) this.copy.rows.clear()
    for (const change of page.changes) apply(this.copy, change)
    this.#hasMore = page.more
    // Now and then it is killed before it stores the cursor.
    if (isCalm || random.below(8) > 0) this.#store(page.next, page.etag)
    return page.more
  }

  #store(cursor: string, etag: string | undefined): void {
    const { time, restores } = this.#world
    this.#stored = { cursor, etag, at: time.steady, restores }
  }

  /** Returns a page; undefined for a 304. */
  async #read(
    after: string | undefined,
    random: Random,
    isCalm: boolean,
  ): Promise<FeedPage & { etag: string | undefined } | "again" | undefined> {
    const { client, accept, limit, waits, sendsTags } = this.#options
    const headers: Record<string, string> = { accept }
    if (waits && !isCalm) headers["prefer"] = `wait=${random.between(1, waits)}`
    const tag = after === this.#stored?.cursor ? this.#stored?.etag : undefined
    if (sendsTags && tag !== undefined) headers["if-none-match"] = tag
    const query = new URLSearchParams({ limit: String(limit) })
    if (after !== undefined) query.set("after", after)
    const got = await ask(client, `${this.#path}/changes?${query}`, {
      headers,
      expected: ["410 resync_required", "400 invalid_parameter"],
      ...isCalm ? {} : disturbed(random),
      ...anyService(this.#world, random),
    })
    if (got.status === 304) {
      if (!headers["if-none-match"]) throw new Violation(`${this.name} got a 304 without a tag`)
      return undefined
    }
    if (got.status === 410) return "again"
    if (got.status === 400) {
      // The key of cursors may be gone after a restore.
      if (this.#stored?.restores !== this.#world.restores) return "again"
      throw new Violation(`${this.name}: ${codeOf(got)} ${got.text}`)
    }
    return { ...pageOf(got), etag: got.headers.get("etag") ?? undefined }
  }

  /** Takes the cursor of the moment, and then everything from lists or exports. */
  async #beginNow(random: Random, isCalm: boolean): Promise<void> {
    const { at } = { at: this.#world.time.steady }
    const page = await this.#read("now", random, isCalm)
    if (!page || page === "again" || page.changes.length > 0) {
      throw new Violation(`${this.name} asked for the cursor of now, and got something else`)
    }
    this.copy.rows.clear()
    for (const list of this.#options.lists) await this.#readWhole(list, random)
    const { restores } = this.#world
    this.#stored = { cursor: page.next, etag: undefined, at, restores }
  }

  async #readWhole(list: List, random: Random): Promise<void> {
    const headers = { accept: "application/json" }
    const path = `${this.#path}/${list}?since=-1&limit=${random.between(5, 50)}`
    const pages = readPages(this.#world, this.#options.client, path, () => ({ headers }))
    for await (const got of pages) for (const row of rowsOf(got, list)) this.copy.put(row)
  }
}

/** Returns a page of the feed. @throws {Violation} if it is not one. */
export function pageOf({ headers, text }: Pick<Got, "headers" | "text">): FeedPage {
  if (!/ndjson|jsonl/.test(headers.get("content-type") ?? "")) return JSON.parse(text)
  const lines = text.split("\n").slice(0, -1).map((line) => JSON.parse(line))
  const { next, more } = lines.pop() ?? {}
  if (typeof next !== "string") throw new Violation("a feed as lines has no last line")
  return { changes: lines, next, more }
}

/** Applies a change to a copy. @throws {Violation} if it is neither a record nor a deletion. */
export function apply(copy: Copy, { list, category, id, record, deleted }: Change): void {
  if (record && deleted === undefined) {
    const row = rowOf({ ...category !== "guests" && { category }, ...record }, list)
    if (row.id !== id) throw new Violation(`a change of ${id} has the record ${row.id}`)
    copy.put(row)
  } else if (typeof deleted === "number" && !record) {
    copy.rows.delete(keyOf({ category, id }))
  } else {
    throw new Violation(`a change of ${category} is neither a record nor a deletion`)
  }
}
