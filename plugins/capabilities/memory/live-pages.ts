import type { Admission } from "../../../core/accounts.ts"
import {
  boundedCache,
  type Category,
  type Database,
  isId,
  type List,
} from "../../../core/capability.ts"
import type { FindPage } from "../../../core/lists.ts"
import type { Projection } from "../../../core/plugin.ts"
import { type CutPart, cutParts, findUnknown, pageOf, type Shortage } from "./cut-page.ts"
import type { LiveLists } from "./live-lists.ts"
import { LiveRecords, nameOf, type Reach, type Version } from "./live-records.ts"
import { loadKeys, mostVacancies } from "./load-keys.ts"
import { loadRecords } from "./load-records.ts"
import { readTexts } from "./search-list.ts"

/** The most portions of keys, and of texts, that a request reads: a search may need many. */
const mostPortions = 25

/** Lists that are noted as requested or as unfit. */
const mostNoted = 10_000

/**
 * Milliseconds until a list is tried again that has ids that are not UUIDs, records that are left out, or too many places
 * of deleted records.
 */
const unfitFor = 60_000

/** Keys that are read first: a list may have few records that are new enough. */
const fewKeys = 101

/** The most keys that are read at once. The database skips more records in less time. */
const mostAtOnce = 60_000

/** The most keys that are read ahead. */
const mostAhead = 10_000

type PageLookup = Parameters<FindPage>[0]

/** What became of the attempt to cut a page: `stale` if lists are as of another version than the admission. */
type Cut = Awaited<ReturnType<FindPage>> | "stale"

/**
 * Cuts pages from lists in memory. The rows of the log in the caller's admission bring the lists to the event's version in
 * that admission. One statement reads what they do not know, and its version.
 */
export class LivePages {
  readonly #lists: LiveLists
  readonly #loading = new Map<string, Promise<unknown>>()
  /** Lists that a page was requested of, or that were lately found unfit for memory. */
  readonly #noted = boundedCache<"requested" | "unfit">({ most: mostNoted })
  readonly #counts = { known: 0, read: 0 }

  constructor(lists: LiveLists) {
    this.#lists = lists
  }

  /** The bytes in use, approximately, and the numbers of records on pages that were known, and that were read. */
  get numbers(): { readonly bytes: number; readonly known: number; readonly read: number } {
    return { bytes: this.#lists.bytes, ...this.#counts }
  }

  /**
   * Cuts a page as of the request's admission. If lists have another version, the request is admitted again, once, and the
   * new admission tells the changes: only to a caller who may read the event.
   */
  readonly find: FindPage = async (request, admitBehind) => {
    const { route: { list }, node, query, admission } = request
    // Pages of a bucket are too rare.
    if (!list.isOfRecords || query.bucket || query.hash) return undefined
    const first = await this.#cut(request, admission)
    if (first !== "stale") return first
    const records = this.#listsOf(request)
    if (!records) return undefined
    const { version } = records
    const second = await this.#cut(request, await admitBehind(records.oldest))
    if (second !== "stale") return second
    // The primary has lost commits, or changed without a trace. Other servers may only be behind.
    if (node.isPrimary && records.version === version) this.#lists.drop(records)
    return undefined
  }

  /** Cuts a page as of an admission; undefined if it has to be read otherwise. */
  async #cut(request: PageLookup, admission: Admission): Promise<Cut> {
    const { route: { list }, node, query } = request
    const { event, session } = admission
    const version = event && node.changes.versions.eventVersionOf(event)
    if (!event || !version) return undefined
    const records = this.#listsOf(request) ?? this.#beginLists(request)
    if (!records) return undefined
    const projections = projectionsOf(list)
    for (let portion = 0; portion < mostPortions; portion++) {
      if (records.version) {
        const reach = this.#reach(records, version, event)
        if (reach === "lost") this.#lists.drop(records)
        if (reach !== "reached") return reach === "lost" ? undefined : "stale"
      }
      const cut = cutParts(records, projections, query, session.now)
      if (!cut) return undefined
      if (records.version && cut.shortages.length === 0) {
        const page = await this.#loadPage(cut.parts, records, request)
        return typeof page === "object" ? { ...page, admission } : page
      }
      if (!await this.#load(cut.shortages, records, request)) return undefined
    }
    return undefined
  }

  #listsOf({ route: { list }, admission: { event } }: PageLookup) {
    return this.#lists.get(nameOf(event?.id ?? "", list))
  }

