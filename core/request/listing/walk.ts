import { type CursorBinding, cursorLifetime, type Cursors } from "./cursor.ts"
import { notACursor, type Query, refuse } from "./query.ts"
import type { Polling } from "./poll-interval.ts"
import { Problem } from "../../http/problems.ts"

/** What a query asks for, once its cursor has been read. */
export interface Continued {
  readonly query: Query
  readonly nextSince: number
}

/**
 * Begins a walk, or goes on with the one that the query's cursor is of: with what was asked for at
 * its start, and with the `Next-Since` of its first page.
 *
 * @throws {Problem} where the cursor cannot be used, or is given together with other parameters
 *   than those of its walk.
 */
export function continueWalk(
  query: Query,
  { binding, now, services: { cursors, polling } }: {
    readonly binding: CursorBinding
    readonly now: number
    readonly services: { readonly cursors: Cursors; readonly polling: Polling }
  },
): Continued {
  if (query.cursor === undefined) return { query, nextSince: now - polling.lag }
  const walk = cursors.open(query.cursor, binding)
  if (!walk) throw refuse("cursor", query.cursor, notACursor)
  const asked = { ...query, q: query.terms.join(" ") }
  for (const name of ["q", "since", "limit", "bucket"] as const) {
    if (!query.given.has(name) || asked[name] === walk[name]) continue
    throw refuse(name, String(asked[name]), "is not that of the cursor: leave it out")
  }
  // A clock that was set back further than the lag makes the walk's Next-Since one of the future.
  if (now - walk.issued > cursorLifetime || walk.issued - now > polling.lag) {
    throw new Problem(
      "cursor_expired",
      "A cursor can be used for a day. Start again without it, with the same since as before.",
    )
  }
  const { since, limit, bucket, after, nextSince } = walk
  const terms = walk.q === "" ? [] : walk.q.split(" ")
  return { query: { ...query, since, limit, bucket, terms, after, offset: 0 }, nextSince }
}
