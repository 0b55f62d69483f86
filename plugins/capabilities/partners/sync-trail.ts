import {
  Batch,
  boundedCache,
  type Database,
  defaultSince,
  type Exchange,
  type List,
  type MountedRoute,
  type Observer,
  type OpenBatch,
  rejectedParameters,
  type SentPage,
} from "../../../core/capability.ts"
import type { SyncRow } from "./definitions.ts"
import { lowerTimes } from "./lower-times.ts"
import {
  blankRow,
  type HourCounts,
  hourOf,
  mergeChanges,
  nameOf,
  type SyncChange,
} from "./sync-change.ts"
import { writeSync } from "./write-sync.ts"
import type { ListKind } from "./tables.ts"

/** Upper bound for the lists whose changes wait to be written. */
const most = 10_000

/**
 * Records how far each account is with each list: polls, walks, acknowledgements and errors. Folds them in memory
 * and writes them about once a second, in the background; never delays or fails a request.
 *
 * Counts lists of records, deletions and events, but no digests, and no HEAD. Requests with `q` or for a bucket are
 * polls but no walks: they leave records out. A walk that asks for changes since a time in the future completes nothing.
 * A 304 for the first of several pages completes one only if the walk before it was completed: the client may have the
 * tag of a page after which it broke off. A last page by `offset` completes one only if one began in the day before.
 * One of all records also completes the list of their deletions, whether the partner reads that or not.
 *
 * A page of a feed is as much as a walk of each of its lists, and one poll.
 */
export class SyncTrail {
  readonly #batch: Batch<Folded>
  /** What may still be added to, by the name of the list. */
  readonly #open = new Map<string, Folded>()
  /** The last first pages of walks, by the name of the list: a walk by `offset` covers what its first page says. */
  readonly #begun = boundedCache<SentPage>({ most, ttl: 86_400_000 })
  /** The names of the lists of deletions, by prefix and kind. */
  readonly #deletions: ReadonlyMap<string, string>

  constructor(
    database: Database,
    { batch, routes }: { readonly batch: OpenBatch; readonly routes: readonly MountedRoute[] },
  ) {
    this.#deletions = new Map(
      routes.flatMap((route) =>
        route.kind === "listing" && route.list.hasHorizon && !route.list.of
          ? [[`${route.prefix} ${kindOf(route.list)}`, route.list.name]]
          : []
      ),
    )
    let loweredAt = -Infinity
    const write = async (folded: readonly Folded[], signal: AbortSignal) => {
      for (const each of folded) {
        if (this.#open.get(each.name) === each) this.#open.delete(each.name)
      }
      // At once, if this clock was set back as well.
      if (Math.abs(Date.now() - loweredAt) > 60_000) {
        await lowerTimes(database.writer, database.dialect, signal)
        loweredAt = Date.now()
      }
      await writeSync(database, folded.map(({ change }) => change), signal)
    }
    this.#batch = batch(write, { name: "partners", delay: 1000, most })
  }

  /** Records a request for a list. */
  readonly record: Observer = (exchange) => {
    const { asked: { match, method }, decided: { admission }, sent: { page, pages, problem } } =
      exchange
    const route = match?.route
    if (!admission || route?.kind !== "listing" || method === "HEAD") return
    const { list } = route
    if (list.parts.length === 0) return
    const request = { exchange, route, admission }
    for (const [index, page] of pages.entries()) this.#recordPage(request, page, index === 0)
    // An error without a code is none of the service: the partner has asked for it, to try its program. And whoever asks
    // for a record that is gone can go on.
    if (page || !problem || problem.code === "record_not_found") return
    for (const [index, of] of (list.of ?? [list]).entries()) {
      this.#add(errorChange(request, problem.code, of, index === 0))
    }
  }

  #recordPage(request: ListExchange, page: SentPage, isPoll: boolean): void {
    const { status, whenSent } = request.exchange.sent
    const change = pageChange(rowOf(request, page.list), page, status, isPoll)
    this.#add(change)
    if (page.isFiltered) return
    const name = nameOf(change.row)
    const goesOn = page.hasNext && status !== 304
    if (page.isFirst && goesOn) this.#begun.set(name, page)
    if (goesOn || isAfterLast(page) || page.since > page.at) return
    const first = page.isFirst ? page : this.#begun.get(name)
    const isKnown = first !== undefined || page.cursor !== undefined
    const walk = isKept(page, status) ? "completed" : isKnown ? undefined : "begun"
    whenSent((sent) => {
      if (!sent) return
      const completion = {
        ...completionOf(change, page, first, isPoll),
        ...walk && { after: { name, walk } as const },
        ...walk === "completed" && { starts: startsOf(page) },
      }
      this.#add(completion)
      const deletions = this.#ofDeletions(completion, page)
      if (deletions) this.#add(deletions)
    })
  }

  /** Returns what a walk of all records completes besides: whoever replaces a copy has no deleted records in it. */
  #ofDeletions({ row, completed, after }: SyncChange, page: SentPage): SyncChange | undefined {
    const [walk] = completed
    if (!walk || walk.since > 0 || (row.kind !== "guests" && row.kind !== "items")) return undefined
    const kind = row.kind === "guests" ? "guest deletions" : "item deletions"
    const list = this.#deletions.get(`${row.prefix} ${kind}`)
    if (list === undefined) return undefined
    const nothing = ofNothing({ ...row, list, kind })
    return {
      ...nothing,
      row: { ...nothing.row, poll_interval: page.pollInterval },
      completed,
      ...after && { after },
    }
  }

  #add(change: SyncChange): void {
    // An error about an event that the account may not read waits apart: where it belongs is not known yet.
    const name = `${nameOf(change.row)} ${change.isReadable} ${change.after?.walk}`
    const open = this.#open.get(name)
    if (open) {
      open.change = mergeChanges(open.change, change)
      return
    }
    const folded = { name, change }
    if (this.#batch.numbers.waiting < most) this.#open.set(name, folded)
    this.#batch.add(folded)
  }
}

