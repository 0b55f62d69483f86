import type { Capability, Category, List } from "../../../core/capability.ts"
import { fieldsOf } from "../../../core/lists.ts"
import type { ListingRoute, MountedRoute, Projection } from "../../../core/plugin.ts"

/** The lists of an event that a family serves, and that its feed covers. */
export interface FeedLists {
  /** The lists of records, by `guests` and `items`. */
  readonly records: Readonly<Record<string, List>>
  /** Their lists of deletions, by the same names; missing if none is served. */
  readonly deletions: Readonly<Record<string, List | undefined>>
  readonly categories: readonly Category[]
  readonly projections: Readonly<Record<string, Projection>>
}

const feeds = new WeakMap<List, FeedLists>()
const recordLists = new WeakSet<List>()

/** Returns the lists that a feed covers; undefined if the list is not a feed. */
export function feedOf(list: List): FeedLists | undefined {
  return feeds.get(list)
}

/** True for a list that stands for a single record. */
export function isRecord(list: List): boolean {
  return recordLists.has(list)
}

/** Returns `guests` or `items`: the list that a category of records is in. */
export function listOf(category: Category): "guests" | "items" {
  return category === "guests" ? "guests" : "items"
}

/** Returns the projections of a list's records, by category. */
export function projectionsOf({ parts }: List): Record<string, Projection> {
  return Object.fromEntries(parts.map(({ name = "guests", projection }) => [name, projection]))
}

type RecordRoute = MountedRoute & ListingRoute

/**
 * Derives the feed of a family's guests and items, and the routes of single records. An announced list has neither. If the
 * policies of guests and items differ, the feed covers the guests alone.
 */
export const deriveLists: NonNullable<Capability["derives"]> = (routes) => {
  const ofRecords = routes.filter((route): route is RecordRoute =>
    route.kind === "listing" && /\/:eventId\/(guests|items)$/.test(route.path) &&
    route.path.endsWith(`/${route.list.name}`)
  )
  const byEvent = Map.groupBy(ofRecords, ({ pattern }) => eventOf(pattern.text))
  const inFeeds = [...byEvent.values()].map(([first, ...others]) => {
    const from = first as RecordRoute
    const together = others.filter(({ auth }) => JSON.stringify(auth) === JSON.stringify(from.auth))
    const list = feedList([from, ...together], routes)
    return { from, path: `${eventOf(from.path)}/changes`, list }
  })
  const single = ofRecords.map((from) => ({
    from,
    path: `${from.path}/:id`,
    list: recordList(from.list),
  }))
  return [...inFeeds, ...single]
}

/** Returns the path of an event from that of one of its lists. */
function eventOf(path: string): string {
  return path.replace(/\/\w+$/, "")
}

function feedList(ofRecords: readonly RecordRoute[], routes: readonly MountedRoute[]): List {
  const deletionsOf = ({ pattern: { text } }: RecordRoute) => {
    const found = routes.find(({ pattern }) => pattern.text === `${text}/deletions`)
    return found?.kind === "listing" ? found.list : undefined
  }
  const lists = ofRecords.map(({ list }) => list)
  const feed: FeedLists = {
    records: Object.fromEntries(lists.map((list) => [list.name, list])),
    deletions: Object.fromEntries(ofRecords.map((each) => [each.list.name, deletionsOf(each)])),
    categories: lists.flatMap(({ categories = [] }) => categories),
    projections: Object.assign({}, ...lists.map(projectionsOf)),
  }
  const { categories, projections, deletions } = feed
  const guests = feed.records["guests"]
  const parts = Object.entries(projections).map(([name, projection]) => ({ name, projection }))
  const list: List = {
    ...asIs,
    name: "changes",
    summary: `All changes of the ${lists.map(({ name }) => name).join(" and ")} of an event, ` +
      `deletions among them, oldest first. ${guests?.filter?.sentence ?? ""}`.trimEnd(),
    parameters: ["limit", "after"],
    hasHorizon: true,
    // Makes the admission look up the newest of the records and deletions.
    emptyBody: { changes: [] },
    categories,
    parts,
    fields: fieldsOf(parts),
    filter: guests?.filter,
    gone: deletions["guests"]?.gone,
    of: lists.flatMap((list) => [list, deletions[list.name] ?? []]).flat(),
  }
  feeds.set(list, feed)
  return list
}

function recordList(of: List): List {
  const list: List = {
    ...asIs,
    name: of.name === "guests" ? "guest" : "item",
    summary: of.name === "guests"
      ? `A guest of an event. ${of.filter?.sentence ?? ""}`.trimEnd()
      : "An item of an event.",
    parameters: of.name === "guests" ? [] : ["category"],
    categories: of.categories,
    parts: of.parts,
    fields: of.fields,
    filter: of.filter,
    gone: undefined,
    of: [of],
  }
  recordLists.add(list)
  return list
}

/** What derived lists have in common. Their pages are never read: this capability answers. */
const asIs = {
  scope: "event",
  bundle: false,
  hasHorizon: false,
  emptyBody: undefined,
  example: undefined,
  schema: undefined,
  read: () => Promise.reject(new TypeError("a derived list has no pages of its own")),
} as const
