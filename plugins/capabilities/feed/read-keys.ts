import type { OmittedRecord, Snapshot } from "../../../core/capability.ts"
import { readRecords } from "../../../core/lists.ts"
import type { Projection } from "../../../core/plugin.ts"
import type { ChangeKey } from "./oldest-first.ts"

/** How records of an event are read. */
interface KeysQuery {
  readonly eventId: string
  /** The projection of each category that the keys are of. */
  readonly projections: Readonly<Record<string, Projection>>
}

/** Records that were read by their keys. */
interface RecordTexts {
  /** The JSON of each record that can be sent, exactly as the lists send it. */
  readonly texts: ReadonlyMap<ChangeKey, string>
  /** The records that are left out. */
  readonly leftOut: readonly OmittedRecord[]
}

/** Reads records of several categories by keys from the same snapshot. */
export async function recordsByKeys(
  snapshot: Snapshot,
  keys: readonly ChangeKey[],
  { eventId, projections }: KeysQuery,
): Promise<RecordTexts> {
  const texts = new Map<ChangeKey, string>()
  const leftOut: OmittedRecord[] = []
  for (const [category, own] of Map.groupBy(keys, ({ category }) => category)) {
    const projection = projections[category] as Projection
    const ids = own.map(({ id }) => id)
    const found = await readRecords(snapshot, { eventId, category, projection }, ids)
    for (const [index, key] of own.entries()) {
      const { text, leftOut: why } = found[index] ?? {}
      if (text !== undefined) texts.set(key, text)
      else if (why) leftOut.push(why)
    }
  }
  return { texts, leftOut }
}
