import { digestOf } from "../records/digest.ts"
import { exampleObject } from "../records/fields.ts"
import { guest } from "../records/kinds/guest.ts"
import { itemKinds } from "../records/kinds/items.ts"
import { recordTypes } from "../records/kinds/record-types.ts"
import type { Projection } from "../records/projection.ts"
import type { RecordType } from "../records/record-type.ts"
import type { Json } from "./schemas.ts"

/** The request id of the examples. */
export const exampleRequestId = "b7c1f0de-58a6-4f0c-9d3e-2a41c6f5e810"

/** What digests of the examples are, by the name of the list. */
export const exampleDigests: Json = {
  "guest digest": digestOf([lineOf(guest)], 1),
  "item digest": Object.fromEntries(
    Object.entries(itemKinds).map(([category, record]) => [
      category,
      digestOf([lineOf(record)], 1),
    ]),
  ),
}

/** The example of a record as a projection lets it through; undefined if that is not known. */
export function exampleOf({ record, fields, rewritten }: Projection): Json | undefined {
  const type = recordTypes.get(record)
  if (!type || rewritten) return undefined
  return Object.fromEntries(fields.map((name) => [name, type.fields[name]?.example]))
}

function lineOf({ fields }: RecordType) {
  const { id, updated } = exampleObject(fields)
  return { id: String(id), time: Number(updated) }
}
