import { sql } from "kysely"
import { contentOf, itemCategories, type Snapshot } from "../../../core/capability.ts"
import type { ListFilter } from "./list-filters.ts"

/** A list of deletions with some that no completed walk has contained. */
interface UnreadDeletions {
  readonly account_id: string
  readonly event_id: string
  readonly kind: string
  readonly covered: number
  /** The place of its filter among all; -1 if it has none. */
  readonly filter: number
}

/** The most deletions that are counted per event and kind. */
const mostCounted = 100
/** The most events and kinds in which they are counted. */
const mostPlaces = 50

/** A number of deletions; `more` if there are even more. */
interface DeletionCount {
  readonly count: number
  readonly more: boolean
}

/** Counts the deletions that wait, by account. Reads a bounded number of rows in one statement. */
export async function countDeletions(
  { db, run }: Snapshot,
  filters: readonly ListFilter[],
  unread: readonly UnreadDeletions[],
): Promise<ReadonlyMap<string, DeletionCount>> {
  const nameOf = ({ event_id, kind, filter }: UnreadDeletions) => `${event_id} ${kind} ${filter}`
  const places = [...Map.groupBy(unread, nameOf).values()]
  const counted = places.slice(0, mostPlaces)
  const branches = counted.map((lists, place) => {
    const [{ event_id: eventId, kind, filter }] = lists as [UnreadDeletions]
    const from = Math.min(...lists.map(({ covered }) => covered))
    const own = { eventId, filter: filters[filter]?.filter }
    const deletions = kind === "guest deletions"
      ? contentOf({ db }, "guests", own).deletions
      : db.selectFrom("deletion").where("deletion.event_id", "=", eventId)
        .where("deletion.category", "in", itemCategories)
    const latest = deletions
      .select([sql.lit(place).as("place"), "deletion.at"])
      .where("deletion.at", ">=", from)
      .orderBy("deletion.at", "desc")
      .limit(mostCounted + 1)
    return db.selectFrom(latest.as(`place_${place}`)).selectAll()
  })
  const [first, ...others] = branches
  const rows = first
    ? await run(others.reduce((united, other) => united.unionAll(other), first))
    : []
  const times = Map.groupBy(rows, ({ place }) => place)
  const counts = new Map<string, DeletionCount>()
  for (const [place, lists] of places.entries()) {
    for (const { account_id, covered } of lists) {
      const { count, more } = counts.get(account_id) ?? { count: 0, more: false }
      const found = (times.get(place) ?? []).filter(({ at }) => at >= covered).length
      counts.set(account_id, {
        count: count + Math.min(found, mostCounted),
        more: more || found > mostCounted || place >= mostPlaces,
      })
    }
  }
  return counts
}
