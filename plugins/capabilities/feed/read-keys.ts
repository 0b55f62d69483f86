import {
  type Category,
  companionsOf,
  encodeBody,
  type LeftOut,
  type PageQuery,
  type PageRequest,
  type Projection,
  readPages,
  recordsIn,
  type Snapshot,
} from "../../../core/capability.ts"
import type { ChangeKey } from "./oldest-first.ts"

/** How records of an event are read. */
interface KeysQuery extends Pick<PageRequest, "cached"> {
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

/**
 * Reads records of several categories by keys that are of the same snapshot; those that are kept are not read. With
 * `cached`, keys have versions.
 */
export async function recordsByKeys(
  snapshot: Snapshot,
  keys: readonly ChangeKey[],
  query: KeysQuery,
): Promise<RecordTexts> {
  const texts = new Map<ChangeKey, string>()
  const all: LeftOut[] = []
  for (const [category, own] of Map.groupBy(keys, ({ category }) => category)) {
    const page = pageOf(snapshot, own, { ...query, category })
    const { body, leftOut = [] } = await readPages(snapshot, "lines", { [category]: page })
    const { bytes, slab } = encodeBody(body)
    const lines = new TextDecoder().decode(bytes).split("\n")
    slab?.giveBack()
    const wrongIds = new Set(leftOut.map(({ id }) => id))
    const sent = own.filter(({ id }) => !wrongIds.has(id))
    for (const [index, key] of sent.entries()) texts.set(key, lines[index] as string)
    all.push(...leftOut)
  }
  return { texts, leftOut: all }
}

/** Returns records of a category as a page whose keys have been read. */
function pageOf(
  snapshot: Snapshot,
  keys: readonly ChangeKey[],
  { eventId, category, projections, cached }: KeysQuery & { readonly category: Category },
): PageQuery {
  const projection = projections[category] as Projection<"Guest">
  const listing = { category, eventId, projection }
  const ofGuests = category === "guests" ? companionsOf(projection, snapshot, eventId) : []
  const rows = keys.map(({ id, time, version }) => {
    return { id, updated: time, export_version: Number(version) }
  })
  return {
    projection,
    limit: rows.length,
    query: { execute: () => Promise.resolve(rows) },
    companions: [recordsIn(snapshot, listing), ...ofGuests],
    cached: projection.rewritten ? undefined : cached?.(projection),
    isWhole: false,
  }
}
