import { Buffer } from "node:buffer"
import { type Body, type Slab, slabs } from "../http/slabs.ts"

const smallest = 64 * 1024
/** Memory above this many bytes is released after each use. */
const muchMemory = 8 * 1024 * 1024

/** A text, and the places at which it may be cut so that its parts come again in others (`Splicer`). */
export interface Text extends Body {
  readonly borders: readonly number[]
}

/** A growing text in UTF-8. Its memory is used again, so a text must be taken before the next one begins. */
export class JsonText {
  #slab: Slab
  #bytes: Buffer<ArrayBuffer>
  #end = 0
  #borders: number[] = []

  constructor() {
    this.#slab = slabs.take(smallest)
    this.#bytes = this.#slab.bytes
  }

  /** The number of bytes so far. */
  get end(): number {
    return this.#end
  }

  write(text: string): void {
    // Counting the bytes takes time, so it is left out if there is room for the most.
    if (this.#end + 3 * text.length > this.#bytes.byteLength) this.#reserve(Buffer.byteLength(text))
    this.#end += this.#bytes.write(text, this.#end)
  }

  /** Appends a letter of ASCII. */
  writeLetter(code: number): void {
    this.#reserve(1)
    this.#bytes[this.#end++] = code
  }

  /** Replaces a letter of ASCII by another. */
  replaceLetter(at: number, code: number): void {
    this.#bytes[at] = code
  }

  /** Appends bytes of another memory. */
  copy(source: Buffer, start: number, end: number): void {
    this.#reserve(end - start)
    source.copy(this.#bytes, this.#end, start, end)
    this.#end += end - start
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.byteLength)
    this.#bytes.set(bytes, this.#end)
    this.#end += bytes.byteLength
  }

  /** Says that the record with an id ends here. After one of 32 ids there is a border: records have it wherever they are. */
  endRecord(id: string): void {
    if (isLast(id)) this.#borders.push(this.#end)
  }

  /** Returns the bytes from `start` on. They are valid until the text goes on. */
  from(start: number): Uint8Array {
    return this.#bytes.subarray(start, this.#end)
  }

  /** Returns the text, and begins a new one. The caller owns its slab, if it is in one. */
  take(): Text {
    const bytes = this.#bytes.subarray(0, this.#end)
    const size = this.#bytes.byteLength
    const borders = this.#borders
    this.#borders = []
    this.#end = 0
    // Little is not worth a slab, and a slab should not be much larger than what is in it.
    if (bytes.byteLength <= smallest / 2) return { bytes: Buffer.from(bytes), borders }
    if (bytes.byteLength <= size / 2) {
      const fitting = slabs.take(bytes.byteLength)
      bytes.copy(fitting.bytes)
      return { bytes: fitting.bytes.subarray(0, bytes.byteLength), slab: fitting, borders }
    }
    const slab = this.#slab
    this.#use(size > muchMemory ? smallest : size)
    return { bytes, slab, borders }
  }

  clear(): void {
    this.#end = 0
    this.#borders = []
    if (this.#bytes.byteLength <= muchMemory) return
    this.#slab.giveBack()
    this.#use(smallest)
  }

  #reserve(most: number): void {
    if (this.#end + most <= this.#bytes.byteLength) return
    const [slab, bytes] = [this.#slab, this.#bytes]
    this.#use(this.#end + most)
    bytes.copy(this.#bytes, 0, 0, this.#end)
    slab.giveBack()
  }

  #use(least: number): void {
    this.#slab = slabs.take(least)
    this.#bytes = this.#slab.bytes
  }
}

/** True for one of 32 UUIDs, whether they are random or of the time: at least the first part or the last one differs. */
function isLast(id: string): boolean {
  return sumOf(id, 7, 35) % 16 === 0 && sumOf(id, 6, 34) % 2 === 0
}

/** Adds two hexadecimal digits. */
function sumOf(id: string, one: number, other: number): number {
  const [first, second] = [id.charCodeAt(one), id.charCodeAt(other)]
  return (first & 15) + 9 * (first >> 6) + (second & 15) + 9 * (second >> 6)
}
