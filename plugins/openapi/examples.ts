import type { Catalogue, Projection } from "../../core/plugin.ts"
import type { Json } from "./schemas.ts"

/** The request id of the examples. */
export const exampleRequestId = "b7c1f0de-58a6-4f0c-9d3e-2a41c6f5e810"

/** Returns the example of a projection's record; undefined if the projection rewrites it. */
export function exampleOf(
  { record, fields, rewritten }: Projection,
  records: Catalogue["records"],
): Json | undefined {
  const type = records.get(record)
  if (!type || rewritten) return undefined
  return Object.fromEntries(fields.map((name) => [name, type.fields[name]?.example]))
}
