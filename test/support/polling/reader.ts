/** A record as it was read. */
export type Copied = Readonly<{ id: string; updated: number } & Record<string, unknown>>

/** One page of a walk. */
export interface ReadPage {
  /** With the category of each, so that bundles and plain lists look the same. */
  readonly records: readonly Copied[]
  readonly nextSince: number
  /** The address of the next page, where there is one. */
  readonly link: string | undefined
}

/** Where a reader reads: by offset, or from the address that a page before named. */
export interface Source {
  page(list: List, at: Place): Promise<ReadPage>
}
export type List = "records" | "deletions"
export type Place =
  | { readonly link: string }
  | { readonly since: number | undefined; readonly offset: number; readonly limit: number }

export interface ReaderKind {
  readonly by: "offset" | "cursor"
  /** What it sends as its next `since`. */
  readonly keeps: "max(updated)" | "Next-Since"
}

interface WalkState {
  readonly list: List
  readonly place: Place
  readonly offset: number
}

/**
 * A partner that keeps a copy: it polls the records, and the deletions where the source has them,
 * a page at a time, and applies what it reads in the order in which it reads it.
 */
export class Reader {
  readonly copy = new Map<string, Copied>()
  readonly #source: Source
  readonly #kind: ReaderKind
  readonly #limit: number
  readonly #lists: readonly List[]
  readonly #bundle: boolean
  /** What outlives a crash, besides the copy. */
  #since: number | undefined
  #walk: WalkState | undefined
  #left: List[] = []
  #next: number[] = []
  #newest = -1

  constructor(
    source: Source,
    { kind, limit, lists, bundle }: {
      readonly kind: ReaderKind
      readonly limit: number
      readonly lists: readonly List[]
      /** True of bundles: there the largest `updated` is taken from the first page alone. */
      readonly bundle: boolean
    },
  ) {
    this.#source = source
    this.#kind = kind
    this.#limit = limit
    this.#lists = lists
    this.#bundle = bundle
  }

  /** Forgets everything but the copy and the `since` of the last finished poll. */
  crash(): void {
    this.#walk = undefined
    this.#left = []
    this.#next = []
    this.#newest = -1
  }

  /** Reads one page. Answers true where that finished a poll. */
  async read(): Promise<boolean> {
    if (!this.#walk && this.#left.length === 0) this.#left = [...this.#lists]
    const walk = this.#walk ?? this.#start(this.#left.shift() as List)
    const page = await this.#source.page(walk.list, walk.place)
    for (const record of page.records) this.#apply(walk.list, record)
    // A later page may show what is new in one category, while another's is behind the reader.
    if (walk.list === "records" && (walk.offset === 0 || !this.#bundle)) {
      this.#newest = Math.max(this.#newest, ...page.records.map(({ updated }) => updated))
    }
    // The first page of a walk counts: that of a later one would be too late.
    if (walk.offset === 0) this.#next.push(page.nextSince)
    this.#walk = this.#following(walk, page)
    if (this.#walk || this.#left.length > 0) return false
    const kept = this.#kind.keeps === "Next-Since" ? Math.min(...this.#next) : this.#newest
    this.#since = Math.max(kept, this.#kind.keeps === "Next-Since" ? kept : this.#since ?? -1)
    this.crash()
    return true
  }

  /** Reads until a poll is finished. */
  async poll(): Promise<void> {
    while (!await this.read());
  }

  #start(list: List): WalkState {
    // A first poll has nothing to delete, and asks for the deletions that are known.
    const since = this.#since ?? (list === "records" ? -1 : undefined)
    return { list, place: { since, offset: 0, limit: this.#limit }, offset: 0 }
  }

  #following({ list, place, offset }: WalkState, page: ReadPage): WalkState | undefined {
    const next = offset + this.#limit
    if (this.#kind.by === "cursor") {
      return page.link === undefined
        ? undefined
        : { list, place: { link: page.link }, offset: next }
    }
    if (page.records.length === 0 || "link" in place) return undefined
    return { list, place: { ...place, offset: next }, offset: next }
  }

  #apply(list: List, record: Copied): void {
    if (list === "deletions") {
      this.copy.delete(record.id)
    } else {
      this.copy.set(record.id, record)
    }
  }
}
