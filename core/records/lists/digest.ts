import * as v from "valibot"
import type { Snapshot } from "../../data/database.ts"
import { sha256 } from "../../data/sha256.ts"
import { Problem } from "../../http/problems.ts"
import type { Category } from "../kinds/categories.ts"
import { exampleObject, type RecordType } from "../kinds/fields.ts"
import { guest } from "../kinds/guest.ts"
import { itemCategories, itemKinds, type ItemsProjection } from "../kinds/items.ts"
import { newestKeys, type RecordKey } from "./newest-first.ts"
import { type PageRequest } from "./page.ts"
import { isId } from "../kinds/values.ts"
import type { Projection } from "../kinds/projection.ts"
import type { ListingParameter, Resource, Scope } from "./resource.ts"

/** Above this many records, ids are put into buckets by two digits instead of one. */
const manyRecords = 10_000

/** The longest name of a bucket by hash, in digits: it makes 65,536 buckets of a million records. */
const longestHash = 4

/**
 * A digest, to compare a copy of records with. A bucket holds the records whose ids begin with its name, one or two
 * hexadecimal digits; with `hash`, those the SHA-256 of whose ids begins with it, one to four digits. Its digest is the
 * SHA-256, in hexadecimal, of a line `id updated` for each record, ordered by id; of a digest of content, a line `id hash`
 * with the SHA-256 of its JSON as lists have it, not as lines do. Each line ends with a line feed. Empty buckets are left
 * out.
 */
const digestSchema = v.pipe(
  v.strictObject({
    count: v.pipe(v.number(), v.safeInteger()),
    buckets: v.record(
      v.string(),
      v.strictObject({ count: v.pipe(v.number(), v.safeInteger()), digest: v.string() }),
    ),
  }),
  v.title("Digest"),
)
export type Digest = v.InferOutput<typeof digestSchema>

/**
 * Returns the digest of a digest, which stands for the whole copy: the SHA-256, in hexadecimal, of a line `bucket
 * digest` for each bucket in the order of the body. Each line ends with a line feed, and begins with the category in a
 * digest of items.
 */
export function digestOfCopy(body: Digest | Readonly<Record<string, Digest>>): string {
  const parts = v.is(digestSchema, body) ? [["", body] as const] : Object.entries(body)
  const lines = parts.flatMap(([category, { buckets }]) =>
    Object.entries(buckets).map(([bucket, { digest }]) => `${category} ${bucket} ${digest}`.trim())
  )
  return sha256(lines.map((line) => `${line}\n`).join(""))
}

/** Returns true if the digest of a client's copy is that of a digest, and its fields are those of the list. */
export function isSameCopy(
  { mine, fields }: { readonly mine: string | undefined; readonly fields: string | undefined },
  list: { readonly fields?: string | undefined },
  digest: Parameters<typeof digestOfCopy>[0],
): boolean {
  // A copy without a field that was added has the digest of one with it.
  return fields === list.fields && mine === digestOfCopy(digest)
}

/** The projection of a digest of everything. */
export const wholeDigest: DigestProjection = { schema: digestSchema }

/** The projection of a digest. */
interface DigestProjection {
  readonly schema: typeof digestSchema
  /** That of the list which it counts the records of. */
  readonly of?: Projection | ItemsProjection
}

const parameters: readonly ListingParameter[] = ["bucket", "hash", "mine", "fields", "of"]

/** The digest of all guests of an event. */
export const guestDigest: Resource<DigestProjection> = {
  name: "guest digest",
  summary: "Digests for comparing a copy of an event's guests with.",
  shape: ({ schema }) => schema,
  example: exampleDigest(guest),
  scope: "event",
  parameters,
  categories: ["guests"],
  async list(snapshot, scope, page, { of }) {
    return { body: await digest("guests", scope, page, snapshot, of as Projection), next: {} }
  },
}

/** The digests of all items of an event, by category. */
export const itemDigest: Resource<DigestProjection> = {
  name: "item digest",
  summary: "Digests for comparing a copy of an event's items with, category by category.",
  shape: ({ schema }) =>
    v.pipe(v.object(v.entriesFromList(itemCategories, schema)), v.title("ItemDigest")),
  example: Object.fromEntries(
    Object.entries(itemKinds).map(([category, type]) => [category, exampleDigest(type)]),
  ),
  scope: "event",
  parameters,
  categories: itemCategories,
  async list(snapshot, scope, page) {
    const body: Record<string, Digest> = {}
    for (const category of itemCategories) {
      body[category] = await digest(category, scope, page, snapshot)
    }
    return { body, next: {} }
  },
}

/** The digest of a list that holds only the example of a record. */
function exampleDigest({ fields }: RecordType): Digest {
  const { id, updated } = exampleObject(fields)
  return digestOf([{ id: String(id), time: Number(updated) }], (id) => id.slice(0, 1))
}

/** Digests one category. Reads only the narrow index, which planners choose for its order. */
async function digest(
  category: Category,
  { eventId }: Scope,
  { bucket = "", hash, of }: PageRequest,
  snapshot: Snapshot,
  projection: Pick<Projection, "filter"> = {},
): Promise<Digest> {
  if (of) {
    const errors = [{ parameter: "of", value: of, detail: "is not offered by this service" }]
    throw new Problem("invalid_parameter", "of=content is not offered by this service.", { errors })
  }
  const page: PageRequest = { since: -1, offset: 0, limit: 0, terms: [], bucket, hash }
  const keys = newestKeys(snapshot, { category, eventId, page, projection })
  return digestRecords((await snapshot.run(keys)).filter(({ id }) => isId(id)), page)
}

/** A record as a line of a digest has it: with its `updated`, or a hash of its content. */
type DigestedRecord = { readonly id: string; readonly time: RecordKey["time"] | string }

/** Returns the digest of records, in the buckets that a request for them gets. */
export function digestRecords(
  found: readonly DigestedRecord[],
  { bucket = "", hash }: Pick<PageRequest, "bucket" | "hash">,
): Digest {
  const level = found.length > manyRecords ? 2 : 1
  // With hashes, digits below the request's, so that a client that has found a bucket can look into it.
  const digits = hash === undefined
    ? Math.max(bucket.length, level)
    : Math.min(hash.length + level, longestHash)
  return digestOf(found, (id) => (hash === undefined ? id : sha256(id)).slice(0, digits))
}

/** The digest of some records, in buckets that `bucketOf` names. */
function digestOf(keys: readonly DigestedRecord[], bucketOf: (id: string) => string): Digest {
  const sorted = keys.toSorted((a, b) => a.id < b.id ? -1 : 1)
  const buckets = Map.groupBy(sorted, ({ id }) => bucketOf(id))
  return {
    count: keys.length,
    buckets: Object.fromEntries(
      [...buckets].toSorted(([a], [b]) => a < b ? -1 : 1).map(([bucket, keys]) => {
        const text = keys.map(({ id, time }) => `${id} ${time}\n`).join("")
        return [bucket, { count: keys.length, digest: sha256(text) }]
      }),
    ),
  }
}
