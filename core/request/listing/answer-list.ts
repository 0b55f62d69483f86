import { represent } from "../../http/representation.ts"
import { isSameCopy } from "../../records/lists/digest.ts"
import { filterNameOf, followsVersion } from "../../records/lists/list.ts"
import type { Positions } from "../../records/lists/page.ts"
import type { ListAnswer, SentPage } from "../exchange.ts"
import type { ListRequest } from "../authorize.ts"
import type { PageTags, TaggedPage, TagSubject } from "./page-tags.ts"
import { type PageContent, type PageForm, type SendablePage, versionOf } from "./page.ts"
import type { Pages } from "./pages.ts"
import type { ListQuery } from "./query.ts"
import type { Walk, Walks } from "./walks.ts"

/** Returns the form of a page that a client prefers; undefined for JSON, and for forms that it does not know. */
export type ChooseForm = (request: ListRequest, query: ListQuery) => PageForm | undefined

/** Answers a request for a list that stands for others, or with `of`; undefined if it is not its own. @throws {Problem} */
export type AnswerOwn = (request: ListRequest) => Promise<ListAnswer> | undefined

/** What capabilities add to the answers of lists. */
interface ListsOptions {
  /** The forms of pages other than JSON. The first that a request prefers counts. */
  readonly forms?: readonly ChooseForm[]
  /** Asked first. */
  readonly own?: readonly AnswerOwn[]
}

const asksAhead = "since is in the future; send the Next-Since of your last poll"

/** Answers requests for lists. */
export class Lists {
  readonly #pages: Pages
  readonly #tags: PageTags
  readonly #walks: Walks
  readonly #options: ListsOptions

  constructor(
    { pages, tags, walks }: {
      readonly pages: Pages
      readonly tags: PageTags
      readonly walks: Walks
    },
    options: ListsOptions = {},
  ) {
    this.#pages = pages
    this.#tags = tags
    this.#walks = walks
    this.#options = options
  }

  /**
   * Returns a page and what a client needs to continue, or 304.
   * @throws {Problem} 400 or 410 for a cursor that cannot be used, 410 if deletions are no longer known.
   */
  async answer(request: ListRequest): Promise<ListAnswer> {
    if (request.route.list.of || request.input.query?.value?.of) {
      for (const own of this.#options.own ?? []) {
        const answered = await own(request)
        if (answered) return answered
      }
    }
    const walk = this.#walks.of(request)
    const form = this.#formOf(request, walk)
    const subject = subjectOf(request, walk, form)
    const { headers: wanted } = request.incoming.request
    const known = subject &&
      this.#tags.find(wanted.get("if-none-match"), subject, walk.query.since)
    if (known) return this.#unchanged(request, walk, known)
    const lookup = { ...request, ...walk }
    const json = await this.#pages.find(lookup)
    const page = form ? this.#pages.inForm(json, form, lookup) : json
    const sent = this.#pageOf(request, walk, page)
    const { query } = walk
    const isSame = query.mine === undefined
      ? undefined
      : isSameCopy(query, request.route.list, bodyOf(page))
    const headers = {
      ...this.#headersOf(request, walk),
      ...form?.headers,
      ...isSame !== undefined && { copy: isSame ? "same" : "different" },
      ...page.completeSince !== undefined && { "complete-since": String(page.completeSince) },
      ...this.#nextOf(page, request, walk),
    }
    const etag = this.#tagOf(page, request, { walk, form })
    const answer = await represent({ ...page, etag }, headers, wanted)
    return { ...answer, page: { ...sent, isSame } }
  }

