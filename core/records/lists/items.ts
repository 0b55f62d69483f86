import { itemCategories, itemKinds, type ItemsProjection } from "../kinds/items.ts"
import { queryPage } from "./newest-first.ts"
import { readPages } from "./read-pages.ts"
import { itemParameters, type Resource } from "./resource.ts"
import { ranksOfOffset } from "./stable-offset.ts"

/** The items of an event: a bundle of one array per category, each with its own page. */
export const items: Resource<ItemsProjection> = {
  name: "items",
  summary: "The items of an event in six arrays, each newest first and paged by itself.",
  scope: "event",
  parameters: itemParameters,
  records: Object.fromEntries(
    Object.entries(itemKinds).map(([category, { name }]) => [category, name]),
  ),
  categories: itemCategories,
  emptyBody: Object.fromEntries(itemCategories.map((category) => [category, []])),
  bundle: true,
  isOfRecords: true,
  async list(snapshot, { eventId }, page, projections) {
    const listings = itemCategories.map((category) => ({
      category,
      eventId,
      page,
      projection: projections[category],
    }))
    const ranks = page.offset > 0 ? await ranksOfOffset(snapshot, listings) : {}
    const queries = listings.map((listing) => {
      const { category } = listing
      if (page.category && page.category !== category) return [category, undefined]
      const offset = ranks[category] ?? page.offset
      return [category, queryPage(snapshot, listing, offset)]
    })
    const shape = page.asLines ? "named lines" : "bundle"
    return await readPages(snapshot, shape, Object.fromEntries(queries))
  },
}
