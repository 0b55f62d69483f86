import { sinceBefore } from "../../change-log/clock-steps.ts"
import { assertReached } from "../../change-log/heartbeat.ts"
import { defaultSince, type Positions } from "../../records/page.ts"
import { continueWalk, type CursorBinding, type Cursors, type WalkStep } from "./cursor.ts"
import type { ListRequest } from "./page-cache.ts"
import type { ListQuery } from "./query.ts"

/** The operator's settings about polling; times in seconds. */
export interface Polling {
  /** How far `Next-Since` is behind the clock where open changes cannot be seen. */
  readonly lag: number
  /** How long changes and deletions are kept. */
  readonly retention: number
  /** The recommended time between polls, by the event's status. */
  readonly intervals: {
    readonly running: number
    readonly upcoming: number
    readonly closed: number
  }
  /** The recommended times of single accounts, by their names. */
  readonly accounts: Readonly<Record<string, { readonly poll_interval?: number | undefined }>>
}

/** The walk that a request begins or continues. */
export interface Walk extends WalkStep {
  /** The query of the request. That of the walk differs if a cursor says so, or if the clock was set back. */
  readonly given: ListQuery
  readonly binding: CursorBinding
}

/** Begins and continues walks through lists. */
export class Walks {
  readonly #cursors: Cursors
  readonly #polling: Polling

  constructor({ cursors, polling }: {
    readonly cursors: Cursors
    readonly polling: Polling
  }) {
    this.#cursors = cursors
    this.#polling = polling
  }

  /**
   * Returns the walk of a request.
   *
   * @throws {Problem} 400 or 410 for a cursor that cannot be used. @throws {ServerBehind}
   */
  of(request: ListRequest): Walk {
    const { route, input, node, admission: { session: { account, now }, event, heartbeat } } =
      request
    const watermark = watermarkOf(request)
    const given = input.query?.value
    if (!given) throw new TypeError("an authorized list has a query")
    const binding = { accountId: account.id, route: route.pattern.text, eventId: event?.id ?? "" }
    const { lag } = this.#polling
    const { cursor } = given
    if (cursor === undefined) {
      // Whoever sends none has read nothing before.
      const { steps } = heartbeat ?? node.changes
      const isAsGiven = given.since === defaultSince || steps.length === 0
      const since = isAsGiven ? given.since : sinceBefore(given.since, steps)
      const query = { ...given, since }
      return { given, binding, query, nextSince: watermark ?? now - lag }
    }
    const step = continueWalk({ ...given, cursor }, {
      binding,
      now,
      cursors: this.#cursors,
      lag: watermark === undefined ? lag : Infinity,
    })
    if (heartbeat) assertReached(heartbeat, step.nextSince, node.isPrimary)
    return { given, binding, ...step }
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

  /** Returns the recommended time until the next poll, in seconds. */
  intervalOf({ admission: { session, event } }: ListRequest): number {
    const { closed, upcoming, running } = intervalsFor(session.account.username, this.#polling)
    const { status } = event ?? {}
    // Statuses of the operator's own count as running.
    return status === "closed" ? closed : status === "upcoming" || !event ? upcoming : running
  }
}

/** Returns the time from which to read the next time; undefined if open changes cannot be seen. */
function watermarkOf(
  { watermark, admission: { heartbeat } }: Pick<ListRequest, "watermark" | "admission">,
): number | undefined {
  // What the process knew before the admission: whatever commits later is stamped with that time, or later.
  if (!heartbeat) return watermark
  // A heartbeat is of the snapshot itself. All servers in use have what is before its floor.
  return heartbeat.floor ?? heartbeat.watermark
}

/** Returns true if a query leaves out records of its range. */
export function isFiltered({ terms, bucket, hash, category }: ListQuery): boolean {
  return terms.length > 0 || Boolean(bucket || hash || category)
}

/**
 * Returns the recommended times between polls of an account; without a name, those of most accounts. The time of an
 * account replaces that of running events, and is the least of all others.
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