/** The changes of a list that have not been written yet. */
interface Folded {
  readonly name: string
  change: SyncChange
}

/** A request for a list. */
interface ListExchange {
  readonly exchange: Exchange
  readonly route: MountedRoute
  readonly admission: NonNullable<Exchange["decided"]["admission"]>
}

function rowOf({ exchange, route, admission }: ListExchange, list: List): SyncRow {
  return blankRow({
    account_id: admission.session.account.id,
    event_id: exchange.asked.input?.eventId?.value ?? "",
    prefix: route.prefix,
    list: list.name,
    family: route.plugin,
    kind: kindOf(list),
  })
}

function errorChange(
  request: ListExchange,
  code: string,
  list: List,
  isCounted: boolean,
): SyncChange {
  const { exchange, admission: { session: { now: at }, event } } = request
  const { status } = exchange.sent
  const row = rowOf(request, list)
  const isReadable = event !== undefined || row.event_id === ""
  // Requests over a limit come in any number: with invented events, each would wait apart.
  const isFlood = status === 429 && !isReadable
  return {
    row: {
      ...row,
      ...isFlood && { event_id: "" },
      first_error: at,
      error_at: at,
      error_status: status,
      error_code: code,
      error_request: exchange.asked.id,
      error_parameters: rejectedParameters(exchange)?.join(" ").slice(0, 60) || null,
    },
    isReadable: isReadable || isFlood,
    starts: [],
    completed: [],
    hours: [countsAt(at, { errors: Number(isCounted) })],
  }
}

/** Returns what a page changes, apart from the completion of a walk. */
function pageChange(
  row: SyncRow,
  page: SentPage,
  status: number,
  isPoll: boolean,
): SyncChange {
  const { at, since, pollInterval, feed } = page
  const records = status === 304 ? 0 : page.rows
  const starts = startsOf(page)
  const begins = starts.length > 0
  const applied = feed?.applied ?? since
  // A poll without `since`, or for everything, says nothing about what has been applied.
  const acknowledges = begins && since >= 0 && since !== defaultSince && applied <= at
  const lag = acknowledges ? Math.max(0, at - applied) : null
  return {
    row: {
      ...row,
      last_poll: at,
      poll_interval: pollInterval,
      first_started: begins ? at : null,
      ...acknowledges && { acknowledged: Math.min(applied, at), acknowledged_at: at },
      records,
    },
    isReadable: true,
    starts: isKept(page, status) ? [] : starts,
    completed: [],
    hours: [countsAt(at, { polls: Number(isPoll), records, lag })],
  }
}

/** True for a 304 for the first of several pages: what the client has of the others is not known from it. */
function isKept({ isFirst, hasNext }: SentPage, status: number): boolean {
  return status === 304 && isFirst && hasNext
}

/** Returns the walk that a page begins, if it begins one. */
function startsOf({ isFirst, isFiltered, at, since, nextSince }: SentPage): SyncChange["starts"] {
  if (!isFirst || isFiltered) return []
  return [{ walk_started: at, walk_since: since, walk_next: nextSince }]
}

/** Returns the change that a walk was completed: by its last page, and its first one if that is known. */
function completionOf(
  { row }: SyncChange,
  { at, since, nextSince, cursor, feed }: SentPage,
  first: SentPage | undefined,
  isCounted: boolean,
): SyncChange {
  // There are no records from before the default.
  const from = since <= defaultSince ? 0 : since
  // A cursor keeps the `Next-Since` of its walk, so another one is of another walk.
  const own = cursor !== undefined && first?.nextSince !== nextSince ? undefined : first
  const next = Math.max(from, Math.min(nextSince, own?.nextSince ?? nextSince))
  const reached = feed?.goesOn ? next : Math.max(next, own?.at ?? next)
  return {
    ...ofNothing(row),
    completed: [{ at, since: from, next, reached }],
    hours: [countsAt(at, { walks: Number(isCounted) })],
  }
}

/** Returns a change that changes nothing. */
function ofNothing(row: Parameters<typeof blankRow>[0]): SyncChange {
  return { row: blankRow(row), isReadable: true, starts: [], completed: [], hours: [] }
}

function countsAt(at: number, counts: Partial<HourCounts>): HourCounts {
  return { hour: hourOf(at), polls: 0, walks: 0, records: 0, errors: 0, lag: null, ...counts }
}

/** True for the empty page that clients read after the last one if they page by offset. */
function isAfterLast({ isFirst, rows, cursor }: SentPage): boolean {
  return !isFirst && rows === 0 && cursor === undefined
}

function kindOf({ categories, hasHorizon }: List): ListKind {
  if (!categories) return "other"
  const kind = categories.includes("guests") ? "guests" : "items"
  if (hasHorizon) return kind === "guests" ? "guest deletions" : "item deletions"
  return kind
}
