import type { Catalogue, Projection } from "../../../core/plugin.ts"
import type { Json } from "./schemas.ts"

/** The request id of the examples. */
export const exampleRequestId = "b7c1f0de-58a6-4f0c-9d3e-2a41c6f5e810"

/**
 * Returns the example of a projection's record; undefined if the projection rewrites it. With the id of an event, it
 * is that event, or a record of it.
 */
export function exampleOf(
  { record, fields, rewritten }: Projection,
  records: Catalogue["records"],
  eventId?: string,
): Json | undefined {
  const type = records.get(record)
  if (!type || rewritten) return undefined
  const ofEvent = record === "Event" ? "id" : "eventId"
  return Object.fromEntries(
    fields.map((name) => [
      name,
      name === ofEvent && eventId !== undefined ? eventId : type.fields[name]?.example,
    ]),
  )
}
