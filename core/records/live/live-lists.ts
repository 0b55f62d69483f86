import { LRUCache } from "lru-cache"
import type { Category } from "../categories.ts"
import { LiveRecords } from "./live-records.ts"

/** Approximate memory per key, in bytes. */
const bytesPerKey = 256

/**
 * Milliseconds after which lists are read anew. What no trigger sees, such as `truncate`, is in no log; a page that is read
 * shows it, so lists must do so after some time.
 */
const longestLife = 10 * 60_000

/** Lists of events in memory. Those that were not read for the longest time are dropped. */
export class LiveLists {
  readonly #kept: LRUCache<string, LiveRecords>
  readonly #bytes: number

  /** `bytes` is about how much memory they may take. */
  constructor(bytes: number) {
    this.#bytes = bytes
    this.#kept = new LRUCache({
      maxSize: bytes,
      sizeCalculation: bytesOf,
    })
  }

  /** About how many bytes are in use. */
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

  /** Returns an event's lists of some categories; undefined if they are not in memory. */
  get(eventId: string, categories: readonly Category[]): LiveRecords | undefined {
    const records = this.#kept.get(nameOf(eventId, categories))
    if (!records || performance.now() - records.began < longestLife) return records
    this.drop(eventId, categories, records)
    return undefined
  }

  /** Keeps lists, or what has been added to them. */
  keep(eventId: string, categories: readonly Category[], records: LiveRecords): void {
    const name = nameOf(eventId, categories)
    // Setting a value that is there would not count it anew.
    this.#kept.delete(name)
    this.#kept.set(name, records)
  }

  /** Drops lists, unless others have taken their place. */
  drop(eventId: string, categories: readonly Category[], records: LiveRecords): void {
    const name = nameOf(eventId, categories)
    if (this.#kept.peek(name) === records) this.#kept.delete(name)
  }
}

/** Returns the name of an event's lists of some categories. */
export function nameOf(eventId: string, categories: readonly Category[]): string {
  return `${eventId} ${categories[0]}`
}

function bytesOf({ keys, textBytes }: LiveRecords): number {
  return 4096 + bytesPerKey * keys + textBytes
}
