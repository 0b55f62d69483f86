import { sinceBefore } from "../../change-log/clock-steps.ts"
import { assertReached } from "../../change-log/heartbeat.ts"
import { walkLifetime } from "../../change-log/walk-lifetime.ts"
import { privateHeaders } from "../../http/answer.ts"
import { usualProblem } from "../../http/problems.ts"
import { defaultSince, type Positions } from "../../records/lists/page.ts"
import type { Numbers } from "../../routes/contract.ts"
import type { ListRequest } from "../authorize.ts"
import type { Cursors, WalkState } from "./cursor.ts"
import { invalidParameter, type ListQuery, notACursor } from "./query.ts"
import type { CursorBinding } from "./signed-text.ts"

/** The operator's settings about polling; times in seconds. */
export interface Polling {
  /** The recommended time between polls, by the event's status. */
  readonly intervals: Numbers["polling"]["intervals"]
  /** The recommended times of single accounts, by their names. */
  readonly accounts: Readonly<Record<string, { readonly poll_interval?: number | undefined }>>
}

/** The walk that a request begins or continues. */
export interface Walk {
  /** The query of the request. */
  readonly requested: ListQuery
  /** The query of the walk. It differs if a cursor says so, or if the clock was set back. */
  readonly query: ListQuery
  /** True if it leaves out records of its range. */
  readonly isFiltered: boolean
  /** `Next-Since` of the walk's first page, in Unix seconds. */
  readonly nextSince: number
  readonly binding: CursorBinding
}

/** Begins and continues walks through lists. */
export class Walks {
  readonly #cursors: Cursors
  readonly #polling: Polling

  constructor(cursors: Cursors, polling: Polling) {
    this.#cursors = cursors
    this.#polling = polling
  }

  /**
   * Returns the walk of a request.
   * @throws {Problem} 400 if `since` is over a minute ahead of the clock, if the cursor is not of this list or other
   *   parameters contradict it; 410 if it has expired.
   * @throws {ServerBehind} if the server may lack what the walk has seen.
   */
  of(request: ListRequest): Walk {
    const { route, input, node, admission: { session: { account, now }, event, heartbeat } } =
      request
    const requested = input.query?.value
    if (!requested) throw new TypeError("an authorized list has a query")
    const binding = { accountId: account.id, route: route.pattern.text, eventId: event?.id ?? "" }
    if (requested.cursor === undefined) {
      // A client without a `since` has read nothing before.
      const { steps } = request
      const isUnchanged = requested.since === defaultSince || steps.length === 0
      const since = isUnchanged ? requested.since : sinceBefore(requested.since, steps)
      const nextSince = this.boundOf(request)
      if (since > Math.max(now, nextSince) + mostAhead) {
        const why =
          `is in the future: the clock is at ${now}. Send the Next-Since of your last poll`
        throw invalidParameter("since", String(requested.since), why)
      }
      const query = { ...requested, since }
      return { requested, binding, query, isFiltered: isFiltered(query), nextSince }
    }
    const soFar = this.#cursors.open(requested.cursor, binding)
    if (!soFar) throw invalidParameter("cursor", requested.cursor, notACursor)
    const { q, nextSince, issued, ...walked } = soFar
    assertSame(requested, soFar)
    if (now - issued > walkLifetime) throw usualProblem("cursor_expired")
    if (heartbeat) assertReached(heartbeat, nextSince, node.isPrimary)
    const terms = q === "" ? [] : q.split(" ")
    const query = { ...requested, ...walked, terms, offset: 0 }
    return { requested, binding, query, isFiltered: isFiltered(query), nextSince }
  }

  /** Returns the `Next-Since` that a walk has which the request begins: later commits are stamped with it, or later. */
  boundOf(request: ListRequest): number {
    const { watermark, admission: { heartbeat } } = request
    // What the process knew before the admission: whatever commits later is stamped with that time, or later.
    if (!heartbeat) return watermark
    // A heartbeat is of the snapshot itself. All servers in use have what is before its floor.
    return heartbeat.floor ?? heartbeat.watermark
  }

  /** Returns the URL that continues a walk. */
  urlOf(
    { query, nextSince, binding }: Walk,
    after: Positions,
    { incoming: { url }, admission }: ListRequest,
  ): string {
    const { terms, since, limit, bucket = "", hash = "", category = "" } = query
    const issued = admission.session.now
    const filters = { q: terms.join(" "), bucket, hash, category }
    const cursor = this.#cursors.seal(
      { ...filters, since, limit, nextSince, issued, after },
      binding,
    )
    return `${url.origin}${url.pathname}?cursor=${cursor}`
  }

  /** Returns the headers of every answer about a list. */
  headersOf(request: ListRequest): Record<string, string> {
    const { fields } = request.route.list
    const pollInterval = String(this.intervalOf(request))
    return {
      ...privateHeaders,
      "poll-interval": pollInterval,
      ...fields !== undefined && { fields },
    }
  }

  /** Returns the recommended time until the next poll, in seconds. Statuses of the operator's own count as running. */
  intervalOf({ admission: { session, event } }: ListRequest): number {
    const intervals = intervalsFor(session.account.username, this.#polling)
    const status = event?.status ?? "upcoming"
    return status === "closed" || status === "upcoming" ? intervals[status] : intervals.running
  }
}

/** Seconds that a `since` may be ahead of the clock: it would return nothing, silently. */
const mostAhead = 60

/** Checks that what a request says beside its cursor is as the cursor says. @throws {Problem} 400 if it is not. */
function assertSame(query: ListQuery, walk: WalkState): void {
  const values = { ...query, q: query.terms.join(" ") }
  for (const name of ["q", "since", "limit", "bucket", "hash", "category"] as const) {
    if (!query.named.has(name) || values[name] === walk[name]) continue
    throw invalidParameter(name, String(values[name]), "differs from the cursor: leave it out")
  }
}

function isFiltered({ terms, bucket, hash, category }: ListQuery): boolean {
  return terms.length > 0 || Boolean(bucket || hash || category)
}

/**
 * Returns the recommended times between polls of an account, or of most accounts. An account's interval replaces the
 * one of running events, and is the least of all others.
 */
export function intervalsFor(
  username: string | undefined,
  { intervals, accounts }: Pick<Polling, "intervals" | "accounts">,
): Polling["intervals"] {
  const isSpecial = username !== undefined && Object.hasOwn(accounts, username)
  const interval = isSpecial ? accounts[username]?.poll_interval : undefined
  const least = interval ?? 0
  return {
    running: interval ?? intervals.running,
    upcoming: Math.max(intervals.upcoming, least),
    closed: Math.max(intervals.closed, least),
  }
}
