import { type Answer, privateHeaders } from "../../http/answer.ts"
import { represent } from "../../http/representation.ts"
import type { ChangeLog } from "../../change-log/change-log.ts"
import { digestOfCopy } from "../../records/digest.ts"
import { type RowForm, rowFormOf } from "../../records/rows/row-form.ts"
import type { PageFacts } from "../facts.ts"
import { continueWalk, type CursorBinding, type Cursors, type WalkStep } from "./cursor.ts"
import type { EncodedPage, ListRequest, PageCache } from "./page-cache.ts"
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
  readonly accounts?: Readonly<Record<string, number>>
}

/** The answer of a list. */
interface ListAnswer extends Answer {
  readonly page: PageFacts
}

/** Answers requests for lists. */
export class Lists {
  readonly #pages: PageCache
  readonly #cursors: Cursors
  readonly #polling: Polling
  readonly #changes: ChangeLog

  constructor({ pages, cursors, polling, changes }: {
    readonly pages: PageCache
    readonly cursors: Cursors
    readonly polling: Polling
    readonly changes: ChangeLog
  }) {
    this.#pages = pages
    this.#cursors = cursors
    this.#polling = polling
    this.#changes = changes
  }

  /** What `answer` takes: to be read before anything that the answer is made of. */
  get watermark(): number | undefined {
    return this.#changes.watermark
  }

  /**
   * Returns a page: its records and what a client needs to continue. Returns 304 if the client has it.
   * `watermark` is that of before the admission.
   *
   * @throws {Problem} 400 or 410 for a cursor that cannot be used, 410 if deletions are no longer known.
   */
  async answer(request: ListRequest, watermark: number | undefined): Promise<ListAnswer> {
    const { route, incoming, input, admission: { session: { account, now }, event } } = request
    const query = input.query?.value
    if (!query) throw new TypeError("an authorized list has a query")
    const binding = { accountId: account.id, route: route.pattern.text, eventId: event?.id ?? "" }
    const { lag } = this.#polling
    const { cursor } = query
    const step = cursor === undefined
      ? {
        query: { ...query, since: this.#changes.sinceOf(query.since) },
        nextSince: watermark ?? now - lag,
      }
      : continueWalk({ ...query, cursor }, {
        binding,
        now,
        cursors: this.#cursors,
        lag: watermark === undefined ? lag : Infinity,
      })
    const { list } = route
    const json = await this.#pages.find({ ...request, query: step.query })
    const form = rowFormOf(list, { ...step.query, accept: incoming.request.headers.get("accept") })
    const found = form ? this.#pages.inForm(json, list, form) : json
    // From an earlier time on, more may follow the same page: a tag from before the clock was set back
    // must not match.
    const isEarlier = cursor === undefined && step.query.since < query.since
    const etag = isEarlier ? found.etag?.replace(/"$/, `-${step.query.since}"`) : found.etag
    const page = { ...found, etag }
    incoming.watch.enter("encode")
    const pollInterval = intervalFor(event?.status, this.#polling, account.username)
    const isSame = query.mine === undefined ? undefined : query.mine === digestOf(page)
    const headers = {
      ...privateHeaders,
      ...form && rowHeaders(form, request),
      "next-since": String(step.nextSince),
      "poll-interval": String(pollInterval),
      ...isSame !== undefined && { copy: isSame ? "same" : "different" },
      ...this.#headersOf(page, request, { ...step, binding }),
    }
    const answer = await represent(page, headers, incoming.request.headers)
    const facts = {
      list,
      rows: page.rows,
      at: now,
      since: step.query.since,
      nextSince: step.nextSince,
      isFirst: cursor === undefined && query.offset === 0,
      isFiltered: isFiltered(step.query),
      range: rangeOf(step.query, page, { parts: list.parts.length, now }),
      span: page.span,
      completeSince: page.completeSince,
      isSame,
      cursor,
      pollInterval,
      // A client that has the page has those that follow, too.
      hasNext: "link" in headers && answer.status !== 304,
    }
    return { ...answer, page: facts }
  }

  /** Returns the headers about the list's horizon and its next page. */
  #headersOf(
    { completeSince, next }: EncodedPage,
    { route, incoming: { url }, admission }: ListRequest,
    { query, nextSince, binding }: WalkStep & { readonly binding: CursorBinding },
  ): Record<string, string> {
    const headers: Record<string, string> = {}
    if (completeSince !== undefined) headers["complete-since"] = String(completeSince)
    const parts = Object.keys(next)
    if (parts.length === 0) return headers
    const { terms, since, limit, bucket = "", hash = "", category = "" } = query
    const issued = admission.session.now
    const filters = { q: terms.join(" "), bucket, hash, category }
    const walk = { ...filters, since, limit, nextSince, issued, after: next }
    const cursor = this.#cursors.seal(walk, binding)
    headers["link"] = `<${url.origin}${url.pathname}?cursor=${cursor}>; rel="next"`
    if (route.list.bundle) headers["more"] = parts.join(", ")
    return headers
  }
}

/** Returns the headers about a form of rows: its type, and a name to store CSV under. */
export function rowHeaders(
  { contentType, extension }: RowForm,
  { route: { list }, admission: { session: { now }, event } }: ListRequest,
): Record<string, string> {
  if (extension !== "csv") return { "content-type": contentType }
  const day = new Date(now * 1000).toISOString().slice(0, 10)
  const name = [...list.name.split(" "), event?.id, day].filter(Boolean).join("-")
  return {
    "content-type": contentType,
    "content-disposition": `attachment; filename="${name}.csv"`,
  }
}

function digestOf({ bytes }: EncodedPage): string {
  return digestOfCopy(JSON.parse(new TextDecoder().decode(bytes)))
}

function isFiltered({ terms, bucket, hash, category }: ListQuery): boolean {
  return terms.length > 0 || Boolean(bucket || hash || category)
}

/** Returns the times that the records of a page have, as `PageFacts` describes them. */
function rangeOf(
  query: ListQuery,
  { rows, next, span }: EncodedPage,
  { parts, now }: { readonly parts: number; readonly now: number },
): PageFacts["range"] {
  const { after, offset, since } = query
  // A list of a plugin's own may not say which times its records have.
  const isKnown = span !== undefined || rows === 0
  const newest = span?.newest ?? since
  // A record may have been changed after `now`.
  const to = after
    ? Math.max(...Object.values(after).map(([time]) => time))
    : offset > 0 && isKnown
    ? newest
    : Math.max(now, newest)
  if (isFiltered(query) && isKnown) return { from: span?.oldest ?? to, to: span ? newest : to }
  const ends = Object.values(next).map(([time]) => time)
  const open = after ? Object.keys(after).length : parts
  // A part that does not go on has all its records since then.
  return { from: ends.length < open ? since : Math.min(...ends), to }
}

/**
 * Returns what `Poll-Interval` recommends. Statuses of the operator's own count as running. The time of an
 * account replaces that of running events, and is the least of all others.
 */
function intervalFor(
  status: string | undefined,
  { intervals, accounts = {} }: Polling,
  username: string,
): number {
  const own = Object.hasOwn(accounts, username) ? accounts[username] : undefined
  if (status === "closed") return Math.max(intervals.closed, own ?? 0)
  if (status === "upcoming" || status === undefined) return Math.max(intervals.upcoming, own ?? 0)
  return own ?? intervals.running
}
