import { Buffer } from "node:buffer"
import { promisify } from "node:util"
import zlib from "node:zlib"
import { LRUCache } from "lru-cache"
import type { Bytes } from "../http/slabs.ts"

/** A run of bytes that was seen before, and what it is in a gzip file. */
interface Kept {
  readonly bytes: Buffer
  readonly deflated: Buffer
  readonly crc: number
  /** Moves a checksum over so many bytes: x to the power of their bits, modulo the polynomial of CRC-32. */
  readonly shift: number
}

/** Bodies of fewer bytes are not worth it. */
export const smallestSpliced = 64 * 1024
/** Bytes of a segment by which it is looked for, at its start and at its end. */
const keyLength = 48
/** What an entry takes besides its bytes. */
const entrySize = 500

/**
 * Compresses bodies that are mostly as earlier ones. They are cut into segments, which are compressed on their own. Those
 * that come a second time are kept, together with their bytes: where a body has equal bytes, it takes what was kept.
 */
export class Splicer {
  /** Of segments that came once, there is only the key: most of them do not come again. */
  readonly #seen: LRUCache<string, Kept | "once">

  /** `bytes` is how much may be kept. */
  constructor(bytes: number) {
    this.#seen = new LRUCache({
      maxSize: bytes,
      // In gzip, it has half of the memory, if not of random bytes.
      sizeCalculation: (seen) =>
        entrySize + (seen === "once" ? 0 : Math.ceil(1.5 * seen.bytes.byteLength)),
    })
  }

  /** The bytes that are kept. */
  get size(): number {
    return this.#seen.calculatedSize
  }

  /** Returns a body as gzip; undefined if much of it is new, because then it is faster to compress it as a whole. */
  gzip(bytes: Bytes, borders: readonly number[]): Promise<Bytes> | undefined {
    if (borders.length === 0) return undefined
    const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const segments = [...borders, body.byteLength].map((end, index, ends) => {
      const bytes = body.subarray(ends[index - 1] ?? 0, end)
      const key = keyOf(bytes)
      return { bytes, key, seen: this.#seen.get(key) }
    })
    let unseen = 0
    for (const { bytes, key, seen } of segments) {
      if (seen !== undefined) continue
      unseen += bytes.byteLength
      this.#seen.set(key, "once")
    }
    if (unseen > body.byteLength / 4) return undefined
    return Promise.all(
      segments.map(({ bytes, key, seen }) =>
        typeof seen === "object" && seen.bytes.equals(bytes) ? seen : this.#keep(key, bytes)
      ),
    ).then(join)
  }

  async #keep(key: string, original: Buffer): Promise<Kept> {
    const bytes = Buffer.from(original)
    const chunkSize = Math.max(1024, Math.ceil(bytes.byteLength / 2))
    const kept = {
      bytes,
      deflated: await deflate(bytes, { level: 1, finishFlush, chunkSize }),
      crc: zlib.crc32(bytes),
      shift: shiftOf(bytes.byteLength),
    }
    this.#seen.set(key, kept)
    return kept
  }
}

/** Returns what few segments have in common. */
function keyOf(bytes: Buffer): string {
  const { byteLength } = bytes
  const start = bytes.toString("latin1", 0, keyLength)
  return `${byteLength}${start}${bytes.toString("latin1", Math.max(0, byteLength - keyLength))}`
}

const { Z_FULL_FLUSH: finishFlush } = zlib.constants
const deflate = promisify(zlib.deflateRaw)

/** Without a name and a time, by an unknown system (RFC 1952, 2.3). */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 0xff])

/** Returns one member, because many clients read only the first. */
function join(segments: readonly Kept[]): Bytes {
  // An empty last block, the checksum and the length.
  const trailer = Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  const crc = segments.reduce((crc, segment) => multiply(segment.shift, crc) ^ segment.crc, 0)
  trailer.writeInt32LE(crc, 2)
  trailer.writeInt32LE(segments.reduce((sum, { bytes }) => sum + bytes.byteLength, 0) | 0, 6)
  return Buffer.concat([header, ...segments.map(({ deflated }) => deflated), trailer])
}

/** Multiplies polynomials over two elements, modulo that of CRC-32. Bit 31 belongs to x⁰. */
function multiply(one: number, other: number): number {
  let product = 0
  for (let left = one, power = other; left !== 0; left <<= 1) {
    if (left < 0) product ^= power
    power = power & 1 ? (power >>> 1) ^ 0xedb88320 : power >>> 1
  }
  return product
}

function shiftOf(length: number): number {
  let shift = 1 << 31
  for (let left = length, power = 1 << 23; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) shift = multiply(power, shift)
    power = multiply(power, power)
  }
  return shift
}
