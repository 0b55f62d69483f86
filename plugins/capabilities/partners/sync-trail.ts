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

/** Upper bound for the reads of an event by an account whose polls wait to be written, and for the polls of each. */
const most = 10_000

/**
 * Records how far each account is with each list: polls, walks, acknowledgements and errors. Writes them about once a
 * second, in the background; never delays or fails a request.
 *
 * Counts lists of records, deletions and events, but no digests, and no HEAD. Requests with `q` or for a bucket are
 * polls but no walks: they leave records out. A walk that asks for changes since a time in the future completes nothing.
 * A 304 for the first of several pages completes one only if the walk before it was completed: the client may have the
 * tag of a page after which it broke off. A last page by `offset` completes one only if one began in the day before.
 * One of all records also completes the list of their deletions, whether the partner reads that or not.
 *
 * A page of a feed is as much as a walk of each of its lists.
 */
export class SyncTrail {
  readonly #batch: Batch<Waiting>
  /** What may still be added to, by account, event and family. */
  readonly #open = new Map<string, Waiting>()
  /** The last first pages of walks, by the name of the list: a walk by `offset` covers what its first page says. */
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
      // At once, if this clock was set back as well.
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
    // An error without a code is none of the service: the partner has asked for it, to try its program. And whoever asks
    // for a record that is gone can go on.
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
      // First: what the walk does to its own list decides about another one as well.
      this.#add({ ...end, list: deletions, of: read.list, poll })
    }
    this.#add(end)
  }

  /** Returns what a walk of all records completes besides: whoever replaces a copy has no deleted records in it. */
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

/** The polls of an event by an account and a family that have not been written yet. */
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
  // Requests over a limit come in any number: with invented events, each would wait apart.
  const isFlood = status === 429 && !isReadable
  const parameters = exchange.rejected?.join(" ").slice(0, 60) || null
  return {
    list: isFlood ? { ...list, event_id: "" } : list,
    isReadable: isReadable || isFlood,
    poll: { type: "error", at, status, code, request: id, parameters },
  }
}

/** Returns what a page says, apart from the end of a walk. */
function pageOf(list: SyncList, page: SentPage, status: number): ListPoll {
  const { at, since, pollInterval: interval, feed } = page
  const records = status === 304 ? 0 : page.rows
  const walk = startOf(page)
  const applied = feed?.applied ?? since
  // A poll without `since`, or for everything, says nothing about what has been applied.
  const acknowledges = walk && since >= 0 && since !== defaultSince && applied <= at
  const poll: PagePoll = {
    ...{ type: "page", at, interval, records },
    ...walk && !isKept(page, status) && { walk },
    ...acknowledges && { applied },
  }
  return { list, poll, isReadable: true }
}

/** True for a 304 for the first of several pages: what the client has of the others is not known from it. */
function isKept({ isFirst, hasNext }: SentPage, status: number): boolean {
  return status === 304 && isFirst && hasNext
}

/** Returns the walk that a page begins, if it begins one. */
function startOf({ isFirst, isFiltered, since, nextSince }: SentPage): WalkStart | undefined {
  return isFirst && !isFiltered ? { since, next: nextSince } : undefined
}

/** Returns the end of a walk: by its last page, and its first one if that is known. */
function endOf(
  list: SyncList,
  page: SentPage,
  first: SentPage | undefined,
  after: EndPoll["after"] | undefined,
): ListPoll & { readonly poll: EndPoll } {
  const { at, nextSince, cursor, feed } = page
  // There are no records from before the default.
  const since = page.since <= defaultSince ? 0 : page.since
  // A cursor keeps the `Next-Since` of its walk, so another one is of another walk.
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
