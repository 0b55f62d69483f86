import type { List, SentPage } from "../../../core/capability.ts"
import type { ChangeKey } from "./oldest-first.ts"
import { type FeedLists, listOf } from "./routes.ts"
import { type FeedState, type FeedWalk, reachedBy } from "./walk.ts"

/** A page of a feed that was sent. */
export interface SentChanges {
  readonly feed: FeedLists
  /** The walk of the page; undefined if nothing had to be read. */
  readonly walk: FeedWalk | undefined
  /** The state of the request; undefined if it had none. */
  readonly asked: FeedState | undefined
  readonly next: FeedState
  readonly changes: readonly ChangeKey[]
  /** The `bound` of the request's moment. */
  readonly bound: number
}

/** What the pages of all lists of an answer have in common. */
type Common = Pick<SentPage, "at" | "pollInterval">

/**
 * Returns a page of a feed as pages of its lists: each is like the page of a whole walk, from the time that the client had
 * reached to the time that it reaches with it. So what judges walks need not know feeds.
 *
 * A walk of all records tells only at its end which deletions the client knows: until then, its old records may still be
 * there.
 */
export function sharesOf(sent: SentChanges, common: Common): readonly SentPage[] {
  const { feed: { records, deletions }, walk, next } = sent
  return Object.entries(records).flatMap(([name, list]) => {
    const share = shareOf(sent, { list, isDeleted: false, name }, common)
    const gone = deletions[name]
    const isAll = walk !== undefined && walk.since < 0
    if (!gone || (isAll && next.walk)) return [share]
    const ofDeletions = shareOf(sent, { list: gone, isDeleted: true, name }, common)
    const { since } = isAll ? walk : ofDeletions
    return [share, { ...ofDeletions, since, range: { ...ofDeletions.range, from: since } }]
  })
}

/** Returns the whole page, for what counts requests. */
export function wholeOf(sent: SentChanges, list: List, common: Common): SentPage {
  const { next, changes } = sent
  return { ...pageOf(sent, changes, common), list, hasNext: next.walk !== undefined }
}

function shareOf(
  sent: SentChanges,
  { list, isDeleted, name }: {
    readonly list: List
    readonly isDeleted: boolean
    readonly name: string
  },
  common: Common,
): SentPage {
  const own = sent.changes.filter((change) =>
    change.isDeleted === isDeleted && listOf(change.category) === name
  )
  const { bound, walk, next } = sent
  const feed = {
    bound: walk?.bound ?? bound,
    applied: walk ? undefined : bound,
    goesOn: next.walk !== undefined,
  }
  return { ...pageOf(sent, own, common), list, feed }
}

function pageOf(
  { walk, asked, next }: SentChanges,
  changes: readonly ChangeKey[],
  { at, pollInterval }: Common,
): Omit<SentPage, "list"> {
  const since = sinceOf(walk, asked)
  const span = spanOf(changes)
  const to = next.walk ? next.walk.after[0] : Math.max(at, span?.newest ?? 0)
  return {
    ...{ at, pollInterval, since, span },
    rows: changes.length,
    nextSince: Math.max(since, reachedBy(next)),
    isFirst: true,
    isFiltered: false,
    range: { from: since, to },
    leftOut: [],
    hasNext: false,
  }
}

/** Returns the time that a client had reached before a page. */
function sinceOf(walk: FeedWalk | undefined, asked: FeedState | undefined): number {
  if (!walk) return asked?.since ?? -1
  const { since, after, bound } = walk
  return reachedBy({ since, walk: after && { after, bound } })
}

function spanOf(changes: readonly ChangeKey[]): SentPage["span"] {
  const [first, last] = [changes[0], changes.at(-1)]
  return first && last && { oldest: first.time, newest: last.time }
}
