import { createHash } from "node:crypto"

/** What a digest says about a record. */
interface Row {
  readonly id: string
  /** Or what stands for it. */
  readonly updated: number | string
}

/** A digest as the service returns it. */
export interface Digest {
  readonly count: number
  readonly buckets: Readonly<Record<string, { readonly count: number; readonly digest: string }>>
}

/**
 * Computes the digest of a copy as the guide defines it, independently of the service's code. `bucketOf`
 * names the bucket of an id.
 */
export function expectedDigest(rows: readonly Row[], bucketOf: (id: string) => string): Digest {
  const buckets = Map.groupBy(rows, ({ id }) => bucketOf(id))
  return {
    count: rows.length,
    buckets: Object.fromEntries([...buckets].map(([name, inside]) => {
      const lines = inside.map(({ id, updated }) => `${id} ${updated}\n`).sort()
      return [name, { count: inside.length, digest: sha256(lines.join("")) }]
    })),
  }
}

/** The SHA-256 of a text, in hexadecimal. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}
