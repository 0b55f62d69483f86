import { readList } from "./json/read-list.ts"
import { itemCategories, itemKinds, type ItemsProjection } from "./kinds/items.ts"
import { pageOfRecords } from "./newest-first.ts"
import type { Position } from "./page.ts"
import type { Projection } from "./projection.ts"
import { recordParameters, type Resource } from "./resource.ts"
import { rankOfOffset } from "./stable-offset.ts"

/** The items of an event: a bundle of one array per category, each with its own page. */
export const items: Resource<ItemsProjection> = {
  name: "items",
  summary: "The items of an event in six arrays, each newest first and paged by itself.",
  scope: "event",
  parameters: recordParameters,
  records: Object.fromEntries(
    Object.entries(itemKinds).map(([category, { name }]) => [category, name]),
  ),
  categories: itemCategories,
  emptyBody: Object.fromEntries(itemCategories.map((category) => [category, []])),
  bundle: true,
  async list(snapshot, { eventId }, page, projections) {
    const listings = itemCategories.map((category) => ({
      category,
      eventId,
      page,
      searched: projections[category].searched,
    }))
    const ranks = await rankOfOffset(snapshot, listings)
    const body: Record<string, unknown> = {}
    const next: Record<string, Position> = {}
    for (const listing of listings) {
      const { category } = listing
      body[category] = []
      const position = page.after?.[category]
      if (page.after && !position) continue
      const offset = ranks[category] ?? page.offset
      const projection: Projection = projections[category]
      const { columns } = projection
      const query = pageOfRecords(snapshot, listing, { position, offset, columns })
      const read = await readList(projection, snapshot, query, { limit: page.limit })
      body[category] = read.records
      if (read.next) next[category] = read.next
    }
    return { body, next }
  },
}
