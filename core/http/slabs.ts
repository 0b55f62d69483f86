import { Buffer } from "node:buffer"

/** The bytes of a body. They must not be changed. */
export type Bytes = Uint8Array<ArrayBuffer>

/** Bytes of the smallest slab, and of the largest one that is used again. All have a power of two. */
const [smallest, largest] = [64 * 1024, 8 * 1024 * 1024]

/** The bytes that wait to be used again, at most. */
const mostFree = 32 * 1024 * 1024

/**
 * Memory for one body, which is used again for others. It has one owner at a time, who hands it on together with the
 * body. The last one gives it back once nothing reads the body any more. If nobody does, the garbage collector frees it.
 */
export class Slab {
  /** All of the memory. Like everything that was made of it, it is empty once the slab was given back. */
  readonly bytes: Buffer<ArrayBuffer>
  readonly #pool: Slabs

  constructor(bytes: Buffer<ArrayBuffer>, pool: Slabs) {
    this.bytes = bytes
    this.#pool = pool
  }

  /** True once it was given back. */
  get isGone(): boolean {
    return this.bytes.buffer.detached
  }

  /** Gives the memory back. The system or a thread must not be reading it. Does nothing the second time. */
  giveBack(): void {
    if (!this.isGone) this.#pool.put(this.bytes.buffer)
  }

  /** Gives the memory back, and returns a copy of what was in a part of it, for whoever shares or keeps it. */
  replace(part: Bytes): Bytes {
    const copy = Buffer.from(part)
    this.giveBack()
    return copy
  }
}

/** A body, and the slab that it is in, if it is in one. */
export interface Body {
  readonly bytes: Bytes
  readonly slab?: Slab | undefined
}

/** Slabs that were given back. The oldest are freed when they are too many. */
export class Slabs {
  /** For tests: is called with memory that was given back. */
  onReturn: ((memory: Bytes) => void) | undefined
  /** The newest last. */
  readonly #free: ArrayBuffer[] = []
  #freeBytes = 0

  /** The bytes that wait to be used again. */
  get freeBytes(): number {
    return this.#freeBytes
  }

  /** Returns a slab of so many bytes or more. They are whatever they were before. */
  take(least: number): Slab {
    const size = Math.max(smallest, 2 ** Math.ceil(Math.log2(least)))
    const at = this.#free.findLastIndex(({ byteLength }) => byteLength === size)
    const [memory] = at < 0 ? [] : this.#free.splice(at, 1)
    if (!memory) return new Slab(Buffer.allocUnsafeSlow(size), this)
    this.#freeBytes -= size
    return new Slab(Buffer.from(memory), this)
  }

  /** Takes memory back from a slab. Whoever still has some of it finds it empty from now on. */
  put(memory: ArrayBuffer): void {
    this.onReturn?.(new Uint8Array(memory))
    // To no bytes, it is freed at once.
    if (memory.byteLength > largest) return void memory.transfer(0)
    this.#freeBytes += memory.byteLength
    this.#free.push(memory.transfer())
    while (this.#freeBytes > mostFree) {
      const oldest = this.#free.shift() as ArrayBuffer
      this.#freeBytes -= oldest.byteLength
      oldest.transfer(0)
    }
  }
}

/** The slabs of the process. */
export const slabs = new Slabs()
