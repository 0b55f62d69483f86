import { promisify } from "node:util"
import zlib from "node:zlib"
import type { Bytes } from "./answer.ts"

// The fastest levels: a page of 1,000 guests comes to less than a quarter in two to four milliseconds,
// and slower levels gain little.
const { BROTLI_PARAM_QUALITY: quality, ZSTD_c_compressionLevel: level } = zlib.constants

/** The encodings that are offered, the fastest first. */
const compressors = {
  zstd: (bytes: Bytes) => promisify(zlib.zstdCompress)(bytes, { params: { [level]: 1 } }),
  br: (bytes: Bytes) => promisify(zlib.brotliCompress)(bytes, { params: { [quality]: 1 } }),
  gzip: (bytes: Bytes) => promisify(zlib.gzip)(bytes, { level: 1 }),
} satisfies Record<string, (bytes: Bytes) => Promise<Bytes>>

export type Encoding = keyof typeof compressors

/** Bytes below which a body is sent as it is: it fits into one packet anyway. */
export const smallestCompressed = 1400

/**
 * The encoding to send to who sends this `Accept-Encoding` (RFC 9110, 12.5.3): the most wanted of
 * those that are offered; undefined where that is none.
 */
export function chooseEncoding(accept: string | null): Encoding | undefined {
  if (accept === null) return undefined
  const wanted = new Map<string, number>()
  for (const part of accept.toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim())
    const weight = parameters.find((text) => text.startsWith("q="))
    wanted.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  const weightOf = (name: string) => wanted.get(name) ?? wanted.get("*") ?? 0
  const [best] = (Object.keys(compressors) as Encoding[])
    .filter((name) => weightOf(name) > 0)
    .sort((a, b) => weightOf(b) - weightOf(a))
  return best && weightOf(best) >= (wanted.get("identity") ?? 0) ? best : undefined
}

/** Compresses off the main thread. */
export function compress(bytes: Bytes, encoding: Encoding): Promise<Bytes> {
  return compressors[encoding](bytes)
}
