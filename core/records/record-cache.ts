import { Buffer } from "node:buffer"
import type { EventChanges, Versions } from "../change-log/versions.ts"
import { boundedCache } from "../data/bounded-cache.ts"
import type { JsonText } from "./json-text.ts"
import type { Projection } from "./projection.ts"

/** Numbers of records of pages: those that were known, and those that were read. */
interface Counts {
  known: number
  read: number
}

/** The records of more lists than this are forgotten. */
const mostLists = 100_000

/** Encoded records by list, id and version. */
export class RecordCache {
  readonly #ring: Ring
  readonly #lists = boundedCache<CachedRecords>({ most: mostLists })
  readonly #projections = new WeakMap<Projection, number>()
  readonly #counts: Counts = { known: 0, read: 0 }
  #lastNumber = 0

  /** The system provides the memory as it is used. */
  constructor(bytes: number) {
    this.#ring = new Ring(bytes)
  }

  /** The bytes in use, and the records of all pages. */
  get numbers(): Readonly<Counts> & { readonly bytes: number } {
    return { bytes: this.#ring.used, ...this.#counts }
  }

  /** Returns the lists of an event as an admission has found it; undefined if there are none that count. */
  find(event: EventChanges | undefined, versions: Pick<Versions, "epochOf">) {
    const epoch = event && versions.epochOf(event)
    return event && epoch !== undefined ? this.of(event.id, epoch) : undefined
  }

  /** Returns the lists of an event. Within an `epoch`, a version of a record stands for one content. */
  of(eventId: string, epoch: string): (projection: Projection) => CachedRecords {
    return (projection) => {
      const shape = this.#projections.get(projection) ?? ++this.#lastNumber
      this.#projections.set(projection, shape)
      const name = `${shape} ${epoch} ${eventId}`
      const list = this.#lists.get(name) ??
        new CachedRecords(this.#ring, ++this.#lastNumber, this.#counts)
      this.#lists.set(name, list)
      return list
    }
  }
}

/** The encoded records of an event, as one projection lets them through. */
export class CachedRecords {
  readonly #ring: Ring
  readonly #number: number
  readonly #total: Counts
  #isWarm = false

  constructor(ring: Ring, number: number, total: Counts) {
    this.#ring = ring
    this.#number = number
    this.#total = total
  }

  /** True if nine tenths of the last page were known, so that it pays to read the next one's keys first. */
  get isWarm(): boolean {
    return this.#isWarm
  }

  /** Appends a record to `text`. Returns false if it is not known. */
  write(id: string, version: number, text: JsonText): boolean {
    const place = this.find(id, version)
    return place !== undefined && this.copy(place, text)
  }

  /** Returns the place of a record, for `copy`; undefined if it is not known. */
  find(id: string, version: number): number | undefined {
    return this.#ring.find({ list: this.#number, id, version })
  }

  /** Appends the record at a place to `text`. Returns false if it is no longer there. */
  copy(place: number, text: JsonText): boolean {
    return this.#ring.copy(place, text)
  }

  /** Keeps a record, as JSON, for some time. Returns false if it was known. */
  add(id: string, version: number, json: Uint8Array): boolean {
    return this.#ring.add({ list: this.#number, id, version }, json)
  }

  count({ known, read }: Readonly<Counts>): void {
    this.#isWarm = known >= 9 * read
    this.#total.known += known
    this.#total.read += read
  }
}

interface Key {
  readonly list: number
  readonly id: string
  readonly version: number
}

/** An entry begins with its list and the lengths of its id and JSON (4 bytes each), its version and `next` (8 each). */
const headerSize = 32
/** There is one chain for so many bytes. */
const bytesPerChain = 256

/**
 * Entries in memory that the garbage collector does not look at. An entry overwrites the oldest ones.
 *
 * Entries whose keys have the same hash form a chain, from the newest to the oldest. A place in a chain is the
 * number of bytes that were written before the entry; a chain ends where that has been overwritten since.
 */
class Ring {
  readonly #bytes: Buffer
  readonly #integers: Uint32Array
  readonly #doubles: Float64Array
  /** The newest entry of each chain. */
  readonly #newest: Float64Array
  /** The number of bytes that were ever written. */
  #written = 0

  constructor(bytes: number) {
    const memory = new ArrayBuffer(bytes - bytes % 8)
    this.#bytes = Buffer.from(memory)
    this.#integers = new Uint32Array(memory)
    this.#doubles = new Float64Array(memory)
    this.#newest = new Float64Array(Math.ceil(bytes / bytesPerChain)).fill(-Infinity)
  }

  get used(): number {
    return Math.min(this.#written, this.#bytes.byteLength)
  }

  /** Returns the place of an entry: the number of bytes that were written before it. */
  find(key: Key): number | undefined {
    return this.#find(key, this.#chainOf(key))
  }

  /** Appends the entry at a place to `text`. Returns false if it has been overwritten. */
  copy(place: number, text: JsonText): boolean {
    if (!this.#isThere(place)) return false
    const start = place % this.#bytes.byteLength
    const json = start + headerSize + (this.#integers[start / 4 + 1] as number)
    text.copy(this.#bytes, json, json + (this.#integers[start / 4 + 2] as number))
    return true
  }

  /** Adds an entry. Returns false if it is there. */
  add(key: Key, json: Uint8Array): boolean {
    const { list, id, version } = key
    const size = this.#bytes.byteLength
    const length = 8 * Math.ceil((headerSize + id.length + json.byteLength) / 8)
    const chain = this.#chainOf(key)
    if (this.#find(key, chain) !== undefined) return false
    if (length > size / 8 || !isKept(key)) return true
    let start = this.#written % size
    if (start + length > size) {
      this.#written += size - start
      start = 0
    }
    this.#integers[start / 4] = list
    this.#integers[start / 4 + 1] = id.length
    this.#integers[start / 4 + 2] = json.byteLength
    this.#doubles[start / 8 + 2] = version
    this.#doubles[start / 8 + 3] = this.#newest[chain] as number
    this.#bytes.write(id, start + headerSize, "latin1")
    this.#bytes.set(json, start + headerSize + id.length)
    this.#newest[chain] = this.#written
    this.#written += length
    return true
  }

  #find(key: Key, chain: number): number | undefined {
    for (let place = this.#newest[chain] as number; this.#isThere(place);) {
      const start = place % this.#bytes.byteLength
      if (this.#isAt(start, key)) return place
      place = this.#doubles[start / 8 + 3] as number
    }
    return undefined
  }

  /** True if what was written at a place has not been overwritten. */
  #isThere(place: number): boolean {
    return place >= this.#written - this.#bytes.byteLength
  }

  #isAt(start: number, { list, id, version }: Key): boolean {
    if (this.#doubles[start / 8 + 2] !== version) return false
    if (this.#integers[start / 4] !== list || this.#integers[start / 4 + 1] !== id.length) {
      return false
    }
    for (let at = 0; at < id.length; at++) {
      if (this.#bytes[start + headerSize + at] !== id.charCodeAt(at)) return false
    }
    return true
  }

  /** Versions are random, but those of records that have not changed since the column was added are 0. */
  #chainOf({ list, id, version }: Key): number {
    let hash = list ^ version
    for (let at = 0; version === 0 && at < id.length; at++) {
      hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
    }
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
    return ((hash ^ (hash >>> 13)) >>> 0) % this.#newest.length
  }
}

/** Returns true if a key is kept as it is: one byte for each letter, and no rounding. */
function isKept({ id, version }: Key): boolean {
  return Number.isSafeInteger(version) && Buffer.byteLength(id) === id.length
}
