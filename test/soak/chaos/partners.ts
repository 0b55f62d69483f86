import type { ReaderKind } from "../../support/partner/reader.ts"
import { type List, listOf } from "../../support/partner/rows.ts"
import { type Records, recordsOf, type Truth } from "../../support/truth.ts"

/** How a partner reads a feed. */
interface FeedKind {
  /** True if it asks the service to wait for changes. */
  readonly waits?: boolean
  /** True if it takes so long to store a page that changes are committed late meanwhile. */
  readonly isSlow?: boolean
  /** True if it forgets its copy now and then, and begins again: with a cursor of now, and the lists. */
  readonly forgets?: boolean
}

/** A partner that keeps a copy of a list. */
export interface Partner {
  /** The path of its family. */
  readonly family: "/acme/v1" | "/connector-a/v1" | "/connector-b/v1"
  readonly account: "acme-export" | "partner"
  /** `changes` is the feed of both. */
  readonly list: "guests" | "items" | "changes"
  /** Which of the two events. */
  readonly event: 0 | 1
  readonly kind: ReaderKind & FeedKind
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
export function expectedRecords(partner: Partner, truth: Truth): Records {
  const lists = listsOf(partner)
  return new Map(
    [...recordsOf(truth, partner.family)].filter(([key]) => lists.includes(listOf(key))),
  )
}

/** The lists whose records a partner has; connector A has no items. */
export function listsOf({ family, list }: Partner): readonly List[] {
  if (list !== "changes") return [list]
  return family === "/connector-a/v1" ? ["guests"] : ["guests", "items"]
}

/** Names a partner, for messages. */
export function describePartner({ family, list, event, kind, limit }: Partner): string {
  const tags = kind.sendsTags ? ", with tags" : ""
  return `${family} event ${event} ${list}, by ${kind.by}, limit ${limit}${tags}`
}
