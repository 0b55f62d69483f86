import { Buffer } from "node:buffer"

const smallest = 64 * 1024
/** Memory above this many bytes is released after each use. */
const muchMemory = 8 * 1024 * 1024

/** A growing text in UTF-8. Its memory is used again, so a text must be taken before the next one begins. */
export class JsonText {
  #bytes = Buffer.allocUnsafeSlow(smallest)
  #end = 0

  /** The number of bytes so far. */
  get end(): number {
    return this.#end
  }

  /** Appends text. */
  write(text: string): void {
    this.#reserve(3 * text.length)
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

  /** Returns the bytes from `start` on. They are valid until the text goes on. */
  from(start: number): Uint8Array {
    return this.#bytes.subarray(start, this.#end)
  }

  /** Returns the text, and begins a new one. */
  take(): Buffer<ArrayBuffer> {
    const taken = Buffer.from(this.#bytes.subarray(0, this.#end))
    this.clear()
    return taken
  }

  /** Begins a new text. */
  clear(): void {
    this.#end = 0
    if (this.#bytes.byteLength > muchMemory) this.#bytes = Buffer.allocUnsafeSlow(smallest)
  }

  #reserve(most: number): void {
    if (this.#end + most <= this.#bytes.byteLength) return
    const grown = Buffer.allocUnsafeSlow(2 * (this.#end + most))
    this.#bytes.copy(grown, 0, 0, this.#end)
    this.#bytes = grown
  }
}