  /** Returns empty lists at the second request, since a list that was requested twice is likely to be read on. */
  #beginLists(
    { route: { list }, admission: { event } }: PageLookup,
  ): LiveRecords | undefined {
    const records = new LiveRecords(event?.id ?? "", list)
    const noted = this.#noted.get(records.name)
    if (noted === "requested") return records
    if (!noted) this.#noted.set(records.name, "requested")
    return undefined
  }

  /** Drops lists, and does not try them for a while. */
  #giveUp(records: LiveRecords): void {
    this.#noted.set(records.name, "unfit", { ttl: unfitFor })
    this.#lists.drop(records)
  }

  /** Reads what lists must know, unless another request does. Returns true if they may know it now. */
  async #load(
    shortages: readonly Shortage[],
    records: LiveRecords,
    request: PageLookup,
  ): Promise<boolean | undefined> {
    const keys = shortages.filter(({ texts }) => !texts)
    if (keys.length > 0 || !records.version) {
      return await this.#once(
        "keys",
        records,
        request,
        () => this.#readKeys(keys, records, request),
      )
    }
    if (!records.areSearched) return undefined
    const { node: { database } } = request
    const read = () => this.#readTexts(shortages, records, database)
    return await this.#once("texts", records, request, read)
  }

  /** Reads what `q` searches. Returns false if that is too much. */
  async #readTexts(
    shortages: readonly Shortage[],
    records: LiveRecords,
    database: Database,
  ): Promise<boolean> {
    const mayGoOn = () => {
      if (this.#lists.haveRoomFor(records)) return true
      records.forgetTexts()
      records.areSearched = false
      return false
    }
    for (const { category, texts } of shortages) {
      if (texts) await readTexts(database, records, category, texts, mayGoOn)
    }
    this.#count(records)
    return mayGoOn()
  }

  /**
   * Reads something for lists. If another request reads it, waits for that, and returns true; undefined if that fails, since
   * another attempt would take as long.
   */
  async #once<T>(
    what: string,
    records: LiveRecords,
    { incoming: { watch } }: PageLookup,
    read: () => Promise<T>,
  ): Promise<T | true | undefined> {
    const name = `${what} ${records.name}`
    watch.begin()
    try {
      const loading = this.#loading.get(name)
      if (loading) return await loading.then(() => true, () => undefined)
      const own = read()
      this.#loading.set(name, own)
      return await own.finally(() => this.#loading.delete(name))
    } finally {
      watch.end()
    }
  }

  /** Reads keys, and places of deleted records. Returns false if lists cannot have them. */
  async #readKeys(
    shortages: readonly Shortage[],
    records: LiveRecords,
    { node: { changes, database } }: PageLookup,
  ): Promise<boolean> {
    const { common } = changes
    const { eventId, filter } = records
    const keys = Math.max(...shortages.map(({ keys }) => keys))
    const most = records.version
      ? keys && Math.max(keys, Math.min(records.size, mostAhead))
      : Math.min(keys, fewKeys)
    if (most > mostAtOnce || records.size + most > this.#lists.most) return false
    const wanted = shortages.map(({ category, keys, vacancies }) => {
      const { floor } = records.list(category)
      return { category, after: keys > 0 ? floor : undefined, vacancies }
    })
    const behind = records.version ? records.oldest : 0
    const found = await database.readOnce((reader) =>
      loadKeys(reader, { eventId, filter, behind, wanted, most })
    )
    const version = found && changes.versions.eventVersionOf(found.event)
    if (!version || changes.common !== common) return false
    if (!records.version) records.begin(version, found.changes)
    const reach = records.reach(version, found.changes)
    // Meanwhile, another request may have brought the lists to a later version.
    if (reach === "behind") return true
    const areFit = found.lists.every(({ keys, vacancies }) =>
      keys.every(({ id }) => isId(id)) && vacancies.length <= mostVacancies
    )
    if (!areFit) this.#giveUp(records)
    else if (reach !== "reached") this.#lists.drop(records)
    if (!areFit || reach !== "reached") return false
    for (const [index, { category, after, vacancies }] of wanted.entries()) {
      const list = records.list(category)
      const loaded = found.lists[index] ?? { keys: [], vacancies: [] }
      if (after && list.floor === after) list.extend(loaded.keys, loaded.keys.length < most)
      if (vacancies) list.vacancies = loaded.vacancies
    }
    this.#lists.keep(records)
    // Lists larger than all memory are not kept.
    return this.#lists.has(records)
  }

  /** Makes a page, once the JSON of its records is known. Undefined if one of them has to be left out. */
  async #loadPage(
    parts: readonly CutPart[],
    records: LiveRecords,
    request: PageLookup,
  ): Promise<ReturnType<typeof pageOf> | "stale" | undefined> {
    const { node: { database } } = request
    let read = 0
    for (let unknown = findUnknown(parts); unknown.length > 0; unknown = findUnknown(parts)) {
      read = unknown.reduce((sum, { entries }) => sum + entries.length, 0)
      const names = unknown.map(({ part: { category, number } }) => `${category} ${number}`)
      const load = () => loadRecords(database, records, unknown)
      const loaded = await this.#once(`records ${names}`, records, request, load)
      if (loaded === "changed") return "stale"
      // A page that leaves out a record has to be read.
      if (loaded === "left out") this.#giveUp(records)
      if (loaded === "left out" || loaded === undefined) return undefined
    }
    const page = pageOf(parts)
    this.#counts.known += parts.reduce((sum, { entries }) => sum + entries.length, 0) - read
    this.#counts.read += read
    // This may forget the JSON.
    if (read > 0) this.#count(records)
    return page
  }

  /** Counts the memory of lists. Texts that take too much of it are forgotten. */
  #count(records: LiveRecords): void {
    if (!this.#lists.has(records)) return
    if (!this.#lists.haveRoomFor(records)) records.forgetTexts()
    this.#lists.keep(records)
  }

  /** Brings lists to the version of an admission by its changes. */
  #reach(
    records: LiveRecords,
    version: Version,
    { changes, newest }: NonNullable<Admission["event"]>,
  ): Reach {
    const { size } = records
    const reach = records.isAt(version) ? "reached" : records.reach(version, changes)
    // Counts their memory.
    if (records.size !== size) this.#lists.keep(records)
    // Triggers may be missing, which is noticed seconds later, or a table empty.
    return reach === "reached" && !records.canHave(newest) ? "lost" : reach
  }
}

/** Returns the projections of a list's records, by category, in the order of the categories. */
function projectionsOf({ categories = [], parts }: List): Partial<Record<Category, Projection>> {
  const named = new Map(parts.map(({ name = categories[0], projection }) => [name, projection]))
  return Object.fromEntries(categories.map((category) => [category, named.get(category)]))
}
