import { LRUCache } from "lru-cache"
import type { LiveRecords } from "./live-records.ts"

/** Approximate memory per key, in bytes. */
const bytesPerKey = 256

/**
 * Milliseconds after which lists are read again: they must come to show changes that no trigger has logged, such as
 * `truncate`.
 */
const longestLife = 10 * 60_000

/** Lists of events in memory. The least recently used are dropped. */
export class LiveLists {
  readonly #kept: LRUCache<string, LiveRecords>
  readonly #bytes: number

  /** `bytes` is the memory that they may take, approximately. */
  constructor(bytes: number) {
    this.#bytes = bytes
    this.#kept = new LRUCache({
      maxSize: bytes,
      sizeCalculation: bytesOf,
    })
  }

  /** The bytes in use, approximately. */
  get bytes(): number {
    return this.#kept.calculatedSize
  }

  /** The most records of an event's lists that may be known. */
  get most(): number {
    return this.#bytes / bytesPerKey
  }

  /** True if there is memory for lists with their texts. */
  haveRoomFor(records: LiveRecords): boolean {
    return bytesOf(records) <= this.#bytes
  }

  /** Returns lists by their name; undefined if they are not in memory. */
  get(name: string): LiveRecords | undefined {
    const records = this.#kept.get(name)
    if (!records || performance.now() - records.began < longestLife) return records
    this.drop(records)
    return undefined
  }

  /** True if these lists are kept, and no others have taken their place. */
  has(records: LiveRecords): boolean {
    return this.#kept.peek(records.name) === records
  }

  /** Keeps lists, or what has been added to them. */
  keep(records: LiveRecords): void {
    // Setting a value again would not count it again.
    this.#kept.delete(records.name)
    this.#kept.set(records.name, records)
  }

  /** Drops lists, unless others have taken their place. */
  drop(records: LiveRecords): void {
    if (this.has(records)) this.#kept.delete(records.name)
  }
}

function bytesOf({ keys, textBytes }: LiveRecords): number {
  return 4096 + bytesPerKey * keys + textBytes
}
