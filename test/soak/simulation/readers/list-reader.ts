import type { Random } from "../../../support/random.ts"
import type { Client, Got } from "../client.ts"
import { Violation } from "../simulation.ts"
import type { World } from "../world.ts"
import { anyService, ask, codeOf, disturbed } from "./asking.ts"
import { Copy, keyOf } from "./copy.ts"
import type { Keeper } from "./keep.ts"
import { isWorthless, type Link, linkOf } from "./link.ts"
import { type List, rowsOf } from "./rows.ts"
import { readRecords } from "./truth.ts"

/** How a reader of a list reads it. */
export interface ListReading {
  readonly list: List
  /** Of items: the only category that it reads. */
  readonly category?: string
  readonly by: "cursor" | "offset"
  readonly accept: "application/json" | "application/x-ndjson" | "text/csv"
  /** True if it sends tags, and ends its polls at a 304. */
  readonly sendsTags?: boolean
  /** True if it reads the deletions before the records. */
  readonly deletionsFirst?: boolean
  readonly limit: number
}

interface ListReaderOptions extends ListReading {
  readonly client: Client
  /** The path of the family, such as `/acme/v1`. */
  readonly family: string
  /** Returns the id of the event: there is none before the world is prepared. */
  readonly event: () => string
  /** Who it is in the story. */
  readonly name: string
}

/** What it remembers of its last finished poll. */
interface Kept {
  readonly since: number
  readonly etag: string | undefined
  readonly fields: string
  /** When it got them, on the steady clock, in milliseconds. */
  readonly at: number
}

/** A poll that is not finished: lost if the reader is killed. */
interface Poll {
  /** Undefined if it reads everything, and drops what was not in it. */
  readonly kept: Kept | undefined
  readonly began: number
  readonly left: ("records" | "deletions")[]
  readonly seen: Set<string>
  readonly next: number[]
  etag: string | undefined
  fields: string | undefined
  /** The next page of the first list of `left`. */
  page: { readonly link: Link; readonly nextSince: string } | { readonly offset: number }
}

const expected = ["400 invalid_parameter", "410 cursor_expired", "410 resync_required"]

/** A program that keeps a copy of a list of an event by the rules of the guide. */
export class ListReader implements Keeper {
  readonly copy = new Copy()
  readonly #world: World
  readonly #options: ListReaderOptions
  #kept: Kept | undefined
  #poll: Poll | undefined

  constructor(world: World, options: ListReaderOptions) {
    this.#world = world
    this.#options = options
  }

  get name(): string {
    return this.#options.name
  }

  get event(): string {
    return this.#options.event()
  }

  get isInterrupted(): boolean {
    return this.#poll !== undefined
  }

  get client(): Client {
    return this.#options.client
  }

  get family(): string {
    return this.#options.family
  }

  get path(): string {
    const { family, list } = this.#options
    return `${family}/events/${this.event}/${list}`
  }

  /** The header `Fields` that its records came with; undefined before its first poll has ended. */
  get fields(): string | undefined {
    return this.#kept?.fields
  }

  get state(): string {
    return `since ${this.#kept?.since ?? "nothing"}, ${this.copy.rows.size} records`
  }

  /** True for records that it reads, by category and id. */
  wants(key: string): boolean {
    const { list, category } = this.#options
    if (category) return key.startsWith(`${category} `)
    return key.startsWith("guests ") === (list === "guests")
  }

  /** Forgets what it has not stored. */
  crash(): void {
    this.#poll = undefined
  }

  /** Forgets where it was: it reads everything next, and drops what is not in it. */
  beginAgain(): void {
    this.#poll = undefined
    this.#kept = undefined
  }

