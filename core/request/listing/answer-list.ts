import { extendTag, represent } from "../../http/representation.ts"
import { digestOfCopy } from "../../records/digest.ts"
import type { Answered, PageFacts } from "../facts.ts"
import type { ListRequest } from "../authorize.ts"
import type { EncodedPage, PageCache, PageForm } from "./page-cache.ts"
import type { ListQuery } from "./query.ts"
import { isFiltered, type Walk, type Walks } from "./walks.ts"

/** Returns the form of a page that a client prefers; undefined for JSON, and for forms that it does not know. */
export type ChooseForm = (request: ListRequest, query: ListQuery) => PageForm | undefined

/** Answers a request for a list that stands for others, or with `of`; undefined if it is not its own. @throws {Problem} */
export type AnswerOwn = (request: ListRequest) => Promise<Answered> | undefined

/** What capabilities add to the answers of lists. */
interface ListsOptions {
  /** The forms of pages other than JSON. The first that a request prefers counts. */
  readonly forms?: readonly ChooseForm[]
  /** Are asked first. */
  readonly own?: readonly AnswerOwn[]
}

const asksAhead = "since is in the future; send the Next-Since of your last poll"

/** Answers requests for lists. */
export class Lists {
  readonly #pages: PageCache
  readonly #walks: Walks
  readonly #options: ListsOptions

  constructor(pages: PageCache, walks: Walks, options: ListsOptions = {}) {
    this.#pages = pages
    this.#walks = walks
    this.#options = options
  }

  /**
   * Returns a page and what a client needs to continue, or 304.
   * @throws {Problem} 400 or 410 for a cursor that cannot be used, 410 if deletions are no longer known.
   */
  async answer(request: ListRequest): Promise<Answered> {
    if (request.route.list.of || request.input.query?.value?.of) {
      for (const own of this.#options.own ?? []) {
        const answered = await own(request)
        if (answered) return answered
      }
    }
    const { route, incoming, admission: { session, heartbeat } } = request
    const now = heartbeat?.at ?? session.now
    const walk = this.#walks.of(request)
    const { asked, query: { cursor, mine, fields } } = walk
    const { list } = route
    const json = await this.#pages.find({ ...request, ...walk })
    const form = this.#formOf(request, walk)
    const formed = form ? this.#pages.inForm(json, form) : json
    const page = { ...formed, etag: tagOf(formed, request, walk) }
    incoming.watch.enter("encode")
    const pollInterval = this.#walks.intervalOf(request)
    // A copy without a field that was added has the digest of one with it.
    const isSame = mine === undefined
      ? undefined
      : mine === digestOf(page) && fields === list.fields
    const headers = {
      ...this.#walks.headersOf(request),
      ...form?.headers,
      "next-since": String(walk.nextSince),
      ...isSame !== undefined && { copy: isSame ? "same" : "different" },
      ...walk.query.since > now && { hint: asksAhead },
      ...this.#headersOf(page, request, walk),
    }
    const answer = await represent(page, headers, incoming.request.headers)
    const facts = {
      list,
      rows: page.rows,
      at: now,
      since: walk.query.since,
      nextSince: walk.nextSince,
      isFirst: cursor === undefined && asked.offset === 0,
      isFiltered: isFiltered(walk.query),
      range: rangeOf(walk.query, page, { parts: list.parts.length, now }),
      span: page.span,
      leftOut: page.leftOut,
      completeSince: page.completeSince,
      isSame,
      cursor,
      pollInterval,
      hasNext: "link" in headers,
    }
    return { ...answer, page: facts }
  }

  #formOf(request: ListRequest, { query }: Walk): PageForm | undefined {
    for (const choose of this.#options.forms ?? []) {
      const form = choose(request, query)
      if (form) return form
    }
    return undefined
  }

  /** Returns the headers about the list's horizon and its next page. */
  #headersOf(
    { completeSince, next }: EncodedPage,
    request: ListRequest,
    walk: Walk,
  ): Record<string, string> {
    const headers: Record<string, string> = {}
    if (completeSince !== undefined) headers["complete-since"] = String(completeSince)
    const parts = Object.keys(next)
    if (parts.length === 0) return headers
    headers["link"] = `<${this.#walks.urlOf(walk, next, request)}>; rel="next"`
    if (request.route.list.bundle) headers["more"] = parts.join(", ")
    return headers
  }
}

/** Returns the tag of an answer; undefined if a client that has the page could miss something by it. */
function tagOf(page: EncodedPage, request: ListRequest, walk: Walk): string | undefined {
  const { etag } = page
  if (etag === undefined || !mayBeSame(page, request, walk)) return undefined
  const { asked, query: { cursor, since } } = walk
  // From an earlier time on, more may follow the same page: a tag from before the clock was set back must not match.
  return cursor === undefined && since < asked.since ? extendTag(etag, String(since)) : etag
}

/** False if one of several servers may have put back what another had brought: then the page must be read again. */
function mayBeSame(
  page: EncodedPage,
  { route: { list }, admission: { heartbeat, event } }: ListRequest,
  walk: Walk,
): boolean {
  const isOfOneServer = list.categories === undefined || heartbeat?.floor == null
  return isOfOneServer ||
    (isReadAgain(page, walk) && (event?.deleted ?? -Infinity) < walk.query.since)
}

/** True if all records of a walk of one page come again with the next poll. */
function isReadAgain({ next, rows, span }: EncodedPage, { nextSince }: Walk): boolean {
  return Object.keys(next).length === 0 &&
    (rows === 0 || (span !== undefined && span.oldest >= nextSince))
}

function digestOf({ bytes }: EncodedPage): string {
  return digestOfCopy(JSON.parse(new TextDecoder().decode(bytes)))
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
