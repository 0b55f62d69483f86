import type { Snapshot } from "../data/database.ts"
import type { Category } from "./categories.ts"
import { companionsOf } from "./guests.ts"
import { encodeBody } from "./list.ts"
import { recordsIn } from "./newest-first.ts"
import type { ChangeKey } from "./oldest-first.ts"
import type { PageRequest } from "./page.ts"
import type { Projection } from "./projection.ts"
import { readPages } from "./read-pages.ts"

/** How records of an event are read. */
export interface KeysQuery {
  readonly eventId: string
  /** The projection of each category that the keys are of. */
  readonly projections: Readonly<Record<string, Projection>>
  /** Where records are kept; undefined if their keys have no versions. */
  readonly cached: PageRequest["cached"]
}

/**
 * Reads records of one or several categories by keys that are of the same snapshot. Returns their JSON, exactly as the
 * lists send it, in the order of the keys. Those that are kept are not read.
 */
export async function recordsByKeys(
  snapshot: Snapshot,
  keys: readonly ChangeKey[],
  { eventId, projections, cached }: KeysQuery,
): Promise<readonly string[]> {
  const texts: string[] = []
  const places = Map.groupBy(keys.keys(), (place) => (keys[place] as ChangeKey).category)
  for (const [category, ofCategory] of places) {
    const query = queryOf(snapshot, ofCategory.map((place) => keys[place] as ChangeKey), {
      ...{ category, eventId, cached },
      projection: projections[category] as Projection,
    })
    const { bytes, slab } = encodeBody(
      (await readPages(snapshot, "lines", { [category]: query })).body,
    )
    const lines = new TextDecoder().decode(bytes).split("\n")
    slab?.giveBack()
    for (const [index, place] of ofCategory.entries()) texts[place] = lines[index] as string
  }
  return texts
}

/** Prepares the reading of some records of a category, as a page whose keys have been read. */
function queryOf(
  snapshot: Snapshot,
  keys: readonly ChangeKey[],
  { category, eventId, projection, cached }: Omit<KeysQuery, "projections"> & {
    readonly category: Category
    readonly projection: Projection
  },
) {
  const rows = keys.map(({ id, time, version }) => ({
    ...{ id, updated: time },
    ...version !== undefined && { export_version: version },
  }))
  const companions = category === "guests"
    ? companionsOf(projection as Projection<"Guest">, snapshot, eventId)
    : []
  return {
    projection,
    limit: keys.length,
    query: { execute: () => Promise.resolve(rows) },
    companions: [recordsIn(snapshot, { category, eventId, projection }), ...companions],
    cached: projection.rewritten ? undefined : cached?.(projection),
    isWhole: false,
  }
}
