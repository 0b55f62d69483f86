import {
  Batch,
  boundedCache,
  type CapabilityHost,
  type Database,
  defaultSince,
  type Exchange,
  type List,
  type Observer,
  type SentPage,
} from "../../../core/capability.ts"
import type { MountedRoute } from "../../../core/plugin.ts"
import { lowerTimes } from "./lower-times.ts"
import { type EndPoll, nameOf, type PagePoll, type SyncList, type WalkStart } from "./progress.ts"
import type { ListKind } from "./tables.ts"
import { type ListPoll, writeSync } from "./write-sync.ts"

/** The most batches that wait to be written (one per account, event and family), and the most polls in each. */
const most = 10_000

/**
 * Records each account's progress on each list: polls, walks, acknowledgements and errors. Writes them about once a
 * second, in the background; never delays or fails a request.
 *
 * Counts lists of records, deletions and events, but not digests or HEAD requests. Requests with `q` or a bucket are
 * polls but not walks: they leave records out. A walk with a `since` in the future completes nothing. A 304 for the
 * first of several pages completes a walk only if the previous walk was completed: the client may have broken off after
 * the page whose tag it sends. A last page by `offset` completes a walk only if one began within the last day. A walk
 * of all records also completes the list of their deletions, whether or not the partner reads that.
 *
 * A page of a feed counts as a walk of each of its lists.
 */
export class SyncTrail {
  readonly #batch: Batch<Waiting>
  /** Batches that can still take polls, by account, event and family. */
  readonly #open = new Map<string, Waiting>()
  /** The first page of the latest walk of each list, by name: a walk by `offset` covers what its first page says. */
  readonly #begun = boundedCache<SentPage>({ most, ttl: 86_400_000 })
  /** The names of the lists of deletions, by prefix and kind. */
  readonly #deletions: ReadonlyMap<string, string>

  constructor(
    database: Database,
    { batch, routes }: {
      readonly batch: CapabilityHost["batch"]
      readonly routes: readonly MountedRoute[]
    },
  ) {
    this.#deletions = new Map(
      routes.flatMap((route) =>
        route.kind === "listing" && route.list.hasHorizon && !route.list.of
          ? [[`${route.prefix} ${kindOf(route.list)}`, route.list.name]]
          : []
      ),
    )
    let loweredAt = -Infinity
    const write = async (waiting: readonly Waiting[], signal: AbortSignal) => {
      for (const each of waiting) {
        if (this.#open.get(each.name) === each) this.#open.delete(each.name)
      }
      // Runs at once if this machine's clock was set back as well.
      if (Math.abs(Date.now() - loweredAt) > 60_000) {
        await lowerTimes(database.writer, database.dialect, signal)
        loweredAt = Date.now()
      }
      await writeSync(database, waiting.flatMap(({ polls }) => polls), signal)
    }
    this.#batch = batch(write, { name: "partners", most })
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
    for (const page of pages) this.#recordPage(request, page)
    // Errors without a code were requested by the partner to test its program. And a request for a record that is gone
    // does not hold the partner up.
    if (page || !problem || problem.code === "record_not_found") return
    for (const of of list.of ?? [list]) this.#add(errorOf(request, problem.code, of))
  }

  #recordPage(request: ListExchange, page: SentPage): void {
    const { status, isWhole } = request.exchange.sent
    const read = pageOf(listOf(request, page.list), page, status)
    this.#add(read)
    if (page.isFiltered) return
    const name = nameOf(read.list)
    const goesOn = page.hasNext && status !== 304
    if (page.isFirst && goesOn) this.#begun.set(name, page)
    if (!isWhole || goesOn || isAfterLast(page) || page.since > page.at) return
    const first = page.isFirst ? page : this.#begun.get(name)
    const isKnown = first !== undefined || page.cursor !== undefined
    const after = isKept(page, status) ? "completed" : isKnown ? undefined : "begun"
    const end = endOf(read.list, page, first, after)
    const deletions = this.#deletionsWith(read.list, end.poll.since)
    if (deletions) {
      const { walk: _, ...poll } = { ...end.poll, interval: page.pollInterval }
      // Add this first: it is judged by the walked list's row before that list's own end changes it.
      this.#add({ ...end, list: deletions, of: read.list, poll })
    }
    this.#add(end)
  }

  /**
   * Returns the list of deletions that a walk of all records completes as well: a copy that was replaced has no deleted
   * records.
   */
  #deletionsWith(read: SyncList, since: number): SyncList | undefined {
    if (since > 0 || (read.kind !== "guests" && read.kind !== "items")) return undefined
    const kind = read.kind === "guests" ? "guest deletions" : "item deletions"
    const list = this.#deletions.get(`${read.prefix} ${kind}`)
    return list === undefined ? undefined : { ...read, list, kind }
  }

  #add(poll: ListPoll): void {
    const { account_id, event_id, prefix } = poll.list
    const name = `${account_id} ${event_id} ${prefix}`
    const open = this.#open.get(name)
    if (open) {
      if (open.polls.length < most) open.polls.push(poll)
      return
    }
    const waiting = { name, polls: [poll] }
    if (this.#batch.numbers.waiting < most) this.#open.set(name, waiting)
    this.#batch.add(waiting)
  }
}

