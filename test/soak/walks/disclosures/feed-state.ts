import type { FeedPage } from "../../../support/partner/feed-reader.ts"

/** A cursor of the feed, and the copy that a partner has with it. */
export interface FeedState {
  /** Undefined with an empty copy. */
  readonly cursor: string | undefined
  /** When the copy was begun. */
  readonly began: number
  /** True once it has had all guests. */
  readonly isWhole: boolean
  readonly copy: ReadonlySet<string>
  /** The deletions that were on its pages, as `id time`. */
  readonly deletions: ReadonlySet<string>
}

/** Returns the state of a partner that has nothing. */
export function emptyState(now: number): FeedState {
  const nothing = new Set<string>()
  return { cursor: undefined, began: now, isWhole: false, copy: nothing, deletions: nothing }
}

/** Returns the state after a page. */
export function stateAfter(state: FeedState, { changes, next, more }: FeedPage): FeedState {
  const copy = new Set(state.copy)
  const deletions = new Set(state.deletions)
  for (const { id, deleted } of changes) {
    if (deleted === undefined) {
      copy.add(id)
    } else {
      copy.delete(id)
      deletions.add(`${id} ${deleted}`)
    }
  }
  return { ...state, cursor: next, isWhole: state.isWhole || !more, copy, deletions }
}

/** True if a partner with this state knows that a guest was deleted: from a page, or by a copy that was begun later. */
export function knowsOf(
  { isWhole, began, copy, deletions }: FeedState,
  { id, at }: { readonly id: string; readonly at: number },
): boolean {
  return deletions.has(`${id} ${at}`) || (isWhole && at < began && !copy.has(id))
}
