import { createHash } from "node:crypto"
import * as v from "valibot"
import type { Snapshot } from "../data/database.ts"
import type { Category } from "./categories.ts"
import { exampleObject } from "./fields.ts"
import { guest } from "./kinds/guest.ts"
import { itemCategories, itemKinds } from "./kinds/items.ts"
import { newestKeys, type RecordKey } from "./newest-first.ts"
import type { PageRequest } from "./page.ts"
import type { RecordType } from "./record-type.ts"
import type { Resource, Scope } from "./resource.ts"

/** Above this many records, ids are put into buckets by two digits instead of one. */
const manyRecords = 10_000

/**
 * A digest, to compare a copy of records with. A bucket holds the records whose ids begin with its
 * name, one or two hexadecimal digits; its digest is the SHA-256, in hexadecimal, of a line
 * `id updated` for each, ordered by id, each line with a line feed at the end. Empty buckets are
 * left out.
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
type Digest = v.InferOutput<typeof digestSchema>

/** The projection of the digests: everything. */
export const wholeDigest = { schema: digestSchema }

/** The digest of all guests of an event. */
export const guestDigest: Resource<typeof wholeDigest> = {
  name: "guest digest",
  summary: "Digests to compare a copy of an event's guests with.",
  shape: ({ schema }) => schema,
  example: exampleDigest(guest),
  scope: "event",
  parameters: ["bucket"],
  categories: ["guests"],
  async list(snapshot, scope, page) {
    return { body: await digest("guests", scope, page, snapshot), next: {} }
  },
}

/** The digests of all items of an event, by category. */
export const itemDigest: Resource<typeof wholeDigest> = {
  name: "item digest",
  summary: "Digests to compare a copy of an event's items with, category by category.",
  shape: ({ schema }) =>
    v.pipe(v.object(v.entriesFromList(itemCategories, schema)), v.title("ItemDigest")),
  example: Object.fromEntries(
    Object.entries(itemKinds).map(([category, type]) => [category, exampleDigest(type)]),
  ),
  scope: "event",
  parameters: ["bucket"],
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
  return digestOf([{ id: String(id), time: Number(updated) }], 1)
}

/** Digests one category. Reads only the narrow index, which planners choose for its order. */
async function digest(
  category: Category,
  { eventId }: Scope,
  { bucket = "" }: PageRequest,
  snapshot: Snapshot,
): Promise<Digest> {
  const page: PageRequest = { ...everything, bucket }
  const keys = newestKeys(snapshot, { category, eventId, page, searched: [] })
  const found = await snapshot.run(keys)
  return digestOf(found, Math.max(bucket.length, found.length > manyRecords ? 2 : 1))
}

/** What a list returns for `since=-1`, the least there is. */
const everything = { since: -1, offset: 0, limit: 0, terms: [] }

/** The digest of some records, in buckets by the first `digits` digits of their ids. */
function digestOf(keys: readonly RecordKey[], digits: number): Digest {
  const sorted = keys.toSorted((a, b) => a.id < b.id ? -1 : 1)
  const buckets = Map.groupBy(sorted, ({ id }) => id.slice(0, digits))
  return {
    count: keys.length,
    buckets: Object.fromEntries(
      [...buckets].map(([bucket, keys]) => {
        const text = keys.map(({ id, time }) => `${id} ${time}\n`).join("")
        const digest = createHash("sha256").update(text).digest("hex")
        return [bucket, { count: keys.length, digest }]
      }),
    ),
  }
}
