import { beginning, type Position } from "../../../core/lists.ts"

/** The key of a record. */
export interface Key {
  readonly id: string
  /** Its `updated`. */
  readonly time: number
  readonly version: number
}

/** A record at some version of a list. A changed record gets a new entry. */
export interface ListEntry extends Key {
  /** The record as JSON, by the number of the projection. */
  json: string[] | undefined
  /** What `q` searches, by the number of the projection. */
  searched: string[] | undefined
}

/** The texts that are kept of records. */
type TextKind = "json" | "searched"

/** The place that a deleted record keeps in its list. */
export interface Vacancy {
  readonly id: string
  /** The last `updated` of the record. */
  readonly time: number
  /** When it was deleted. */
  readonly at: number
}

/** Consecutive records of a list. */
export interface Slice {
  /** Oldest first. */
  readonly entries: readonly ListEntry[]
  /** The position of the last record, if more follow. */
  readonly next: Position | undefined
}

/** A list in memory: the keys of its records, from the newest one to the oldest one that was needed, and their texts. */
export class LiveList {
  /** Oldest first: changed records are added at the end. */
  #entries: ListEntry[] = []
  readonly #byId = new Map<string, ListEntry>()
  /** The oldest position from which all records are known; undefined if all are. */
  #floor: Position | undefined = beginning
  /** Newest first; undefined if they are not known. */
  #vacancies: readonly Vacancy[] | undefined
  #textBytes = 0

  /** The number of records that are known. */
  get size(): number {
    return this.#entries.length
  }

  /** The oldest position from which all records are known; undefined if all are. */
  get floor(): Position | undefined {
    return this.#floor
  }

  /** All known records, oldest first. */
  get entries(): readonly ListEntry[] {
    return this.#entries
  }

  /** The places of deleted records, newest first; undefined until they are set, and after a deletion. */
  get vacancies(): readonly Vacancy[] | undefined {
    return this.#vacancies
  }

  set vacancies(known: readonly Vacancy[] | undefined) {
    this.#vacancies = known
  }

  /** About how many bytes the records as JSON and the texts for `q` take. */
  get textBytes(): number {
    return this.#textBytes
  }

  /** Keeps a text of a record. If the record has changed meanwhile, its entry is in no list, and does not count. */
  keep(entry: ListEntry, kind: TextKind, number: number, text: string): void {
    if (entry[kind]?.[number] !== undefined) return
    entry[kind] ??= []
    entry[kind][number] = text
    if (this.#byId.get(entry.id) === entry) this.#textBytes += bytesOf([text])
  }

  /** Forgets all texts. */
  forgetTexts(): void {
    for (const entry of this.#entries) entry.json = entry.searched = undefined
    this.#textBytes = 0
  }

  /** Returns a list with only the chosen records since `since`, newest first, at most `most`. */
  filter(since: number, most: number, isChosen: (entry: ListEntry) => boolean): LiveList {
    const first = this.countOlder([since, ""])
    const found: ListEntry[] = []
    for (let index = this.size - 1; index >= first && found.length < most; index--) {
      const entry = this.#entries[index] as ListEntry
      if (isChosen(entry)) found.push(entry)
    }
    const list = new LiveList()
    list.#entries = found.reverse()
    list.#floor = undefined
    list.#vacancies = this.#vacancies
    return list
  }

  /** Adds the records that follow the floor, newest first; `isEnd` if there are no others. */
  extend(found: readonly Key[], isEnd: boolean): void {
    const older = found.map((key): ListEntry => ({ ...blank, ...key })).reverse()
    for (const entry of older) this.#byId.set(entry.id, entry)
    this.#entries = [...older, ...this.#entries]
    const [oldest] = older
    if (isEnd) this.#floor = undefined
    else if (oldest) this.#floor = [oldest.time, oldest.id]
  }

  /** Gives a record another key; undefined if it is gone. */
  set(id: string, key: Omit<Key, "id"> | undefined): void {
    const former = this.#byId.get(id)
    if (former) {
      this.#entries.splice(this.countOlder([former.time, id]), 1)
      this.#byId.delete(id)
      this.#textBytes -= bytesOf(former.json ?? []) + bytesOf(former.searched ?? [])
    }
    if (!key || !this.isKnownAt([key.time, id])) return
    const entry: ListEntry = { ...blank, id, ...key }
    this.#entries.splice(this.countOlder([key.time, id]), 0, entry)
    this.#byId.set(id, entry)
  }

  /** True if the record at a position and all newer ones are known. */
  isKnownAt([time, id]: Position): boolean {
    const floor = this.#floor
    return !floor || time > floor[0] || (time === floor[0] && id >= floor[1])
  }

  /** Counts the known records that are older than a position. */
  countOlder([time, id]: Position): number {
    let [low, high] = [0, this.#entries.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const each = this.#entries[middle] as ListEntry
      if (each.time < time || (each.time === time && each.id < id)) low = middle + 1
      else high = middle
    }
    return low
  }

  /**
   * Returns up to `limit` records since `since`: the newest of the `count` oldest known ones. Undefined if that takes records
   * that are not known.
   */
  slice(count: number, since: number, limit: number): Slice | undefined {
    const first = this.countOlder([since, ""])
    const start = Math.max(first, count - limit)
    const goesOn = count - limit > first
    const isKnown = goesOn || first > 0 || !this.#floor || this.#floor[0] < since
    if (!isKnown) return undefined
    const entries = this.#entries.slice(start, count)
    const [last] = entries
    return { entries, next: goesOn && last ? [last.time, last.id] : undefined }
  }
}

/** Entries of one shape are faster to go through. */
const blank = { json: undefined, searched: undefined }

/** JavaScript keeps a text in one byte per character, or in two if one character is not Latin-1. Skips missing texts. */
function bytesOf(texts: readonly string[]): number {
  const size = (text: string) => /^[\0-\xff]*$/.test(text) ? text.length : 2 * text.length
  return texts.reduce((sum, text) => sum + 40 + size(text), 0)
}
