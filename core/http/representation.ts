import { createHash } from "node:crypto"
import { promisify } from "node:util"
import zlib from "node:zlib"
import { type Answer, type Bytes, jsonType } from "./answer.ts"

/** JSON that can be sent in several encodings. */
export interface JsonContent {
  readonly bytes: Bytes
  /** Undefined if nothing tells whether a client's copy is current: then the answer is never 304. */
  readonly etag: string | undefined
  /** Called once nothing reads the bytes any more. */
  readonly release?: (() => void) | undefined
  /** The compressed forms that were needed so far. */
  readonly compressed: Partial<Record<Encoding, Promise<Bytes>>>
}

/**
 * Represents content in the encoding that a client prefers, or as 304 if the client has it. The answer has `release` if its
 * body is the bytes.
 */
export async function represent(
  content: JsonContent,
  headers: Readonly<Record<string, string>>,
  wanted: Headers,
): Promise<Answer> {
  const isSmall = content.bytes.byteLength < smallestCompressed
  const encoding = isSmall ? undefined : chooseEncoding(wanted.get("accept-encoding"))
  const etag = content.etag && encoding ? extendTag(content.etag, encoding) : content.etag
  const tag = etag === undefined ? {} : { etag }
  const { bytes, release } = content
  if (etag !== undefined && matchesEtag(wanted.get("if-none-match"), etag)) {
    release?.()
    return { status: 304, headers: { ...headers, ...tag }, body: null }
  }
  const fields = { ...jsonType, ...headers, ...tag }
  if (encoding === undefined) {
    return { status: 200, headers: { ...lengthOf(bytes), ...fields }, body: bytes, release }
  }
  const body = await (content.compressed[encoding] ??= compressors[encoding](bytes))
  release?.()
  const encoded = { "content-encoding": encoding }
  return { status: 200, headers: { ...lengthOf(body), ...fields, ...encoded }, body }
}

function lengthOf({ byteLength }: Bytes): { readonly "content-length": string } {
  return { "content-length": String(byteLength) }
}

/**
 * Returns the tag of another representation of the same content. The tag of a compressed one stands for the
 * uncompressed bytes: another version of the library may compress differently. Nobody combines parts of two, because
 * there are no ranges.
 */
export function extendTag(etag: string, suffix: string): string {
  return `${etag.slice(0, -1)}-${suffix}"`
}

/** A strong entity tag: equal for equal bytes. */
export function etagOf(bytes: Uint8Array): string {
  return `"${createHash("sha256").update(bytes).digest("base64url")}"`
}

/** Returns true if `If-None-Match` (a list of tags, weak or strong, or `*`) has the tag. */
export function matchesEtag(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false
  if (ifNoneMatch.trim() === "*") return true
  // Tags may contain commas, so the list is not split at commas.
  const tags = ifNoneMatch.matchAll(/(?:^|,)[ \t]*(?:W\/)?("[^"]*")[ \t]*(?=,|$)/g)
  return [...tags].some(([, tag]) => tag === etag)
}

// The fastest levels: they reduce a page of 1,000 guests to less than a quarter in two to four
// milliseconds, and slower levels gain little.
const { BROTLI_PARAM_QUALITY: quality, ZSTD_c_compressionLevel: level } = zlib.constants

const largestChunk = 64 * 1024

/** The main thread handles each chunk of output, so there are few, and none takes more than half of a body's memory. */
const inChunks = (bytes: Bytes) => ({
  chunkSize: Math.min(largestChunk, Math.ceil(bytes.byteLength / 2)),
})

/** The encodings that are offered, the fastest first. They compress off the main thread. */
const compressors = {
  zstd: (bytes: Bytes) =>
    promisify(zlib.zstdCompress)(bytes, { params: { [level]: 1 }, ...inChunks(bytes) }),
  br: (bytes: Bytes) =>
    promisify(zlib.brotliCompress)(bytes, { params: { [quality]: 1 }, ...inChunks(bytes) }),
  gzip: (bytes: Bytes) => promisify(zlib.gzip)(bytes, { level: 1, ...inChunks(bytes) }),
} satisfies Record<string, (bytes: Bytes) => Promise<Bytes>>

export type Encoding = keyof typeof compressors

const encodings = Object.keys(compressors) as Encoding[]

/** Bytes below which a body is not compressed: it fits into one packet anyway. */
const smallestCompressed = 1400

/**
 * Chooses an encoding by `Accept-Encoding` (RFC 9110, 12.5.3): the client's most preferred that is offered, the fastest
 * first; undefined if there is none. `*` means gzip: some clients that send it cannot read zstd.
 */
export function chooseEncoding(
  accept: string | null,
  offered: readonly Encoding[] = encodings,
): Encoding | undefined {
  if (accept === null) return undefined
  const wanted = readWeights(accept)
  const any = wanted.get("*") ?? 0
  const weightOf = (name: string) => wanted.get(name) ?? (name === "gzip" ? any : 0)
  const [best] = offered
    .filter((name) => weightOf(name) > 0)
    .sort((a, b) => weightOf(b) - weightOf(a))
  return best && weightOf(best) >= (wanted.get("identity") ?? 0) ? best : undefined
}

/** Returns the weights of what a header such as `Accept` names, in lower case and without other parameters. */
export function readWeights(accept: string): ReadonlyMap<string, number> {
  return new Map(
    accept.toLowerCase().split(",").map((part) => {
      const [name = "", ...parameters] = part.split(";").map((text) => text.trim())
      const weight = parameters.find((text) => text.startsWith("q="))
      return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0]
    }),
  )
}
