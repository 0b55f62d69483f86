import type { Category } from "../../../core/records/categories.ts"
import { leanGuest, leanItems } from "../../../core/records/lean.ts"
import { itemCategories } from "../../../core/records/kinds/items.ts"
import type { ReaderKind, RecordCopy } from "../../support/polling/reader.ts"
import type { FeedReading } from "./feed-source.ts"
import type { Truth } from "../../support/truth.ts"

/** A partner that keeps a copy of a list. */
export interface Partner {
  /** The path of its family. */
  readonly family: "/acme/v1" | "/connector-a/v1" | "/connector-b/v1"
  readonly account: "acme-export" | "partner"
  /** `changes` is the feed of both. */
  readonly list: "guests" | "items" | "changes"
  /** Which of the two events. */
  readonly event: 0 | 1
  readonly kind: ReaderKind & FeedReading
  readonly limit: number
  /** Milliseconds between two polls. */
  readonly pause: readonly [least: number, most: number]
}

const often = [50, 400] as const
const seldom = [7000, 12_000] as const
const acme = { family: "/acme/v1", account: "acme-export" } as const
const a = { family: "/connector-a/v1", account: "partner" } as const
const b = { family: "/connector-b/v1", account: "partner" } as const
const byCursor = { by: "cursor", keeps: "Next-Since" } as const
const byOffset = { by: "offset", keeps: "Next-Since" } as const
const byUpdated = { by: "cursor", keeps: "max(updated)" } as const
const withTags = (kind: ReaderKind): ReaderKind => ({ ...kind, sendsTags: true })
const bigEvent = { event: 0, pause: often } as const
const smallEvent = { event: 1, pause: often } as const

/** Partners who poll as the guide says: their copies must be equal to the tables. */
export const goodPartners: readonly Partner[] = [
  { ...acme, list: "guests", ...bigEvent, kind: byCursor, limit: 50 },
  { ...acme, list: "guests", ...bigEvent, kind: withTags(byOffset), limit: 100 },
  { ...acme, list: "guests", ...smallEvent, kind: withTags(byCursor), limit: 1000 },
  { ...acme, list: "items", ...bigEvent, kind: withTags(byCursor), limit: 20 },
  { ...acme, list: "items", ...smallEvent, kind: byOffset, limit: 5 },
  { ...a, list: "guests", ...smallEvent, kind: byOffset, limit: 7 },
  { ...a, list: "guests", ...bigEvent, kind: withTags(byCursor), limit: 1000 },
  { ...b, list: "guests", ...smallEvent, kind: withTags(byCursor), limit: 9 },
  { ...b, list: "items", ...bigEvent, kind: withTags(byOffset), limit: 1000 },
  { ...b, list: "items", ...smallEvent, kind: byCursor, limit: 3 },
  // Returns after so long that deletions have been forgotten.
  {
    ...acme,
    list: "guests",
    event: 0,
    pause: seldom,
    kind: byCursor,
    limit: 200,
  },
]

/** Partners who read the feed, likewise. */
export const feedPartners: readonly Partner[] = [
  { ...acme, list: "changes", ...bigEvent, kind: { ...byCursor, isSlow: true }, limit: 7 },
  { ...acme, list: "changes", ...bigEvent, kind: { ...byCursor, forgets: true }, limit: 40 },
  { ...acme, list: "changes", ...smallEvent, kind: { ...byCursor, waits: true }, limit: 3 },
  { ...b, list: "changes", ...bigEvent, kind: { ...byCursor, isSlow: true }, limit: 12 },
  { ...b, list: "changes", ...smallEvent, kind: { ...byCursor, forgets: true }, limit: 2 },
  { ...a, list: "changes", ...smallEvent, kind: { ...byCursor, isSlow: true }, limit: 4 },
]

/**
 * Partners who send the largest `updated` as `since`, although transactions are committed late. They
 * must lose records, or the run could not find a loss.
 */
export const losingPartners: readonly Partner[] = [
  { ...b, list: "guests", ...bigEvent, kind: byUpdated, limit: 1000 },
  { ...b, list: "items", ...bigEvent, kind: byUpdated, limit: 1000 },
  { ...a, list: "guests", ...smallEvent, kind: byUpdated, limit: 1000 },
]

/** Returns the records that a partner's copy should have, with the fields of its family. */
export function expectedCopy({ family, list }: Partner, truth: Truth): readonly RecordCopy[] {
  const own = categoriesOf(family, list)
  return own.flatMap((category) => {
    if (family === "/acme/v1") return truth[category]
    const { fields } = category === "guests" ? leanGuest : leanItems[category]
    return truth[category].map((record) =>
      Object.fromEntries(fields.map((name) => [name, record[name]])) as RecordCopy
    )
  })
}

/** The categories of the records in a list; connector A has no items. */
function categoriesOf(family: Partner["family"], list: Partner["list"]): readonly Category[] {
  if (list === "items") return itemCategories
  const hasItems = list === "changes" && family !== "/connector-a/v1"
  return hasItems ? ["guests", ...itemCategories] : ["guests"]
}

/** Names a partner, for messages. */
export function describePartner({ family, list, event, kind, limit }: Partner): string {
  const tags = kind.sendsTags ? ", with tags" : ""
  return `${family} event ${event} ${list}, by ${kind.by}, limit ${limit}${tags}`
}
