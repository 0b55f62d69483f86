import { performance } from "node:perf_hooks"
import { type Database, retryLater, translateError } from "../../../core/capability.ts"
import { nameOfFilter } from "../../../core/filters.ts"
import type { ListLayer } from "../../../core/lists.ts"
import { type MountedRoute, Problem } from "../../../core/plugin.ts"
import { listsOfGuests, nameOfList, readFilters } from "./lists-of-guests.ts"

/** Milliseconds for which a reading counts: so long a process may answer by a former filter. */
export const freshFor = 250

const refusal =
  "Another process of the service has put another choice of guests in force. Try again shortly."

/**
 * Refuses the guests of a family (503) while another process has put another filter in force: nobody would take back what
 * is sent by this one.
 */
export function inForceLayer(database: Database, routes: readonly MountedRoute[]): ListLayer {
  const families = Map.groupBy(listsOfGuests(routes), ({ prefix }) => prefix)
  let last: { readonly begun: number; readonly rows: ReturnType<typeof readFilters> } | undefined
  const read = async () => {
    const begun = performance.now()
    if (!last || begun - last.begun > freshFor) last = { begun, rows: readFilters(database.writer) }
    return await last.rows.catch((error: unknown) => {
      throw translateError(error)
    })
  }
  return {
    async begin(_, { prefix, list }) {
      const lists = families.get(prefix)
      const isOfGuests = (list.of ?? [list]).some(({ categories }) =>
        categories?.includes("guests")
      )
      if (!lists || !isOfGuests) return undefined
      const assertInForce = async () => {
        const rows = await read()
        const isOther = lists.some((each) => {
          const name = nameOfFilter(each.next)
          return (rows.get(nameOfList(each))?.filter ?? name) !== name
        })
        if (isOther) throw new Problem("unavailable", refusal, retryLater)
      }
      await assertInForce()
      return {
        async answer(_, next) {
          const answered = await next()
          // It may have waited for a change. What is sent while it is read cannot be refused any more.
          if (!answered.streamed) await assertInForce()
          return answered
        },
      }
    },
  }
}
