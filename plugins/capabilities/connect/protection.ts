import type { GoneRecords } from "./comparison.ts"
import type { SourceKind } from "./kinds.ts"

/** Records of an event that a comparison finds gone, and that are deleted only once an operator says so. */
export interface HeldDeletions {
  /** Empty for events and organizations. */
  readonly event: string
  readonly kind: SourceKind
  /** How many would be deleted, of how many that are there. */
  readonly gone: number
  readonly known: number
}

/** The most deletions that are never taken for a slip. */
const few = 20

/** The largest part of the records that a comparison deletes. */
const mostPart = 0.1

/**
 * Returns the deletions that wait until an operator confirms them. They may be a slip if too much is gone at once from an
 * event, from one of its kinds, from a kind in all events, or from everything; or if a kind has no rows any more, even if
 * it had few: a source is half restored, a condition of the mapping is wrong, somebody ran a `delete` without a `where`.
 */
export function findHeld(
  gone: readonly GoneRecords[],
  sizes: ReadonlyMap<string, number>,
  isMeant: (event: string) => boolean,
): HeldDeletions[] {
  const suspicious = findSuspicious(gone, sizes)
  return gone.filter(({ event, ids }) =>
    suspicious.has(event) && !(event === "" ? ids.every(isMeant) : isMeant(event))
  ).map(({ event, kind, ids }) => ({
    ...{ event, kind, gone: ids.length },
    known: sizes.get(`${event}/${kind}`) ?? ids.length,
  }))
}

/** Returns the events that lose too much. Events themselves are deleted only if nothing belongs to them any more. */
function findSuspicious(
  gone: readonly GoneRecords[],
  sizes: ReadonlyMap<string, number>,
): ReadonlySet<string> {
  const events = gone.filter(({ isAll }) => isAll).map(({ event }) => event)
  const losses = gone.filter(({ event }) => event !== "")
  const scopes = [
    (event: string, kind: string) => `${event}/${kind}`,
    (event: string) => event,
    (_: string, kind: string) => kind,
    () => "",
  ]
  for (const scopeOf of scopes) {
    const known = new Map<string, number>()
    const lost = new Map<string, number>()
    for (const [name, size] of sizes) {
      const [event = "", kind = ""] = name.split("/")
      if (event !== "") add(known, scopeOf(event, kind), size)
    }
    for (const { event, kind, ids } of losses) add(lost, scopeOf(event, kind), ids.length)
    for (const { event, kind } of losses) {
      const scope = scopeOf(event, kind)
      const most = Math.max(few, mostPart * (known.get(scope) ?? 0))
      if ((lost.get(scope) ?? 0) > most) events.push(event)
    }
  }
  return new Set(events)
}

function add(sums: Map<string, number>, name: string, size: number): void {
  sums.set(name, (sums.get(name) ?? 0) + size)
}
