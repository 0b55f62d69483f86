import type { Kind } from "./kinds.ts"

/** Records of an event that a comparison finds gone, and does not delete before an operator says so. */
export interface HeldDeletions {
  readonly event: string
  readonly kind: Kind
  /** How many would be deleted, of how many that are there. */
  readonly gone: number
  readonly known: number
}

/** So few deletions are never a slip. */
const few = 20

/** The largest part of an event's records that a comparison deletes. */
const mostPart = 0.1

/**
 * Returns true if so many records of an event are gone at once that it may be a slip: a source that is half restored, a
 * condition of the mapping that went wrong, somebody's `delete` without a `where`.
 */
export function isSuspicious(
  { gone, known }: { readonly gone: number; readonly known: number },
): boolean {
  return gone > few && gone > known * mostPart
}