  /**
   * Reads until a poll is finished: goes on with one that was interrupted.
   * @throws {NotNow} {TypeError} if that fails now. @throws {Violation}
   */
  async poll(random: Random, isCalm = false): Promise<void> {
    if (this.#isBeyondPromise()) this.beginAgain()
    for (let pages = 0; !(await this.#step(random, isCalm)); pages++) {
      if (pages > 300) throw new Violation(`${this.client.name} reads ${this.path} without end`)
    }
  }

  async differences(): Promise<readonly string[]> {
    const records = await readRecords(this.#world, this.event, this.family)
    return this.copy.differences(records, (key) => this.wants(key))
  }

  /** True if the clock was set back further than the embedded database allows since the last poll. */
  #isBeyondPromise(): boolean {
    return this.#kept !== undefined && wasSetBackBefore(this.#world.time, this.#kept)
  }

  /** Reads a page. Returns true if that ended the poll. */
  async #step(random: Random, isCalm: boolean): Promise<boolean> {
    const poll = this.#poll ??= this.#begin()
    const [list] = poll.left
    const sent = this.#world.time.steady
    const got = await this.#ask(poll, random, isCalm)
    const isFirst = "offset" in poll.page && poll.page.offset === 0
    if (got.status === 400) {
      if ("link" in poll.page && isWorthless(this.#world, poll.page.link)) {
        this.#poll = this.#begin(!poll.kept)
        return false
      }
      // A `since` in the future: the clock was set back meanwhile.
      if (!this.#isBeyondPromise()) throw new Violation(`${this.name}: ${got.text}`)
      this.beginAgain()
      return false
    }
    if (got.status === 410) {
      this.#poll = codeOf(got) === "resync_required" ? this.#begin(true) : undefined
      return false
    }
    const nextSince = got.headers.get("next-since") ?? ""
    if (!/^-?\d+$/.test(nextSince)) {
      throw new Violation(`${this.path} has the Next-Since ${nextSince}`)
    }
    if (isFirst) {
      assertPast(this.#world.time, Number(nextSince), sent)
      poll.next.push(Number(nextSince))
      if (list === "records") {
        const fields = got.headers.get("fields") ?? ""
        if (poll.kept && got.status !== 304 && fields !== poll.kept.fields) {
          this.#poll = this.#begin(true)
          return false
        }
        poll.fields = fields
        poll.etag = got.headers.get("etag") ?? undefined
        if (got.status === 304) {
          this.#finish({ ...poll, etag: poll.kept?.etag, fields: poll.kept?.fields })
          return true
        }
      }
    }
    if (got.status === 304) throw new Violation(`${this.path} has a 304 for a page without a tag`)
    if ("link" in poll.page && nextSince !== poll.page.nextSince) {
      throw new Violation(`Next-Since of ${this.path} moves within a walk`)
    }
    const count = this.#apply(poll, got)
    const { by, limit } = this.#options
    const link = linkOf(this.#world, got.headers)
    if (by === "cursor" ? link !== undefined : count > 0) {
      const { page } = poll
      poll.page = link !== undefined && by === "cursor"
        ? { link, nextSince }
        : { offset: ("offset" in page ? page.offset : 0) + limit }
      return false
    }
    poll.left.shift()
    poll.page = { offset: 0 }
    if (poll.left.length > 0) return false
    this.#finish(poll)
    return true
  }

  #begin(isFull = this.#kept === undefined): Poll {
    const { deletionsFirst } = this.#options
    const left = isFull
      ? ["records" as const]
      : deletionsFirst
      ? ["deletions" as const, "records" as const]
      : ["records" as const, "deletions" as const]
    return {
      kept: isFull ? undefined : this.#kept,
      began: this.#world.time.steady,
      left,
      seen: new Set(),
      next: [],
      etag: undefined,
      fields: undefined,
      page: { offset: 0 },
    }
  }

  async #ask(
    { page, kept, left: [list] }: Poll,
    random: Random,
    isCalm: boolean,
  ): Promise<Got> {
    const { client, accept, limit, category, sendsTags } = this.#options
    const headers: Record<string, string> = { accept }
    const isFirst = "offset" in page && page.offset === 0
    const tag = list === "records" && isFirst && sendsTags ? kept?.etag : undefined
    if (tag) headers["if-none-match"] = tag
    const query = new URLSearchParams({ since: String(kept?.since ?? -1), limit: String(limit) })
    if ("offset" in page && page.offset > 0) query.set("offset", String(page.offset))
    if (category && list === "records") query.set("category", category)
    const path = `${this.path}${list === "deletions" ? "/deletions" : ""}?${query}`
    const options = {
      headers,
      expected,
      ...isCalm ? {} : disturbed(random),
      ...anyService(this.#world, random),
    }
    return await ask(client, "link" in page ? page.link.url : path, options)
  }

  /** Applies the rows of a page. Returns how many there are. */
  #apply({ kept, left: [list], seen }: Poll, got: Got): number {
    const rows = rowsOf(got, this.#options.list)
    for (const row of rows) {
      if (list === "deletions") {
        this.copy.rows.delete(keyOf(row))
      } else {
        if (!this.wants(keyOf(row))) {
          throw new Violation(`${this.path} has a record of ${row.category} that was not asked for`)
        }
        this.copy.put(row)
        if (!kept) seen.add(keyOf(row))
      }
    }
    return rows.length
  }

  #finish({ kept, seen, next, etag, fields, began }: Poll): void {
    if (!kept) {
      for (const key of this.copy.rows.keys()) if (!seen.has(key)) this.copy.rows.delete(key)
    }
    this.#kept = { since: Math.min(...next), etag, fields: fields ?? "", at: began }
    this.#poll = undefined
  }
}

/** Returns true if the clock was set back to before a `Next-Since` after it was got, at a moment of the steady clock. */
export function wasSetBackBefore(
  time: World["time"],
  { since, at }: { readonly since: number; readonly at: number },
): boolean {
  const { least } = time.wallBetween(at, time.steady)
  return least < time.wallBetween(at, at).least && least / 1000 < since
}

/** @throws {Violation} if a `Next-Since` is not before the clock. */
export function assertPast(time: World["time"], nextSince: number, sent: number): void {
  const { most } = time.wallBetween(sent, time.steady)
  if (nextSince >= most / 1000) {
    throw new Violation(`Next-Since is ${nextSince}, ahead of the clock at ${most / 1000}`)
  }
}
