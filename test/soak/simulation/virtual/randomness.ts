import { Buffer } from "node:buffer"
import { createRequire, syncBuiltinESMExports } from "node:module"
import { Random } from "../../../support/random.ts"

const require = createRequire(import.meta.url)

type Done = (error: null, bytes: Buffer) => void

/**
 * Makes all random numbers of this process come from one seed. Each function has a sequence of its own: modules may keep
 * some of its numbers for later, also for the next world.
 */
export class Randomness {
  #seed = 1
  readonly #sequences = new Map<string, Random>()

  reset(seed: number): void {
    this.#seed = seed
    this.#sequences.clear()
  }

  /** Returns a number of at most 52 bits, as SQLite's `random()` may. */
  integer(): bigint {
    const random = this.#of("integer")
    return BigInt(random.below(2 ** 32)) * 1_048_576n + BigInt(random.below(2 ** 20))
  }

  #of(name: string): Random {
    const known = this.#sequences.get(name) ?? new Random(this.#seed + 0x9e37 * name.length)
    this.#sequences.set(name, known)
    return known
  }

  #bytes(name: string, length: number): Buffer {
    const random = this.#of(name)
    const bytes = Buffer.alloc(length)
    for (let index = 0; index < length; index++) bytes[index] = random.below(256)
    return bytes
  }

  install(): void {
    const fill = <T extends ArrayBufferView>(view: T): T => {
      const { buffer, byteOffset, byteLength } = view
      new Uint8Array(buffer, byteOffset, byteLength).set(this.#bytes("fill", byteLength))
      return view
    }
    const answer = (bytes: Buffer, done?: Done) => {
      if (!done) return bytes
      queueMicrotask(() => done(null, bytes))
    }
    const newId = () => {
      const hex = this.#bytes("id", 16).toString("hex")
      const parts = [
        hex.slice(0, 8),
        hex.slice(8, 12),
        `4${hex.slice(13, 16)}`,
        `a${hex.slice(17, 20)}`,
      ]
      return [...parts, hex.slice(20)].join("-")
    }
    Math.random = () => this.#of("fraction").below(2 ** 32) / 2 ** 32
    Object.assign(require("node:crypto"), {
      randomBytes: (length: number, done?: Done) => answer(this.#bytes("bytes", length), done),
      randomFillSync: fill,
      randomUUID: newId,
      randomInt: (least: number, bound?: number) =>
        bound === undefined
          ? this.#of("int").below(least)
          : least + this.#of("int").below(bound - least),
    })
    Object.defineProperty(crypto, "randomUUID", { value: newId })
    Object.defineProperty(crypto, "getRandomValues", { value: fill })
    syncBuiltinESMExports()
  }
}
