import { LRUCache } from "lru-cache"
import type { Admission } from "../../access/admission.ts"
import type { Database, Snapshot } from "../../data/database.ts"
import type { ListResult } from "../../records/page.ts"
import type { List } from "../../records/list.ts"
import { Coalescer } from "../../data/coalesce.ts"
import { Unavailable } from "../../data/unavailable.ts"
import type { Versions } from "../../change-log/versions.ts"
import type { MountedRoute } from "../../routes/contract.ts"
import type { ListingRoute } from "../../routes/contract.ts"
import type { EntityTags } from "../../http/etag.ts"
import { type EncodedPage, encodePage } from "./encoded-page.ts"
import type { Query } from "./query.ts"
import type { Stopwatch } from "../timing.ts"

/** A page that a caller has been found to be allowed. */
export interface CacheRequest {
  readonly route: MountedRoute & ListingRoute
  readonly query: Query
  readonly caller: Admission
  /** Asks again who calls, and reads; in the one snapshot that it is given. */
  read(snapshot: Snapshot): Promise<{ readonly caller: Admission; readonly listed: ListResult }>
  readonly watch: Stopwatch
}

/** A page of an event's records, as of a version of the event. */
interface Kept {
  readonly page: EncodedPage
  readonly version: string | undefined
}

/**
 * Finds pages with the least work that answers rightly, in this order:
 *
 * 1. **Nothing is as new as `since`:** the statement that told who calls told the event's largest
 *    `updated` too. It is what most polls ask, and it reads nothing else.
 * 2. **A page that was sent before,** of the version that the event has in the caller's own snapshot
 *    (`Versions` says why that is as good as reading it).
 * 3. **A page that is being read for somebody else,** if it turns out to be of that version; where
 *    there is no version, if its reading begins after the request has come.
 * 4. **The database,** in one snapshot together with who calls and what they may read.
 *
 * Pages depend on the route and the query, never on the caller.
 */
export class Pages {
  readonly #versions: Versions
  readonly #database: Database
  readonly #kept: LRUCache<string, Kept> | undefined
  readonly #reading = new Map<string, Promise<Kept>>()
  readonly #coalescer = new Coalescer<Kept>()
  readonly #nothings = new WeakMap<List, EncodedPage>()
  readonly #tags: EntityTags

  /** `bytes` is how much may be kept; 0 is nothing. */
  constructor(
    database: Database,
    { versions, tags, bytes }: {
      readonly versions: Versions
      readonly tags: EntityTags
      readonly bytes: number
    },
  ) {
    this.#database = database
    this.#versions = versions
    this.#tags = tags
    this.#kept = bytes === 0 ? undefined : new LRUCache({
      maxSize: bytes,
      // Half as much again, for what is compressed of it.
      sizeCalculation: ({ page }, key) =>
        Math.ceil(1.5 * page.bytes.byteLength) + key.length + 1000,
    })
  }

  /** Behind which row of the change log an event's changes are to be counted: none where nobody asks. */
  baselineOf(eventId: string): number {
    return this.#kept ? this.#versions.baselineOf(eventId) : Number.MAX_SAFE_INTEGER
  }

  /** @throws what `read` throws; {Unavailable} */
  async find(request: CacheRequest): Promise<EncodedPage> {
    const { route: { list }, query, caller: { event } } = request
    const version = this.#versionOf(request, request.caller)
    if (event && list.emptyBody !== undefined && query.since > (event.newest ?? -Infinity)) {
      return this.#pageOfNothing(list)
    }
    const key = keyOf(request)
    if (version === undefined) {
      // Lists of an account are nobody else's.
      if (!event || !list.categories) return (await this.#read(request)).page
      return (await this.#together(request, (read) => this.#coalescer.run(key, read))).page
    }
    const kept = this.#kept?.get(key)
    if (kept?.version === version) return kept.page
    const shared = await this.#together(
      request,
      (read) => this.#once(`${version} ${key}`, read),
    )
    if (shared.version !== undefined) this.#kept?.set(key, shared)
    return shared.version === version ? shared.page : (await this.#read(request)).page
  }

  /** Reads a page, unless `share` finds somebody who does so. */
  async #together(
    request: CacheRequest,
    share: (read: () => Promise<Kept>) => Promise<Kept>,
  ): Promise<Kept> {
    let isOwn = false
    const read = () => {
      isOwn = true
      return this.#read(request)
    }
    try {
      return await share(read)
    } catch (error) {
      // What ended another's request, such as the end of their session, is not this one's matter.
      if (isOwn || error instanceof Unavailable) throw error
      return await this.#read(request)
    }
  }

  /** Whatever has the same name at the same time is read once. */
  #once(name: string, read: () => Promise<Kept>): Promise<Kept> {
    const reading = this.#reading.get(name) ?? read().finally(() => this.#reading.delete(name))
    this.#reading.set(name, reading)
    return reading
  }

  /** Of a list: always the same. */
  #pageOfNothing(list: List): EncodedPage {
    const page = this.#nothings.get(list) ??
      encodePage({ body: list.emptyBody, next: {} }, this.#tags)
    this.#nothings.set(list, page)
    return page
  }

  async #read(request: CacheRequest): Promise<Kept> {
    const { watch } = request
    const { caller, listed } = await this.#database.snapshot(request.read, watch)
    watch.enter("encode")
    return { page: encodePage(listed, this.#tags), version: this.#versionOf(request, caller) }
  }

  #versionOf({ route: { list } }: CacheRequest, { event }: Admission): string | undefined {
    return this.#kept && event && list.categories ? this.#versions.versionOf(event) : undefined
  }
}

function keyOf({ route, query, caller }: CacheRequest): string {
  const { since, offset, limit, bucket, terms, after } = query
  const asked = [caller.event?.id, since, offset, limit, bucket, terms, after]
  return `${route.pattern.text} ${JSON.stringify(asked)}`
}
