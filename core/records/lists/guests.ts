import type { Snapshot } from "../../data/database.ts"
import { queryPage } from "./newest-first.ts"
import type { Projection } from "../kinds/projection.ts"
import { type Companion, readPages } from "./read-pages.ts"
import { belongingsOf, rowsOf } from "./rows-by-id.ts"
import { recordParameters, type Resource } from "./resource.ts"
import { ranksOfOffset } from "./stable-offset.ts"

/** The guests of an event, as a JSON array of what the projection lets through. */
export const guests: Resource<Projection<"Guest">> = {
  name: "guests",
  summary: "The guests of an event, newest first.",
  scope: "event",
  parameters: recordParameters,
  records: "Guest",
  categories: ["guests"],
  emptyBody: [],
  isOfRecords: true,
  async list(snapshot, { eventId }, page, projection) {
    const listing = { category: "guests", eventId, page, projection } as const
    const companions = companionsOf(projection, snapshot, eventId)
    const ranks = page.offset > 0 ? await ranksOfOffset(snapshot, [listing]) : {}
    const { guests: offset = page.offset } = ranks
    const query = queryPage(snapshot, listing, offset, companions)
    return await readPages(snapshot, page.asLines ? "lines" : "list", { guests: query })
  },
}

/**
 * Returns how the belongings of guests are read, by one statement of their own: four wide look-ups per guest in one join
 * with it would take longer.
 */
function companionsOf(
  projection: Projection<"Guest">,
  snapshot: Snapshot,
  eventId: string,
): Companion[] {
  const { relations, kinds, tables, columns } = belongingsOf(projection)
  if (columns.size === 0) return []
  const query: Companion["query"] = (ids) => rowsOf(snapshot, eventId, { tables, columns, ids })
  return [{ relations, kinds, query }]
}