  /** Answers that nothing has changed since a page that the client has. */
  #unchanged(
    request: ListRequest,
    walk: Walk,
    { tag, next }: TaggedPage & { readonly tag: string },
  ): ListAnswer {
    const page = {
      rows: 0,
      next: positionsFrom(walk.query.since, next),
      span: undefined,
      leftOut: [],
    }
    const headers = {
      ...this.#headersOf(request, walk),
      // A cache returns the page that it has with these: the cursor of that page may have expired.
      ...this.#nextOf(page, request, walk),
      etag: tag,
    }
    return { status: 304, headers, body: null, page: this.#pageOf(request, walk, page) }
  }

  /**
   * Returns the tag of a page: that of its event's version, if that stands for the page. Undefined if a client that has the
   * page could miss something by it.
   */
  #tagOf(
    { rows, version, contentTag, next }: SendablePage,
    request: ListRequest,
    { walk, form }: { readonly walk: Walk; readonly form: PageForm | undefined },
  ): string | undefined {
    if (!isTagged(request, walk) || (rows > 0 && !isOfOneServer(request))) return undefined
    if (contentTag !== undefined || version === undefined) return contentTag
    const { since } = walk.query
    return this.#tags.seal(subjectAt(version, request, walk, form), { since, next })
  }

  #pageOf(
    request: ListRequest,
    walk: Walk,
    page: PageContent & Pick<SendablePage, "next">,
  ): SentPage {
    const { route: { list } } = request
    const { requested, query, nextSince } = walk
    const { rows, span, leftOut, completeSince, next } = page
    const now = request.admission.at
    return {
      list,
      rows,
      at: now,
      since: query.since,
      nextSince,
      isFirst: requested.cursor === undefined && requested.offset === 0,
      isFiltered: walk.isFiltered,
      range: rangeOf(walk, page, { parts: list.parts.length, now }),
      span,
      leftOut,
      completeSince,
      cursor: requested.cursor,
      pollInterval: this.#walks.intervalOf(request),
      hasNext: Object.keys(next).length > 0,
    }
  }

  #formOf(request: ListRequest, { query }: Walk): PageForm | undefined {
    for (const choose of this.#options.forms ?? []) {
      const form = choose(request, query)
      if (form) return form
    }
    return undefined
  }

  /** Returns the headers of a page and of a 304. */
  #headersOf(request: ListRequest, { query, nextSince }: Walk): Record<string, string> {
    return {
      ...this.#walks.headersOf(request),
      "next-since": String(nextSince),
      ...query.since > request.admission.at && { hint: asksAhead },
    }
  }

  /** Returns the headers about the next page. */
  #nextOf(
    { next }: Pick<SendablePage, "next">,
    request: ListRequest,
    walk: Walk,
  ): Record<string, string> {
    const parts = Object.keys(next)
    if (parts.length === 0) return {}
    const link = `<${this.#walks.urlOf(walk, next, request)}>; rel="next"`
    return { link, ...request.route.list.bundle && { more: parts.join(", ") } }
  }
}

/** Returns where those parts of a page continue that have more records since a time. */
function positionsFrom(since: number, next: Positions): Positions {
  return Object.fromEntries(Object.entries(next).filter(([, [time]]) => time >= since))
}

/**
 * Returns true if a page may have a tag: the request does not compare a copy, and no change can go unnoticed. The
 * position of an offset also depends on how long ago records were deleted. One of several servers may be behind
 * another: then the records must be read again.
 */
function isTagged(
  request: ListRequest,
  { query: { mine, since, offset } }: Walk,
): boolean {
  const { route: { list }, node: { changes }, admission: { event } } = request
  if (mine !== undefined || changes.isBlind) return false
  const mayHaveRecords = list.emptyBody !== undefined && since <= (event?.newest ?? -Infinity)
  if (offset > 0 && mayHaveRecords) return false
  const latest = Math.max(event?.newest ?? -Infinity, event?.deleted ?? -Infinity)
  return isOfOneServer(request) || latest < since
}

function isOfOneServer({ route: { list }, admission: { heartbeat } }: ListRequest): boolean {
  return list.categories === undefined || heartbeat?.floor == null
}

/** Returns what a tag of the version that the event has now is about; undefined if there is none for the page. */
function subjectOf(
  request: ListRequest,
  walk: Walk,
  form: PageForm | undefined,
): TagSubject | undefined {
  const version = versionOf(request, request.admission)
  const { list } = request.route
  if (version === undefined || !followsVersion(list) || !isTagged(request, walk)) return undefined
  return subjectAt(version, request, walk, form)
}

function subjectAt(
  version: string,
  { route: { pattern, list }, admission: { event } }: ListRequest,
  { query: { offset, limit, bucket, hash, category, of, terms, after } }: Walk,
  form: PageForm | undefined,
): TagSubject {
  const page = [offset, limit, bucket, hash, category, of, terms, after]
  const choice = filterNameOf(list)
  const content = [pattern.text, event?.id, version, list.fields, form?.tag, page]
  return choice === "" ? content : [...content, choice]
}

function bodyOf({ bytes }: SendablePage) {
  return JSON.parse(new TextDecoder().decode(bytes))
}

/** Returns the times that the records of a page have, as `SentPage` describes them. */
function rangeOf(
  { query, isFiltered }: Walk,
  { rows, next, span }: Pick<SendablePage, "rows" | "next" | "span">,
  { parts, now }: { readonly parts: number; readonly now: number },
): SentPage["range"] {
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
  if (isFiltered && isKnown) return { from: span?.oldest ?? to, to: span ? newest : to }
  const ends = Object.values(next).map(([time]) => time)
  const open = after ? Object.keys(after).length : parts
  // A part that does not continue has all its records since then.
  return { from: ends.length < open ? since : Math.min(...ends), to }
}
