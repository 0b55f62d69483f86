import { createHash } from "node:crypto"
import { isDeepStrictEqual } from "node:util"
import type { Reply } from "./reply.ts"
import { itemCategories, type List, type Row } from "./rows.ts"

/** What a digest says about a record. */
interface Line {
  readonly id: string
  /** Or what stands for it. */
  readonly updated: number | string
}

/** A digest as the service returns it. */
export interface Digest {
  readonly count: number
  readonly buckets: Readonly<Record<string, { readonly count: number; readonly digest: string }>>
}

/** How buckets are named. */
export interface DigestKind {
  readonly query: string
  readonly bucketOf: (id: string, digits: number) => string
}

/** Digests by the beginnings of ids and of their hashes. */
export const digestKinds = {
  ids: { query: "", bucketOf: (id, digits) => id.slice(0, digits) },
  hashes: { query: "hash=", bucketOf: (id, digits) => sha256(id).slice(0, digits) },
} as const satisfies Readonly<Record<string, DigestKind>>

/**
 * Computes the digest of a copy as the guide defines it, independently of the service's code. `bucketOf`
 * names the bucket of an id.
 */
export function expectedDigest(lines: readonly Line[], bucketOf: (id: string) => string): Digest {
  const buckets = Map.groupBy(lines, ({ id }) => bucketOf(id))
  return {
    count: lines.length,
    buckets: Object.fromEntries([...buckets].map(([name, inside]) => {
      const texts = inside.map(({ id, updated }) => `${id} ${updated}\n`).sort()
      return [name, { count: inside.length, digest: sha256(texts.join("")) }]
    })),
  }
}

/** The SHA-256 of a text, in hexadecimal. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}

/** Returns whether a copy of a list has another digest than the one that the service has sent. */
export function isOtherDigest(
  rows: readonly Row[],
  { list, kind, reply }: {
    readonly list: List
    readonly kind: DigestKind
    readonly reply: Pick<Reply, "text">
  },
): boolean {
  const body = JSON.parse(reply.text)
  const theirs: Readonly<Record<string, Digest>> = list === "guests" ? { guests: body } : body
  const own = Object.fromEntries(
    categoriesOf(list).map((category) => {
      const [name = "0"] = Object.keys(theirs[category]?.buckets ?? {})
      return [category, digestOf(rows, category, kind, name.length)]
    }),
  )
  return !isDeepStrictEqual(own, theirs)
}

/** Returns what a partner sends as `mine`: one digest of its whole copy of a list, with few records. */
export function digestOfCopy(rows: readonly Row[], list: List): string {
  const lines = categoriesOf(list).flatMap((category) => {
    const { buckets } = digestOf(rows, category, digestKinds.ids, 1)
    const prefix = list === "items" ? `${category} ` : ""
    return Object.entries(buckets).sort(([a], [b]) => a < b ? -1 : 1)
      .map(([bucket, { digest }]) => `${prefix}${bucket} ${digest}\n`)
  })
  return sha256(lines.join(""))
}

function digestOf(
  rows: readonly Row[],
  category: string,
  { bucketOf }: DigestKind,
  digits: number,
): Digest {
  const own = rows.filter((row) => row.category === category)
  return expectedDigest(own, (id) => bucketOf(id, digits))
}

function categoriesOf(list: List): readonly string[] {
  return list === "guests" ? ["guests"] : itemCategories
}
