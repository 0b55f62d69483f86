import { Buffer } from "node:buffer"
import { LRUCache } from "lru-cache"
import type { Admission } from "../../access/admission.ts"
import { Coalescer } from "../../data/coalesce.ts"
import { Unavailable } from "../../data/unavailable.ts"
import { giveBack, takeMemory } from "../../http/body-memory.ts"
import { type Content, etagOf, extendTag } from "../../http/representation.ts"
import { encodeParts, type PartTexts } from "../../records/encoded-body.ts"
import { countRecords, encodeBody, followsVersion } from "../../records/list.ts"
import type { ListResult, Positions } from "../../records/page.ts"
import { admitAgain, checkAgain, type ListRequest } from "../authorize.ts"
import type { SentPage } from "../exchange.ts"
import type { ListQuery } from "./query.ts"

/** A request for a page of a list: `query` says which one, once a cursor has been read. */
export interface PageLookup extends ListRequest {
  readonly query: ListQuery
  /** The `Next-Since` of the walk: a snapshot of a server that is not as far must not be read. */
  readonly nextSince: number
}

/**
 * Finds a page without reading it whole, as of the request's admission or of another that `admitBehind` returns: that also
 * tells what has changed behind a row of the log. Returns undefined if the page has to be read.
 * @throws {Problem} as an admission. @throws {Unavailable}
 */
export type FindPage = (
  request: PageLookup,
  admitBehind: (seq: number) => Promise<Admission>,
) => Promise<FoundPage | undefined>

/** The records of a page as JSON, in the order of the list's parts, as of an admission. */
export interface FoundPage extends Pick<ListResult, "next" | "span"> {
  readonly parts: readonly PartTexts[]
  readonly admission: Admission
}

/** What is known of a page from its records. */
export type PageContent = Pick<SentPage, "rows" | "span" | "leftOut" | "completeSince">

/** A page as it is sent: the parts that are the same for every caller. */
export interface Page extends Omit<Content, "etag">, PageContent {
  /** The position to continue from, for each part of the list that has more records. */
  readonly next: Positions
  /** The version of the event that the page is of; undefined if it is not known, or the list has none. */
  readonly version: string | undefined
  /**
   * A tag of its bytes, and of what follows it. Undefined where the version stands for the page, and where nothing says
   * what follows.
   */
  readonly contentTag: string | undefined
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

/** A page that was asked for as of a version. One that was cut is kept from the second time on: most do not come again. */
interface Asked {
  readonly version: string
  readonly page: Page | undefined
}

/** How a page is found. `cut` and `read` wait for the database. */
type Plan =
  | { readonly kind: "empty" | "cached"; readonly page: Page }
  | { readonly kind: "cut" | "read"; readonly key: string }

/**
 * Finds pages with the least work that gives the right result. Pages depend on the route and the query, never on the
 * caller.
 */
export class Pages {
  readonly #pages: LRUCache<string, Asked> | undefined
  readonly #coalescer = new Coalescer<Page>()
  readonly #finders: readonly FindPage[]

