import { Buffer } from "node:buffer"
import { LRUCache } from "lru-cache"
import type { Admission } from "../../access/admission.ts"
import { Coalescer } from "../../data/coalesce.ts"
import { Unavailable } from "../../data/unavailable.ts"
import { giveBack, takeMemory } from "../../http/body-memory.ts"
import { etagOf } from "../../http/representation.ts"
import { encodeParts, type PartTexts } from "../../records/bytes/encoded-body.ts"
import type { ListResult } from "../../records/lists/page.ts"
import { admitAgain, checkAgain } from "../authorize.ts"
import {
  encodePage,
  keyOf,
  type PageForm,
  type PageLookup,
  type SendablePage,
  versionOf,
  writeForm,
} from "./page.ts"

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

/**
 * A page that was requested at a version. A page that was cut is kept from its second request on: most are requested
 * once.
 */
interface CachedPage {
  readonly version: string
  readonly page: SendablePage | undefined
}

/** How a page is found. `cut` and `read` wait for the database. */
type PagePlan =
  | { readonly kind: "empty" | "cached"; readonly page: SendablePage }
  | { readonly kind: "cut" | "read"; readonly key: string }

/**
 * Finds pages with the least work that gives the right result, unless a tag of the client's has answered already
 * (`PageTags`). Pages depend on the route and the query, never on the caller.
 */
export class Pages {
  readonly #pages: LRUCache<string, CachedPage> | undefined
  readonly #coalescer = new Coalescer<SendablePage>()
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
  async find(request: PageLookup): Promise<SendablePage> {
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
  #plan(request: PageLookup): PagePlan {
    const { route: { list }, query, admission } = request
    const { event } = admission
    // Also for empty polls: it keeps the event's log short.
    const version = versionOf(request, admission)
    if (event && list.emptyBody !== undefined && query.since > (event.newest ?? -Infinity)) {
      const page = encodePage(request, version, { body: list.emptyBody, next: {} })
      // A client that has read a list without records has an empty copy.
      const isBare = version === undefined && event.newest === null
      return { kind: "empty", page: isBare ? { ...page, contentTag: etagOf(page.bytes) } : page }
    }
    const key = keyOf(request)
    if (!event || !list.categories) return { kind: "read", key }
    const page = this.#cachedAt(key, version)
    return page ? { kind: "cached", page } : { kind: "cut", key }
  }

  /** Cuts a page from what a capability keeps; undefined if that is not possible. */
  async #cut(request: PageLookup, key: string): Promise<SendablePage | undefined> {
    const { route: { list }, node: { changes } } = request
    const { common } = changes
    const found = await this.#find(request)
    if (!found) return undefined
    const version = changes.common === common ? versionOf(request, found.admission) : undefined
    const body = encodeParts(found.parts, list.bundle ? "bundle" : "list", takeMemory)
    const page = encodePage(request, version, { ...found, body })
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

  #cachedAt(key: string, version: string | undefined): SendablePage | undefined {
    const cached = version === undefined ? undefined : this.#pages?.get(key)
    return cached?.version === version ? cached?.page : undefined
  }

  /**
   * Reads a page, or waits for another request that does. Only that one's rights were checked, so if there are
   * versions, the page must be of the version at which this one was admitted.
   */
  async #share(request: PageLookup, key: string): Promise<SendablePage> {
    const version = versionOf(request, request.admission)
    let isReading = false
    const read = async (): Promise<SendablePage> => {
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

  #keep(key: string, page: SendablePage): SendablePage {
    const { version } = page
    if (version !== undefined) this.#pages?.set(key, { version, page })
    return page
  }

  /** Reads a page in a snapshot, which repeats the admission and its checks. */
  async #read(request: PageLookup): Promise<SendablePage> {
    const { route: { list }, query, incoming: { watch }, node, nextSince } = request
    const { changes, database } = node
    const { common } = changes
    const { admission, result } = await database.snapshot(async (snapshot) => {
      const { admission, scope } = await admitAgain(snapshot, request, nextSince)
      return { admission, result: await list.read(snapshot, scope, query) }
    }, watch)
    const version = changes.common === common ? versionOf(request, admission) : undefined
    return encodePage(request, version, result)
  }

  /** Returns a page in another form than JSON. Releases its bytes. */
  inForm({ release, ...page }: SendablePage, form: PageForm, request: PageLookup): SendablePage {
    const key = `${form.tag} ${keyOf(request)}`
    const cached = this.#cachedAt(key, page.version)
    const formed = cached ?? this.#keep(key, writeForm(page, form))
    release?.()
    return formed
  }
}
