import { LRUCache } from "lru-cache"
import type { Admission, GrantedEvent } from "../../access/admission.ts"
import { boundedCache } from "../../data/bounded-cache.ts"
import { Coalescer } from "../../data/coalesce.ts"
import type { Snapshot } from "../../data/database.ts"
import { Unavailable } from "../../data/unavailable.ts"
import type { Bytes } from "../../http/slabs.ts"
import { type Content, type EntityTags, extendTag } from "../../http/representation.ts"
import { countRecords, encodeBody, type List } from "../../records/list.ts"
import type { ListResult, Positions } from "../../records/page.ts"
import { EncodedBody } from "../../records/read-pages.ts"
import type { RecordCache } from "../../records/record-cache.ts"
import { smallestSpliced, Splicer } from "../../records/splicer.ts"
import { admitAgain } from "../authorize.ts"
import type { PageSummary } from "../facts.ts"
import type { LivePages, PageLookup } from "./live-pages.ts"

/** A page as it is sent: the parts that are the same for every caller. */
export interface EncodedPage extends Content, PageSummary {
  /** The position to continue from, for each part of the list that has more records. */
  readonly next: Positions
}

/** A form of a page other than JSON. */
export interface PageForm {
  /** Tells the form from all other forms of the list; letters, digits and hyphens. */
  readonly tag: string
  /** Says what the form is, such as `content-type`. */
  readonly headers: Readonly<Record<string, string>>
  /** Writes the JSON body of a page. */
  write(body: unknown): string
}

/** So many pages are noted that may be asked for again. */
const mostAsked = 10_000

/** A page of an event's records, as of a version of the event. */
interface CachedPage {
  readonly page: EncodedPage
  readonly version: string | undefined
}

/**
 * Finds pages with the least work that gives the right result, in this order:
 *
 * 1. **The empty page,** if no record is as new as `since`. The admission has read the event's
 *    largest `updated`. Most polls end here and read nothing else.
 * 2. **A cached page** of the version that the event has in the admission's snapshot (`Versions`
 *    says why that is as good as reading it). A page in a slab is cached when it is asked for again: while an event
 *    changes, that seldom happens.
 * 3. **A page that is cut from lists in memory** (`LivePages`), once they are as of the admission.
 * 4. **A page that another request reads,** if that begins after this request has arrived, and it turns out to be of
 *    that version, if there are versions.
 * 5. **The database,** in one snapshot that repeats the admission. If most records are likely to be known, it reads
 *    keys, and only the rows of the others.
 *
 * Pages depend on the route and the query, never on the caller.
 */
export class PageCache {
  readonly #pages: LRUCache<string, CachedPage> | undefined
  readonly #splicer: Splicer | undefined
  /** The versions of pages in slabs that were asked for. */
  readonly #asked = boundedCache<string>({ most: mostAsked })
  readonly #records: RecordCache | undefined
  readonly #coalescer = new Coalescer<CachedPage>()
  readonly #emptyPages = new WeakMap<List, EncodedPage>()
  readonly #tags: EntityTags
  readonly #live: LivePages | undefined

