/** A reader's copy of a record. */
export type RecordCopy = Readonly<{ id: string; updated: number } & Record<string, unknown>>

/** One page of a walk. */
export interface ReadPage {
  /** The records of all categories, so that bundles and plain lists look the same. */
  readonly records: readonly RecordCopy[]
  readonly nextSince: number
  /** The URL of the next page, if there is one. */
  readonly link: string | undefined
  /** The tag of the page, if the source gives it one. */
  readonly etag?: string | undefined
  /** True for a 304: the page has the tag that was sent. */
  readonly unchanged?: boolean
  /** True for a 410: the reader has to read everything again. */
  readonly isForgotten?: boolean
}

/** A source of pages, by offset or by the URL in a previous page. */
export interface Source {
  page(list: List, at: Place): Promise<ReadPage>
  /** Reads what the list of events says about the event. */
  event?(): Promise<ReadEvent>
}

/** What the list of events says about an event, and the `Next-Since` of the list. */
export interface ReadEvent {
  readonly changed: number | null
  readonly nextSince: number
}
export type List = "records" | "deletions"
export type Place =
  | { readonly link: string }
  | {
    readonly since: number | undefined
    readonly offset: number
    readonly limit: number
    /** The tag that the page had in an earlier walk. */
    readonly etag?: string | undefined
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

interface WalkState {
  readonly list: List
  readonly place: Place
  readonly offset: number
}

/**
 * A partner that keeps a copy. It polls the records, and the deletions if the source has them, one page
 * at a time, and applies them in the order of reading.
 */
export class Reader {
  readonly copy = new Map<string, RecordCopy>()
  readonly #source: Source
  readonly #kind: ReaderKind
  readonly #limit: number
  readonly #lists: readonly List[]
  readonly #bundle: boolean
  /** The `since` of the last finished poll. Survives a crash, like the copy. */
  #since: number | undefined
  /** The tags of the first pages of the last finished poll. They survive a crash, too. */
  #tags = new Map<List, string>()
  #walk: WalkState | undefined
  #left: List[] = []
  #next: number[] = []
  #nextTags = new Map<List, string>()
  #newest = -1
  #linkedToNothing = 0

  constructor(
    source: Source,
    { kind, limit, lists, bundle }: {
      readonly kind: ReaderKind
      readonly limit: number
      readonly lists: readonly List[]
      /** True for bundles, where only the first page counts for the largest `updated`. */
      readonly bundle: boolean
    },
  ) {
    this.#source = source
    this.#kind = kind
    this.#limit = limit
    this.#lists = lists
    this.#bundle = bundle
  }

  /** The number of pages so far that a `Link` led to although they are empty. */
  get linkedToNothing(): number {
    return this.#linkedToNothing
  }

  /** The `since` of the current poll, or of the next one. Undefined until a first poll has finished. */
  get since(): number | undefined {
    return this.#since
  }

  /** Forgets everything but the copy, and the `since` and the tags of the last finished poll. */
  crash(): void {
    this.#walk = undefined
    this.#left = []
    this.#next = []
    this.#nextTags = new Map()
    this.#newest = -1
  }

  /** Reads one page. Returns true if that finished a poll. If it fails, the next call repeats it. */
  async read(): Promise<boolean> {
    if (!this.#walk && this.#left.length === 0) {
      if (await this.#skips()) return true
      this.#left = [...this.#lists]
    }
    const walk = this.#walk ??= this.#start(this.#left.shift() as List)
    const page = await this.#source.page(walk.list, walk.place)
    if (page.isForgotten) {
      this.#beginAgain()
      return false
    }
    if ("link" in walk.place && page.records.length === 0) this.#linkedToNothing++
    for (const record of page.records) this.#apply(walk.list, record)
    // A later page may show a new record of one category that is newer than unread ones of another.
    if (walk.list === "records" && (walk.offset === 0 || !this.#bundle)) {
      this.#newest = Math.max(this.#newest, ...page.records.map(({ updated }) => updated))
    }
    // Only the first page of a walk counts: the value of a later page would be too late.
    if (walk.offset === 0) {
      this.#next.push(page.nextSince)
      if (page.etag !== undefined) this.#nextTags.set(walk.list, page.etag)
    }
    this.#walk = this.#following(walk, page)
    const endsPoll = this.#kind.endsPolls && walk.list === "records" && page.unchanged
    if (endsPoll) {
      for (const list of this.#left.splice(0)) this.#keepTag(list)
    }
    if (this.#walk || this.#left.length > 0) return false
    const kept = this.#kind.keeps === "Next-Since" ? Math.min(...this.#next) : this.#newest
    this.#since = Math.max(kept, this.#kind.keeps === "Next-Since" ? kept : this.#since ?? -1)
    this.#tags = this.#nextTags
    this.crash()
    return true
  }

  /** Reads until a poll is finished. */
  async poll(): Promise<void> {
    while (!await this.read());
  }

  #keepTag(list: List): void {
    const tag = this.#tags.get(list)
    if (tag !== undefined) this.#nextTags.set(list, tag)
  }

  #beginAgain(): void {
    this.copy.clear()
    this.#since = undefined
    this.#tags = new Map()
    this.crash()
  }

  async #skips(): Promise<boolean> {
    const { polls } = this.#kind
    if (polls === undefined || this.#since === undefined) return false
    const event = await this.#source.event?.()
    if (!event) throw new TypeError("the source has no list of events")
    const changed = event.changed ?? -Infinity
    if (polls === ">" ? changed > this.#since : changed >= this.#since) return false
    this.#since = event.nextSince
    return true
  }

  #start(list: List): WalkState {
    // A first poll has nothing to delete, and requests all known deletions.
    const since = this.#since ?? (list === "records" ? -1 : undefined)
    const etag = this.#kind.sendsTags ? this.#tags.get(list) : undefined
    return { list, place: { since, offset: 0, limit: this.#limit, etag }, offset: 0 }
  }

  #following({ list, place, offset }: WalkState, page: ReadPage): WalkState | undefined {
    if (page.unchanged) return undefined
    const next = offset + this.#limit
    if (this.#kind.by === "cursor") {
      return page.link === undefined
        ? undefined
        : { list, place: { link: page.link }, offset: next }
    }
    if (page.records.length === 0 || "link" in place) return undefined
    return { list, place: { ...place, offset: next, etag: undefined }, offset: next }
  }

  #apply(list: List, record: RecordCopy): void {
    if (list === "deletions") {
      this.copy.delete(record.id)
    } else {
      this.copy.set(record.id, record)
    }
  }
}
