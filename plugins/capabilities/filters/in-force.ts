import { performance } from "node:perf_hooks"
import { setTimeout } from "node:timers/promises"
import { type CapabilityHost, retryLater } from "../../../core/capability.ts"
import { nameOfFilter } from "../../../core/filters.ts"
import type { ListLayer } from "../../../core/lists.ts"
import { Problem } from "../../../core/plugin.ts"
import { listsOfGuests, nameOfList, readFilters } from "./lists-of-guests.ts"

/** Milliseconds between two readings of the filters in force, if not others. */
const usualPause = 250

/** Returns the milliseconds for which a reading counts: a process may use a former filter for this long. */
export function freshFor({ every = usualPause }: Pick<CapabilityHost, "every">): number {
  return 4 * every
}

const refusal =
  "Another process of the service has put another choice of guests in force. Try again shortly."

/**
 * Refuses the guests of a family (503) while another process has put another filter in force, because nobody would take
 * back what this one sends. Reads the filters in the background; a request reads them only after a pause of the process.
 */
export function inForceLayer(
  { database, plan, closing, every = usualPause }: CapabilityHost,
): ListLayer {
  const longest = freshFor({ every })
  const lists = listsOfGuests(plan.routes)
  const families = new Set(lists.map(({ prefix }) => prefix))
  /** The paths of the families that have another filter in this process. */
  let differing: ReadonlySet<string> = new Set()
  let begun = performance.now()
  const read = async () => {
    begun = performance.now()
    const rows = await readFilters(database.writer)
    const others = lists.filter((list) => {
      const name = nameOfFilter(list.next)
      return (rows.get(nameOfList(list))?.filter ?? name) !== name
    })
    differing = new Set(others.map(({ prefix }) => prefix))
  }
  // While the primary is away, what it said last remains: nobody can change a filter there.
  const readOrKeep = () => read().catch(() => {})
  const follow = async () => {
    while (!closing.aborted) {
      await setTimeout(every, undefined, { signal: closing, ref: false }).catch(() => {})
      await readOrKeep()
    }
  }
  const first = readOrKeep()
  void first.then(follow)

  const assertInForce = async (prefix: string) => {
    await first
    // The filters that this process has put in force may not have been committed when they were read.
    if (performance.now() - begun > longest || differing.has(prefix)) await readOrKeep()
    if (differing.has(prefix)) throw new Problem("unavailable", refusal, retryLater)
  }
  return {
    async begin(_, { prefix, list }) {
      const isOfGuests = (list.of ?? [list]).some(({ categories }) =>
        categories?.includes("guests")
      )
      if (!isOfGuests || !families.has(prefix)) return undefined
      await assertInForce(prefix)
      return {
        async answer(_, next) {
          const answered = await next()
          // It may have waited for a change. A response that has begun cannot be refused any more.
          if (!answered.streamed) await assertInForce(prefix)
          return answered
        },
      }
    },
  }
}
