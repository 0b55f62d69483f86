import { type ClockStep, fullResync, sinceBefore } from "../../../core/capability.ts"

/** A place in the order of a walk: by time (Unix seconds), then by stream, then by id. */
export type FeedPosition = readonly [time: number, stream: number, id: string]

/** What a client has of an event after a page: the content of its cursor. Times are Unix seconds. */
export interface FeedState {
  /** It has all records as they were before this time, and none that changed later; -1 if it has none. */
  readonly since: number
  /** It was told of all deletions before this time. */
  readonly gone: number
  /** The walk that it is in; undefined once it has read all that there was. */
  readonly walk: { readonly after: FeedPosition; readonly bound: number } | undefined
  readonly mark: FeedMark | undefined
  /** The lists that the copy is of, by their names. */
  readonly lists: Readonly<Record<string, KnownList>>
}

/** The version of the event that a copy equals. */
export interface FeedMark {
  readonly version: string
  /** The walk delivered everything that changed or was deleted from this time on. */
  readonly from: number
  /** True once `since` is later than all that was delivered: the state then stays while nothing changes. */
  readonly isSettled: boolean
}

/** A list in a copy. */
export interface KnownList {
  /** Identifies the fields of its records. */
  readonly fields: string
  /** If the family no longer serves it: the client knows its deletions before this time. */
  readonly gone?: number | undefined
}

/** What is known of the event at the moment when a request is admitted. */
export interface FeedMoment {
  /** All changes that a later snapshot lacks are, or will be, stamped with this time or later. */
  readonly bound: number
  /** When the clock was set back. */
  readonly steps: readonly ClockStep[]
  /** Undefined while changes may go unnoticed. */
  readonly version: string | undefined
  /** The time of the newest record or deletion; -Infinity if there is none. */
  readonly newest: number
  /** True if there are several servers. */
  readonly areMany: boolean
  /** What identifies the fields of the lists that are served, by name. */
  readonly lists: Readonly<Record<string, string>>
}

/** The walk that a page belongs to. */
export interface FeedWalk extends Pick<FeedState, "since" | "gone" | "lists"> {
  /** Where it goes on; undefined for its first page. */
  readonly after: FeedPosition | undefined
  /** The `bound` of its first page. */
  readonly bound: number
  /** The version that all pages so far were read at; undefined if they differ. */
  readonly version: string | undefined
  /** True for a copy that was empty: no deletion before its first page concerns its records. */
  readonly isFresh: boolean
}

/** What is known of a page that was read. */
export interface PageRead {
  /** The version of the snapshot; undefined while changes may go unnoticed. */
  readonly version: string | undefined
  /** The time of the newest record or deletion there; -Infinity if there is none. */
  readonly newest: number
  /** The place of the last row, if more follow. */
  readonly last: FeedPosition | undefined
  /** The time from which the deletions of all lists that are served are known. */
  readonly completeSince: number
}

/** How an answer begins: with no news and nothing to read, or with a page of a walk. */
export type FeedStart = { readonly unchanged: FeedState } | { readonly walk: FeedWalk }

/** Returns the state of a client that begins at a moment, and gets its copy elsewhere afterwards. */
export function stateOfNow({ bound, lists }: FeedMoment): FeedState {
  // Without a mark: the copy may come from a server that does not have this version.
  const since = { since: bound, gone: bound }
  return { ...since, walk: undefined, mark: undefined, lists: knownOf(lists) }
}

/**
 * Goes on from a state, or begins with an empty copy.
 *
 * A walk delivers all records since `since` and all deletions since `gone`, oldest first. Changes during the walk get times
 * from its first page's `bound` on, where the next walk begins. So everything that a page has missed comes again.
 */
export function begin(state: FeedState | undefined, moment: FeedMoment): FeedStart {
  const { bound } = moment
  // After a restore, `completeSince` makes all earlier clients begin again, and no others.
  const steps = moment.steps.filter(({ backTo }) => backTo !== fullResync)
  if (!state) {
    const lists = knownOf(moment.lists)
    return { walk: { ...firstPage, since: -1, gone: bound, bound, lists, isFresh: true } }
  }
  const { walk, mark } = state
  const { lists, isAdded, gone: known } = compareLists(state, moment.lists)
  if (walk && !isAdded) {
    const { since, gone } = state
    const isFresh = false
    return { walk: { ...walk, since, gone, version: mark?.version, lists, isFresh } }
  }
  const since = isAdded ? -1 : sinceBefore(state.since, steps)
  const gone = sinceBefore(known, steps)
  if (!isAdded && mark && mark.version === moment.version && Math.min(since, gone) >= mark.from) {
    const unchanged = settled({ ...state, lists }, mark, moment)
    if (unchanged) return { unchanged }
  }
  // A clock that was set back unnoticed shows in a bound that is earlier.
  const from = { since: Math.min(since, bound), gone: Math.min(gone, bound) }
  return { walk: { ...firstPage, ...from, bound, lists, isFresh: false } }
}

const firstPage = { after: undefined, version: undefined }

/** Returns the state after a page; `resync` if deletions that the client was not told of are no longer known. */
export function end(walk: FeedWalk, page: PageRead): FeedState | "resync" {
  const { since, gone, bound, lists, after, isFresh } = walk
  if (!isFresh && page.completeSince > gone) return "resync"
  // A page of another version may have put back what an earlier page had brought.
  const version = after && walk.version !== page.version ? undefined : page.version
  const from = Math.max(since, gone)
  const isSettled = !page.last && page.newest < bound
  const mark = version === undefined ? undefined : { version, from, isSettled }
  if (page.last) return { since, gone, walk: { after: page.last, bound }, mark, lists }
  return { since: bound, gone: bound, walk: undefined, mark, lists }
}

/** Returns the time before which a client has everything, if its copy was empty or whole before. */
export function reachedBy({ since, walk }: Pick<FeedState, "since" | "walk">): number {
  return walk ? Math.min(walk.after[0], walk.bound) : since
}

/**
 * Moves a state after everything that was delivered, once, so that the client knew every deletion that is forgotten later.
 * With several servers, returns undefined, to deliver it once more: a server that was behind may have put back something
 * on a page whose cursor the client has not stored.
 */
function settled(
  state: FeedState,
  mark: FeedMark,
  { bound, newest, areMany }: FeedMoment,
): FeedState | undefined {
  if (mark.isSettled || newest >= bound) return state
  if (areMany) return undefined
  return { ...state, since: bound, gone: bound, mark: { ...mark, isSettled: true } }
}

function knownOf(served: FeedMoment["lists"]): FeedState["lists"] {
  return Object.fromEntries(Object.entries(served).map(([name, fields]) => [name, { fields }]))
}

/**
 * Compares the lists of a copy with those that are served. If one is new or has other fields, all records have to be read.
 * Its deletions go on from where they were, even if it was not served for a while.
 */
function compareLists(
  { lists: known, gone }: Pick<FeedState, "lists" | "gone">,
  served: FeedMoment["lists"],
): Pick<FeedState, "lists" | "gone"> & { readonly isAdded: boolean } {
  const left = Object.entries(known)
    .filter(([name]) => !Object.hasOwn(served, name))
    .map(([name, list]) => [name, { ...list, gone: list.gone ?? gone }])
  const returned = Object.keys(served).flatMap((name) => known[name]?.gone ?? [])
  return {
    lists: { ...Object.fromEntries(left), ...knownOf(served) },
    gone: Math.min(gone, ...returned),
    isAdded: returned.length > 0 ||
      Object.entries(served).some(([name, fields]) => known[name]?.fields !== fields),
  }
}
