import type { Snapshot } from "../../data/database.ts"
import type { PageShape } from "../bytes/encoded-body.ts"
import type { Category } from "../kinds/categories.ts"
import { itemCategories, itemKinds, type ItemsProjection } from "../kinds/items.ts"
import type { Projection } from "../kinds/projection.ts"
import { queryPage } from "./newest-first.ts"
import type { ListResult, PageRequest } from "./page.ts"
import { readPages } from "./read-pages.ts"
import { itemParameters, recordParameters, type Resource, type Scope } from "./resource.ts"
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
  list: (snapshot, scope, page, projection) =>
    listRecords(snapshot, scope, page, {
      projections: { guests: projection },
      shape: page.asLines ? "lines" : "list",
    }),
}

/** The items of an event: a bundle of one array per category, each with its own page. */
export const items: Resource<ItemsProjection> = {
  name: "items",
  summary: "The items of an event in six arrays, each newest first and paged separately.",
  scope: "event",
  parameters: itemParameters,
  records: Object.fromEntries(
    Object.entries(itemKinds).map(([category, { name }]) => [category, name]),
  ),
  categories: itemCategories,
  emptyBody: Object.fromEntries(itemCategories.map((category) => [category, []])),
  bundle: true,
  isOfRecords: true,
  list: (snapshot, scope, page, given) => {
    const projections = Object.fromEntries(itemCategories.map((name) => [name, given[name]]))
    const shape = page.asLines ? "named lines" : "bundle"
    return listRecords(snapshot, scope, page, { projections, shape })
  },
}

/** Reads a page of each category, in the order of the projections. */
async function listRecords(
  snapshot: Snapshot,
  { eventId }: Scope,
  page: PageRequest,
  { projections, shape }: {
    readonly projections: Readonly<Partial<Record<Category, Projection>>>
    readonly shape: PageShape
  },
): Promise<ListResult> {
  const listings = Object.entries(projections).map(([name, projection]) => {
    return { category: name as Category, eventId, page, projection }
  })
  const ranks = page.offset > 0 ? await ranksOfOffset(snapshot, listings) : {}
  const queries = listings.map((listing) => {
    const { category } = listing
    const isWanted = !page.category || page.category === category
    const offset = ranks[category] ?? page.offset
    return [category, isWanted ? queryPage(snapshot, listing, offset) : undefined]
  })
  return await readPages(snapshot, shape, Object.fromEntries(queries))
}
