import { Copy } from "./copy.ts"
import type { Part, Place, ReadPage, Source } from "./list-source.ts"
import { keyOf } from "./rows.ts"

/** What plays a partner: a program that keeps a copy. */
export interface CopyReader {
  readonly copy: Copy
  /** True if it is within a poll, and goes on with it next. */
  readonly isInterrupted: boolean
  /** Reads one page. If it fails, the next call repeats it. */
  read(): Promise<unknown>
  /** Forgets what it has not stored. */
  crash(): void
  /** Reads everything next. */
  beginAgain(): void
}

export interface ReaderKind {
  readonly by: "offset" | "cursor"
  /** The value that it sends as its next `since`. */
  readonly keeps: "max(updated)" | "Next-Since"
  /** True if it sends the tag of the first page of its last finished walk, and ends a walk at a 304. */
  readonly sendsTags?: boolean
  /** True if it ends its poll, too, at a 304 for the records: then it reads no deletions. */
  readonly endsPolls?: boolean
  /**
   * Compares `changed` of the list of events with `since`, and polls only if it is true. Otherwise the
   * `Next-Since` of that list becomes the `since`.
   */
  readonly polls?: ">=" | ">"
}

export interface ReaderOptions {
  readonly kind: ReaderKind
  readonly limit: number
  /** What it reads in a poll, in this order. Without `since`, it reads only records. */
  readonly parts: readonly Part[]
  /** True for bundles, where only the first page counts for the largest `updated`. */
  readonly isBundle?: boolean
}

/** What it remembers of its last finished poll. */
interface Stored {
  readonly since: number
  /** The tags of first pages. */
  readonly tags: ReadonlyMap<Part, string>
  readonly fields: string | undefined
}

/** A poll that is not finished: lost if the reader is killed. */
interface Poll {
  readonly left: Part[]
  /** The keys of all that it has read, if it reads everything, and drops what was not in it. */
  readonly seen: Set<string> | undefined
  readonly next: number[]
  readonly tags: Map<Part, string>
  fields: string | undefined
  newest: number
  place: Place
  offset: number
}

/**
 * A partner that keeps a copy. It polls the records, and the deletions if the source has them, one page
 * at a time, and applies them in the order of reading.
 */
export class Reader implements CopyReader {
  readonly copy = new Copy()
  /** The pages so far that a `Link` led to although they are empty. */
  linkedToNothing = 0
  /** How often it was told to read everything again. */
  resyncs = 0
  readonly #source: Source
  readonly #options: ReaderOptions
  /** Survives a crash, like the copy. */
  #stored: Stored | undefined
  #poll: Poll | undefined

  constructor(source: Source, options: ReaderOptions) {
    this.#source = source
    this.#options = options
  }

  /** The `since` of the current poll, or of the next one. Undefined until a first poll has finished. */
  get since(): number | undefined {
    return this.#stored?.since
  }

  /** The header `Fields` that its records came with. */
  get fields(): string | undefined {
    return this.#stored?.fields
  }

  get isInterrupted(): boolean {
    return this.#poll !== undefined
  }

  crash(): void {
    this.#poll = undefined
  }

  beginAgain(): void {
    this.#stored = undefined
    this.#poll = undefined
  }

  /** Reads one page. Returns true if that finished a poll. If it fails, the next call repeats it. */
  async read(): Promise<boolean> {
    if (!this.#poll && await this.#skips()) return true
    const poll = this.#poll ??= this.#begin()
    const [part] = poll.left as [Part]
    const page = await this.#source.page(part, poll.place)
    if (page.refused === "cursor") this.crash()
    if (page.refused === "since") this.#resync()
    if (page.refused) return false
    const isFirst = poll.offset === 0
    if (isFirst && part === "records" && !page.unchanged) {
      poll.fields = page.fields
      if (this.#stored && this.#stored.fields !== page.fields) {
        this.#resync()
        return false
      }
    }
    // Only the first page of a walk counts: the value of a later page would be too late.
    if (isFirst) {
      poll.next.push(page.nextSince)
      if (page.etag !== undefined) poll.tags.set(part, page.etag)
    }
    this.#apply(part, poll, page)
    if (this.#goesOn(poll, page)) return false
    poll.left.shift()
    if (this.#options.kind.endsPolls && part === "records" && page.unchanged) {
      for (const other of poll.left.splice(0)) this.#keepTag(other, poll)
    }
    const [next] = poll.left
    if (next === undefined) this.#finish(poll)
    else Object.assign(poll, this.#firstPlace(next))
    return next === undefined
  }

  /** Reads until a poll is finished. */
  async poll(): Promise<void> {
    while (!await this.read());
  }

  #resync(): void {
    this.resyncs++
    this.beginAgain()
  }

  #keepTag(part: Part, { tags }: Poll): void {
    const tag = this.#stored?.tags.get(part)
    if (tag !== undefined) tags.set(part, tag)
  }

  async #skips(): Promise<boolean> {
    const { polls } = this.#options.kind
    const stored = this.#stored
    if (polls === undefined || !stored) return false
    const event = await this.#source.event?.()
    if (!event) throw new TypeError("the source has no list of events")
    const changed = event.changed ?? -Infinity
    if (polls === ">" ? changed > stored.since : changed >= stored.since) return false
    this.#stored = { ...stored, since: event.nextSince }
    return true
  }

  #begin(): Poll {
    const left = this.#stored ? [...this.#options.parts] : ["records" as const]
    return {
      left,
      seen: this.#stored ? undefined : new Set(),
      next: [],
      tags: new Map(),
      fields: this.#stored?.fields,
      newest: -1,
      ...this.#firstPlace(left[0] as Part),
    }
  }

  #firstPlace(part: Part): Pick<Poll, "place" | "offset"> {
    const { kind, limit } = this.#options
    const etag = kind.sendsTags ? this.#stored?.tags.get(part) : undefined
    return { place: { since: this.#stored?.since ?? -1, offset: 0, limit, etag }, offset: 0 }
  }

  #apply(part: Part, poll: Poll, { rows }: ReadPage): void {
    if ("link" in poll.place && rows.length === 0) this.linkedToNothing++
    for (const row of rows) {
      if (part === "deletions") this.copy.delete(keyOf(row))
      else this.copy.put(row)
      poll.seen?.add(keyOf(row))
    }
    // A later page may show a new record of one category that is newer than unread ones of another.
    if (part === "records" && (poll.offset === 0 || !this.#options.isBundle)) {
      poll.newest = Math.max(poll.newest, ...rows.map(({ updated }) => updated))
    }
  }

  /** Moves to the next page of the walk. Returns false if there is none. */
  #goesOn(poll: Poll, { link, rows, unchanged }: ReadPage): boolean {
    const { kind: { by }, limit } = this.#options
    const { place } = poll
    if (unchanged || (by === "cursor" ? link === undefined : rows.length === 0)) return false
    poll.offset += limit
    poll.place = by === "cursor"
      ? { link: link as string }
      : { since: -1, limit, ...place, offset: poll.offset, etag: undefined }
    return true
  }

  #finish({ seen, next, tags, fields, newest }: Poll): void {
    const { keeps } = this.#options.kind
    if (seen) { for (const key of this.copy.keys()) if (!seen.has(key)) this.copy.delete(key) }
    const since = keeps === "Next-Since"
      ? Math.min(...next)
      : Math.max(newest, this.#stored?.since ?? -1)
    this.#stored = { since, tags, fields }
    this.#poll = undefined
  }
}