  /** `bytes` is how much may be cached, and a quarter more of segments for gzip; 0 turns both off. Without `records`, none are kept. */
  constructor({ tags, bytes, records, live }: {
    readonly tags: EntityTags
    readonly bytes: number
    readonly records?: RecordCache | undefined
    readonly live?: LivePages | undefined
  }) {
    this.#tags = tags
    this.#records = records
    this.#live = live
    if (bytes === 0) return
    this.#splicer = new Splicer(Math.ceil(bytes / 4))
    this.#pages = new LRUCache({
      maxSize: bytes,
      // Half as much again for the compressed forms.
      sizeCalculation: ({ page }, key) =>
        Math.ceil(1.5 * page.bytes.byteLength) + key.length + 1000,
    })
  }

  /** Returns a page. @throws {Problem} if the caller may no longer read it, or must resync. @throws {Unavailable} */
  async find(request: PageLookup): Promise<EncodedPage> {
    const page = await this.#find(request)
    // While changes may go unnoticed, nobody is told that nothing has changed.
    return request.node.changes.isBlind ? { ...page, etag: undefined } : page
  }

  /** Returns a page in another form than JSON: its bytes and their tag. */
  inForm(page: EncodedPage, form: PageForm): EncodedPage {
    const etag = page.etag && extendTag(page.etag, form.tag)
    // The tag stands for the bytes of the page, so it may be the key. What follows the page also depends on `since`.
    const cached = etag === undefined ? undefined : this.#pages?.get(etag)?.page
    if (cached) {
      page.slab?.giveBack()
      const { bytes, compressed } = cached
      return { ...page, bytes, slab: undefined, gzip: undefined, etag, compressed }
    }
    const body: unknown = JSON.parse(new TextDecoder().decode(page.bytes))
    const bytes = new TextEncoder().encode(form.write(body))
    page.slab?.giveBack()
    const formed = { ...page, bytes, slab: undefined, gzip: undefined, etag, compressed: {} }
    if (etag !== undefined) this.#pages?.set(etag, { page: formed, version: undefined })
    return formed
  }

  async #find(request: PageLookup): Promise<EncodedPage> {
    const { route: { list }, query, admission: { event } } = request
    // Also for empty polls: it keeps the event's log short.
    const version = versionOf(request, request.admission)
    if (event && list.emptyBody !== undefined && query.since > (event.newest ?? -Infinity)) {
      return this.#emptyPage(request, event, version)
    }
    // Only lists of an event can be shared: a list of events depends on the account.
    if (!event || !list.categories) return (await this.#read(request)).page
    const key = keyOf(request)
    return this.#cachedAt(key, version) ?? await this.#cutLive(request, key) ??
      await this.#share(request, key, version)
  }

  /** Cuts a page from lists in memory; undefined if that is not possible. */
  async #cutLive(request: PageLookup, key: string): Promise<EncodedPage | undefined> {
    const { changes } = request.node
    const { common } = changes
    const live = await this.#live?.find(request)
    if (!live) return undefined
    request.incoming.watch.enter("encode")
    const version = changes.common === common ? versionOf(request, live.admission) : undefined
    const page = this.#encode(live.result, version, true)
    return this.#keep(key, { page, version }, false).page
  }

  #cachedAt(key: string, version: string | undefined): EncodedPage | undefined {
    const cached = version === undefined ? undefined : this.#pages?.get(key)
    return cached && cached.version === version ? cached.page : undefined
  }

  /**
   * Reads a page, or waits for another request that does. Only that one's rights were checked, so if there are
   * versions, the page must be of the version at which this one was admitted.
   */
  async #share(
    request: PageLookup,
    key: string,
    version: string | undefined,
  ): Promise<EncodedPage> {
    let isReading = false
    const read = async (isShared: boolean): Promise<CachedPage> => {
      const cached = this.#cachedAt(key, version)
      if (cached) return { page: cached, version }
      isReading = true
      return this.#keep(key, await this.#read(request), isShared)
    }
    try {
      const shared = await this.#coalescer.run(`${request.node.name} ${version} ${key}`, read)
      if (isReading || version === undefined || shared.version === version) return shared.page
    } catch (error) {
      // An error specific to the other caller (say, their session ended) must not fail this request.
      if (isReading || error instanceof Unavailable) throw error
    }
    return (await this.#read(request)).page
  }

  /** Caches a page that is likely to be asked for again. What is cached or shared has memory of its own. */
  #keep(key: string, { page, version }: CachedPage, isShared: boolean): CachedPage {
    const { slab } = page
    const isLikely = isShared || !slab || this.#asked.get(key) === version
    const isCached = isLikely && version !== undefined && this.#pages !== undefined
    if (slab && version !== undefined) this.#asked.set(key, version)
    if (!isShared && !isCached) return { page, version }
    const own = slab ? { ...page, bytes: slab.replace(page.bytes), slab: undefined } : page
    if (isCached) this.#pages?.set(key, { page: own, version })
    return { page: own, version }
  }

  /**
   * Returns the empty page of a list. Its tag covers the version, because a deletion leaves the page as it is. A list
   * without any record needs none: a client that has read it has an empty copy.
   */
  #emptyPage(
    { route: { pattern, list }, node: { changes } }: PageLookup,
    { id, newest }: GrantedEvent,
    version: string | undefined,
  ): EncodedPage {
    const key = `${pattern.text} ${id}`
    const cached = this.#cachedAt(key, version)
    if (cached) return cached
    const isLogged = changes.isLogged && list.categories !== undefined && newest !== null
    const empty = this.#emptyPages.get(list) ??
      this.#encode({ body: list.emptyBody, next: {} }, undefined, false)
    this.#emptyPages.set(list, empty)
    if (version === undefined) return isLogged ? { ...empty, etag: undefined } : empty
    const page = { ...empty, etag: this.#tags.of(empty.bytes, version) }
    this.#pages?.set(key, { page, version })
    return page
  }

  async #read(request: PageLookup): Promise<CachedPage> {
    const { route: { list }, incoming: { watch }, node: { changes, database } } = request
    const { common } = changes
    const { admission, result } = await database.snapshot(
      (snapshot) => this.#readIn(snapshot, request),
      watch,
    )
    watch.enter("encode")
    const isValid = changes.common === common
    const latest = isValid ? versionOf(request, admission) : undefined
    const isLogged = changes.isLogged && list.categories !== undefined
    return { page: this.#encode(result, latest, isLogged), version: latest }
  }

  /** Reads a page in a snapshot, which repeats the admission and its checks. */
  async #readIn(
    snapshot: Snapshot,
    request: PageLookup,
  ): Promise<{ readonly admission: Admission; readonly result: ListResult }> {
    const { route: { list }, query, incoming: { watch }, nextSince } = request
    const { admission, scope } = await admitAgain(snapshot, request, nextSince)
    watch.enter("project")
    const cached = this.#records?.find(admission.event, request.node.changes.versions)
    return { admission, result: await list.read(snapshot, scope, { ...query, cached }) }
  }

  /**
   * Encodes a page. Its tag covers the event's version: clients end their walk at a 304, so it must change with the
   * pages that follow, and if a record was deleted and inserted again as it was. Where no changes are logged, only a
   * last page has a tag.
   */
  #encode(
    { body, next, completeSince, span, leftOut = [] }: ListResult,
    version: string | undefined,
    isLogged: boolean,
  ): EncodedPage {
    const { bytes, slab } = encodeBody(body)
    const isSpliced = body instanceof EncodedBody && bytes.byteLength >= smallestSpliced
    const { borders } = isSpliced ? body : { borders: [] }
    const gzip = isSpliced ? (bytes: Bytes) => this.#splicer?.gzip(bytes, borders) : undefined
    const rows = countRecords(body)
    const isWhole = Object.keys(next).length === 0 && !isLogged
    const covered = version ?? (isWhole ? "" : undefined)
    const etag = covered === undefined ? undefined : this.#tags.of(bytes, covered)
    return {
      bytes,
      slab,
      etag,
      compressed: {},
      gzip,
      rows,
      next,
      completeSince,
      span,
      leftOut,
    }
  }
}

function versionOf(
  { route: { list }, node }: PageLookup,
  { event }: Admission,
): string | undefined {
  return event && list.categories ? node.changes.versions.versionOf(event) : undefined
}

function keyOf({ route, query, admission }: PageLookup): string {
  const { since, offset, limit, bucket, hash, category, of, terms, after } = query
  const page = [since, offset, limit, bucket, hash, category, of, terms, after]
  return `${route.pattern.text} ${JSON.stringify([admission.event?.id, page])}`
}