  /** `bytes` is how much may be cached; 0 caches nothing. `finders` are asked for what is not cached. */
  constructor(bytes: number, finders: readonly FindPage[] = []) {
    this.#finders = finders
    if (bytes === 0) return
    this.#pages = new LRUCache({
      maxSize: bytes,
      // Half as much again for the compressed forms.
      sizeCalculation: ({ page }, key) =>
        Math.ceil(1.5 * (page?.bytes.byteLength ?? 0)) + key.length + 1000,
    })
  }

  /** Returns a page. @throws {Problem} if the caller may no longer read it, or must resync. @throws {Unavailable} */
  async find(request: PageLookup): Promise<Page> {
    const plan = this.#plan(request)
    switch (plan.kind) {
      case "empty":
      case "cached":
        return plan.page
      case "cut":
        return await this.#cut(request, plan.key) ?? await this.#share(request, plan.key)
      case "read":
        return await this.#read(request)
    }
  }

  /**
   * Decides how a page is found, by the admission:
   *
   * 1. **empty,** if no record is as new as `since`: the admission has read the event's largest `updated`. Most polls
   *    end here.
   * 2. **cached,** if the page is of the version that the event has in the admission's snapshot (`Versions` says why that
   *    is as good as reading it).
   * 3. **cut** from what a capability keeps (`FindPage`); if none can, it is read, together with all who ask for it.
   * 4. **read** by itself: a list of events depends on the account.
   */
  #plan(request: PageLookup): Plan {
    const { route: { list }, query, admission } = request
    const { event } = admission
    // Also for empty polls: it keeps the event's log short.
    const version = versionOf(request, admission)
    if (event && list.emptyBody !== undefined && query.since > (event.newest ?? -Infinity)) {
      const page = encode(request, version, { body: list.emptyBody, next: {} })
      // Who has read a list without any record has an empty copy.
      const isBare = version === undefined && event.newest === null
      return { kind: "empty", page: isBare ? { ...page, contentTag: etagOf(page.bytes) } : page }
    }
    const key = keyOf(request)
    if (!event || !list.categories) return { kind: "read", key }
    const page = this.#cachedAt(key, version)
    return page ? { kind: "cached", page } : { kind: "cut", key }
  }

  /** Returns a page in another form than JSON. Releases its bytes. */
  inForm({ release, ...page }: Page, form: PageForm, request: PageLookup): Page {
    const key = `${form.tag} ${keyOf(request)}`
    const cached = this.#cachedAt(key, page.version)
    const formed = cached ?? this.#keep(key, writeForm(page, form))
    release?.()
    return formed
  }

  /** Cuts a page from what a capability keeps; undefined if that is not possible. */
  async #cut(request: PageLookup, key: string): Promise<Page | undefined> {
    const { route: { list }, node: { changes }, incoming: { watch } } = request
    const { common } = changes
    const found = await this.#find(request)
    if (!found) return undefined
    watch.enter("encode")
    const version = changes.common === common ? versionOf(request, found.admission) : undefined
    const body = encodeParts(found.parts, list.bundle ? "bundle" : "list", takeMemory)
    const page = encode(request, version, { ...found, body })
    const release = () => giveBack(page.bytes)
    if (version !== undefined && this.#pages?.get(key)?.version === version) {
      const kept = { ...page, bytes: Buffer.from(page.bytes) }
      release()
      return this.#keep(key, kept)
    }
    if (version !== undefined) this.#pages?.set(key, { version, page: undefined })
    return { ...page, release }
  }

  async #find(request: PageLookup): Promise<FoundPage | undefined> {
    const admitBehind = async (behind: number) => {
      const found = await request.lookUp({ ...request.question, behind })
      return (await checkAgain(found, request, request.nextSince)).admission
    }
    for (const find of this.#finders) {
      const page = await find(request, admitBehind)
      if (page) return page
    }
    return undefined
  }

  #cachedAt(key: string, version: string | undefined): Page | undefined {
    const asked = version === undefined ? undefined : this.#pages?.get(key)
    return asked?.version === version ? asked?.page : undefined
  }

  /**
   * Reads a page, or waits for another request that does. Only that one's rights were checked, so if there are
   * versions, the page must be of the version at which this one was admitted.
   */
  async #share(request: PageLookup, key: string): Promise<Page> {
    const version = versionOf(request, request.admission)
    let isReading = false
    const read = async (): Promise<Page> => {
      const cached = this.#cachedAt(key, version)
      if (cached) return cached
      isReading = true
      return this.#keep(key, await this.#read(request))
    }
    try {
      const shared = await this.#coalescer.run(`${request.node.name} ${version} ${key}`, read)
      if (isReading || version === undefined || shared.version === version) return shared
    } catch (error) {
      // An error specific to the other caller (say, their session ended) must not fail this request.
      if (isReading || error instanceof Unavailable) throw error
    }
    return await this.#read(request)
  }

  #keep(key: string, page: Page): Page {
    const { version } = page
    if (version !== undefined) this.#pages?.set(key, { version, page })
    return page
  }

  /** Reads a page in a snapshot, which repeats the admission and its checks. */
  async #read(request: PageLookup): Promise<Page> {
    const { route: { list }, query, incoming: { watch }, node, nextSince } = request
    const { changes, database } = node
    const { common } = changes
    const { admission, result } = await database.snapshot(async (snapshot) => {
      const { admission, scope } = await admitAgain(snapshot, request, nextSince)
      watch.enter("project")
      return { admission, result: await list.read(snapshot, scope, query) }
    }, watch)
    watch.enter("encode")
    const version = changes.common === common ? versionOf(request, admission) : undefined
    return encode(request, version, result)
  }
}

function writeForm(page: Page, form: PageForm): Page {
  const body: unknown = JSON.parse(new TextDecoder().decode(page.bytes))
  const bytes = new TextEncoder().encode(form.write(body))
  const contentTag = page.contentTag && extendTag(page.contentTag, form.tag)
  return { ...page, bytes, contentTag, compressed: {} }
}

/** Makes a page. */
function encode(
  request: PageLookup,
  version: string | undefined,
  { body, next, completeSince, span, leftOut = [] }: ListResult,
): Page {
  const bytes = encodeBody(body)
  const covered = coveredBy(request, version, Object.keys(next).length > 0)
  const contentTag = covered === undefined
    ? undefined
    : etagOf(Buffer.concat([bytes, Buffer.from(covered)]))
  const summary = { rows: countRecords(body), span, leftOut, completeSince }
  return { bytes, compressed: {}, next, version, contentTag, ...summary }
}

/**
 * Returns what the tag of a page's bytes covers besides them: what follows the page may change, or be more from an earlier
 * time on. Undefined if the page has no such tag: its version stands for it, or nothing says what follows.
 */
function coveredBy(
  { route: { list }, node: { changes }, query: { since } }: PageLookup,
  version: string | undefined,
  goesOn: boolean,
): string | undefined {
  const isLogged = changes.isLogged && list.categories !== undefined
  if (!isLogged) return goesOn ? undefined : ""
  if (version === undefined || followsVersion(list)) return undefined
  return goesOn ? `${version} ${since}` : version
}

/** Returns the version of an admission's event; undefined if it is not known, or the list has none. */
export function versionOf(
  { route: { list }, node }: Pick<PageLookup, "route" | "node">,
  { event }: Admission,
): string | undefined {
  return event && list.categories ? node.changes.versions.versionOf(event) : undefined
}

function keyOf({ route, query, admission }: PageLookup): string {
  const { since, offset, limit, bucket, hash, category, of, terms, after } = query
  const page = [since, offset, limit, bucket, hash, category, of, terms, after]
  // Deleted records keep their places for a time: without it, the next page might not be the one that follows.
  const at = offset > 0 ? admission.session.now : undefined
  return `${route.pattern.text} ${JSON.stringify([admission.event?.id, page, at])}`
}
