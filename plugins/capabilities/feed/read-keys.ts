import {
  type Category,
  companionsOf,
  type LeftOut,
  type PageQuery,
  type Projection,
  readPage,
  recordsIn,
  type Snapshot,
} from "../../../core/capability.ts"
import type { ChangeKey } from "./oldest-first.ts"

/** How records of an event are read. */
interface KeysQuery {
  readonly eventId: string
  /** The projection of each category that the keys are of. */
  readonly projections: Readonly<Record<string, Projection>>
}

/** What was read by keys. */
interface RecordTexts {
  /** The JSON of each record that can be sent, exactly as the lists send it. */
  readonly texts: ReadonlyMap<ChangeKey, string>
  /** The records that are left out. */
  readonly leftOut: readonly LeftOut[]
}

/** Reads records of several categories by keys that are of the same snapshot. */
export async function recordsByKeys(
  snapshot: Snapshot,
  keys: readonly ChangeKey[],
  query: KeysQuery,
): Promise<RecordTexts> {
  const texts = new Map<ChangeKey, string>()
  const all: LeftOut[] = []
  for (const [category, own] of Map.groupBy(keys, ({ category }) => category)) {
    const page = await readPage(snapshot, category, pageOf(snapshot, own, { ...query, category }))
    const wrongIds = new Set(page.leftOut.map(({ id }) => id))
    const sent = own.filter(({ id }) => !wrongIds.has(id))
    for (const [index, key] of sent.entries()) texts.set(key, page.texts[index] as string)
    all.push(...page.leftOut)
  }
  return { texts, leftOut: all }
}

/** Returns records of a category as a page whose keys have been read. */
function pageOf(
  snapshot: Snapshot,
  keys: readonly ChangeKey[],
  { eventId, category, projections }: KeysQuery & { readonly category: Category },
): PageQuery {
  const projection = projections[category] as Projection<"Guest">
  const listing = { category, eventId, projection }
  const ofGuests = category === "guests" ? companionsOf(projection, snapshot, eventId) : []
  const rows = keys.map(({ id, time }) => ({ id, updated: time }))
  return {
    projection,
    limit: rows.length,
    query: { execute: () => Promise.resolve(rows) },
    companions: [recordsIn(snapshot, listing), ...ofGuests],
    isWhole: false,
  }
}