/** The polls of one account, event and family that wait to be written. */
interface Waiting {
  readonly name: string
  readonly polls: ListPoll[]
}

/** A request for a list. */
interface ListExchange {
  readonly exchange: Exchange
  readonly route: MountedRoute
  readonly admission: NonNullable<Exchange["decided"]["admission"]>
}

function listOf({ exchange, route, admission }: ListExchange, list: List): SyncList {
  return {
    account_id: admission.session.account.id,
    event_id: exchange.asked.input?.eventId?.value ?? "",
    prefix: route.prefix,
    list: list.name,
    family: route.plugin,
    kind: kindOf(list),
  }
}

function errorOf(request: ListExchange, code: string, of: List): ListPoll {
  const { exchange, admission: { session: { now: at }, event } } = request
  const { asked: { id }, sent: { status } } = exchange
  const list = listOf(request, of)
  const isReadable = event !== undefined || list.event_id === ""
  // There may be any number of requests over a limit: with invented events, each would take a batch of its own.
  const isFlood = status === 429 && !isReadable
  const parameters = exchange.rejected?.join(" ").slice(0, 60) || null
  return {
    list: isFlood ? { ...list, event_id: "" } : list,
    isReadable: isReadable || isFlood,
    poll: { type: "error", at, status, code, request: id, parameters },
  }
}

/** Returns the poll for a page, apart from the end of a walk. */
function pageOf(list: SyncList, page: SentPage, status: number): ListPoll {
  const { at, since, pollInterval: interval, feed } = page
  const records = status === 304 ? 0 : page.rows
  const walk = startOf(page)
  const applied = feed?.applied ?? since
  // A poll without `since`, or for everything, does not tell what has been applied.
  const acknowledges = walk && since >= 0 && since !== defaultSince && applied <= at
  const poll: PagePoll = {
    ...{ type: "page", at, interval, records },
    ...walk && !isKept(page, status) && { walk },
    ...acknowledges && { applied },
  }
  return { list, poll, isReadable: true }
}

/** True for a 304 for the first of several pages: it does not tell which of the others the client has. */
function isKept({ isFirst, hasNext }: SentPage, status: number): boolean {
  return status === 304 && isFirst && hasNext
}

/** Returns the walk that a page begins, if it begins one. */
function startOf({ isFirst, isFiltered, since, nextSince }: SentPage): WalkStart | undefined {
  return isFirst && !isFiltered ? { since, next: nextSince } : undefined
}

/** Returns the end of a walk from its last page, and its first page if known. */
function endOf(
  list: SyncList,
  page: SentPage,
  first: SentPage | undefined,
  after: EndPoll["after"] | undefined,
): ListPoll & { readonly poll: EndPoll } {
  const { at, nextSince, cursor, feed } = page
  // There are no records from before the default.
  const since = page.since <= defaultSince ? 0 : page.since
  // A cursor keeps the `Next-Since` of its walk: a first page with a different one belongs to another walk.
  const own = cursor !== undefined && first?.nextSince !== nextSince ? undefined : first
  const next = Math.max(since, Math.min(nextSince, own?.nextSince ?? nextSince))
  const reached = feed?.goesOn ? next : Math.max(next, own?.at ?? next)
  const walk = after === "completed" ? startOf(page) : undefined
  const poll = {
    type: "end",
    at,
    since,
    next,
    reached,
    ...after && { after },
    ...walk && { walk },
  } as const
  return { list, poll, isReadable: true }
}

/** True for the empty page that clients request after the last one when they page by offset. */
function isAfterLast({ isFirst, rows, cursor }: SentPage): boolean {
  return !isFirst && rows === 0 && cursor === undefined
}

function kindOf({ categories, hasHorizon }: List): ListKind {
  if (!categories) return "other"
  const kind = categories.includes("guests") ? "guests" : "items"
  if (hasHorizon) return kind === "guests" ? "guest deletions" : "item deletions"
  return kind
}
