import type { Admission, GrantedEvent } from "../../access/admission.ts"
import { changesOf } from "../../change-log/changes-behind.ts"
import type { EventVersion } from "../../change-log/versions.ts"
import { boundedCache } from "../../data/bounded-cache.ts"
import { takeMemory } from "../../http/body-memory.ts"
import type { Category } from "../../records/categories.ts"
import type { Shape } from "../../records/encoded-body.ts"
import {
  type CutPart,
  cutParts,
  findUnknown,
  type Shortage,
  writeParts,
} from "../../records/live/cut-page.ts"
import { type LiveLists, nameOf } from "../../records/live/live-lists.ts"
import { LiveRecords, type Reach } from "../../records/live/live-records.ts"
import { loadKeys, mostVacancies } from "../../records/live/load-keys.ts"
import { loadRecords } from "../../records/live/load-records.ts"
import { readTexts } from "../../records/live/search-list.ts"
import { countRecords, type List } from "../../records/list.ts"
import { isId, type ListResult, type PageRequest } from "../../records/page.ts"
import { checkAgain, type ListRequest } from "../authorize.ts"
import type { Node } from "../nodes.ts"
import type { ListQuery } from "./query.ts"

/** A request for a page of a list: `query` says which one, once a cursor has been read. */
export interface PageLookup extends ListRequest {
  readonly query: ListQuery
  /** The `Next-Since` of the walk: a snapshot of a server that is not as far must not be read. */
  readonly nextSince: number
}

/** A page as of an admission. The memory of its body may be given back. */
export interface LivePage {
  readonly result: ListResult
  readonly admission: Admission
}

/** An event's lists of some categories. */
interface LiveEvent {
  readonly eventId: string
  readonly categories: readonly Category[]
  readonly records: LiveRecords
}

/** Portions of keys, and then of texts, that a request reads at most: a search may need many. */
const mostPortions = 25

/** Lists of which it is known that a page was requested. */
const mostRequested = 10_000

/**
 * Milliseconds after which lists are tried again that have an id that is no UUID, a record that is left out, or too many
 * places of deleted records.
 */
const unfitFor = 60_000

/** Keys that are read first, of a list that may have few records that are as new as is asked for. */
const fewKeys = 101

/** More keys are not read at once: the database skips as many records in less time. */
const mostAtOnce = 60_000

/** Keys that are read ahead at most. */
const mostAhead = 10_000

/** What became of the attempt to cut a page: `stale` if lists are as of another version than the admission. */
type Cut = ListResult | "stale" | undefined

/**
 * Cuts pages from lists in memory. They are brought to the version that the event has at the caller's admission by the
 * rows of the log that it tells. What they do not know is read by one statement, which says of what version it is.
 */
export class LivePages {
  readonly #lists: LiveLists
  readonly #loading = new Map<string, Promise<unknown>>()
  /** Lists of which pages were requested. */
  readonly #requested = boundedCache<true>({ most: mostRequested })
  /** Lists that were found a moment ago to be none that can be in memory. */
  readonly #unfit = boundedCache<true>({ most: mostRequested, ttl: unfitFor })
  /** Lists whose texts take too much memory for `q`. */
  readonly #tooLong = new WeakSet<LiveRecords>()
  readonly #counts = { known: 0, read: 0 }

  constructor(lists: LiveLists) {
    this.#lists = lists
  }

  /** The bytes in use, about, and the numbers of records of pages: those that were known, and those that were read. */
  get numbers(): { readonly bytes: number; readonly known: number; readonly read: number } {
    return { bytes: this.#lists.bytes, ...this.#counts }
  }

  /** Returns a page; undefined if it has to be read otherwise. @throws {Problem} as an admission. @throws {Unavailable} */
  async find(request: PageLookup): Promise<LivePage | undefined> {
    const { route: { list }, node, query } = request
    if (!list.live || isInBucket(query)) return undefined
    let { admission } = request
    let version: EventVersion | undefined
    // An admission tells changes only to who may read the event. Some may have been committed late.
    for (const asks of ["newest", "oldest", undefined] as const) {
      const result = await this.#cut(request, admission)
      if (result !== "stale") return result && { result, admission }
      const lists = this.#listsOf(request)
      if (!lists) return undefined
      const { records } = lists
      if (asks) {
        version = records.version
        admission = await this.#admitAgain(request, records[asks])
      } else if (node.isPrimary && records.version === version) {
        // It has lost commits, or changed without a trace. Other servers may only be behind.
        this.#drop(lists)
      }
    }
    return undefined
  }

  /** Adds to a request the question that brings its list up to date. */
  asking(request: ListRequest): ListRequest {
    const lists = this.#listsOf(request)
    if (!lists) return request
    return { ...request, question: { ...request.question, behind: lists.records.newest } }
  }

  /** Returns what cuts portions of a list, as lines, as of an admission: undefined for those that have to be read. */
  cutterOf(list: List, { event, session }: Admission, { changes }: Node): PageRequest["cut"] {
    const { live, categories = [] } = list
    const version = event && changes.versions.partsOf(event)
    if (!live || !version) return undefined
    return (page) => {
      const records = this.#lists.get(event.id, categories)
      if (!records || isInBucket(page) || page.terms.length > 0) return undefined
      // Lists may get ahead of the admission at any time.
      if (this.#reach({ eventId: event.id, categories, records }, version, event) !== "reached") {
        return undefined
      }
      const cut = cutParts(records, live, page, session.now)
      if (cut?.shortages.length !== 0 || findUnknown(cut.parts).length > 0) return undefined
      return writeParts(cut.parts, live.isBundle ? "named lines" : "lines")
    }
  }

  /** Cuts a page as of an admission; undefined if it has to be read otherwise. */
  async #cut(request: PageLookup, admission: Admission): Promise<Cut> {
    const { route: { list: { live, categories = [] } }, node, query } = request
    const { event, session } = admission
    const version = event && node.changes.versions.partsOf(event)
    if (!event || !version || !live) return undefined
    const kept = this.#listsOf(request)
    if (!kept && !this.#isWorthReading(nameOf(event.id, categories))) return undefined
    const lists = kept ??
      { eventId: event.id, categories, records: new LiveRecords(categories) }
    const { records } = lists
    for (let portion = 0; portion < mostPortions; portion++) {
      if (records.version) {
        const reach = this.#reach(lists, version, event)
        if (reach === "lost") this.#drop(lists)
        if (reach !== "reached") return reach === "lost" ? undefined : "stale"
      }
      const cut = cutParts(records, live, query, session.now)
      if (!cut) return undefined
      if (records.version && cut.shortages.length === 0) {
        return await this.#write(cut.parts, live.isBundle ? "bundle" : "list", lists, request)
      }
      if (!await this.#load(cut.shortages, lists, request)) return undefined
    }
    return undefined
  }

  #listsOf(
    { route: { list: { categories = [] } }, admission }: ListRequest,
  ): LiveEvent | undefined {
    const eventId = admission.event?.id ?? ""
    const records = this.#lists.get(eventId, categories)
    return records && { eventId, categories, records }
  }

  #drop({ eventId, categories, records }: LiveEvent): void {
    this.#lists.drop(eventId, categories, records)
  }

  /** Most lists of which two pages are requested go on to be read. */
  #isWorthReading(name: string): boolean {
    if (this.#unfit.has(name)) return false
    if (this.#requested.has(name)) return true
    this.#requested.set(name, true)
    return false
  }

  async #admitAgain(request: PageLookup, behind: number): Promise<Admission> {
    const found = await request.lookUp({ ...request.question, behind })
    const { admission } = await checkAgain(found, request, request.nextSince)
    return admission
  }

  /** Reads what lists must know, unless another request does. Returns true if they may know it now. */
  async #load(
    shortages: readonly Shortage[],
    lists: LiveEvent,
    request: PageLookup,
  ): Promise<boolean | undefined> {
    const keys = shortages.filter(({ texts }) => !texts)
    if (keys.length > 0 || !lists.records.version) {
      return await this.#once("keys", lists, request, () => this.#readKeys(keys, lists, request))
    }
    if (this.#tooLong.has(lists.records)) return undefined
    return await this.#once(
      "texts",
      lists,
      request,
      () => this.#readTexts(shortages, lists, request),
    )
  }

  /** Reads what `q` searches. Returns false if that is too much. */
  async #readTexts(
    shortages: readonly Shortage[],
    lists: LiveEvent,
    { node: { database } }: PageLookup,
  ): Promise<boolean> {
    const { eventId, records } = lists
    const mayGoOn = () => {
      if (this.#lists.haveRoomFor(records)) return true
      records.forgetTexts()
      this.#tooLong.add(records)
      return false
    }
    for (const { category, texts } of shortages) {
      const wanted = texts && { eventId, category, wanted: texts }
      if (wanted) await readTexts(database, records.list(category), wanted, mayGoOn)
    }
    this.#count(lists)
    return mayGoOn()
  }

  /**
   * Does some reading for lists. If another request does already, waits for that, and returns true; or undefined if it
   * fails: to try again would take as long.
   */
  async #once<T>(
    what: string,
    { eventId, categories }: LiveEvent,
    { incoming: { watch } }: PageLookup,
    read: () => Promise<T>,
  ): Promise<T | true | undefined> {
    const name = `${what} ${nameOf(eventId, categories)}`
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
    { eventId, categories, records }: LiveEvent,
    { node: { changes, database } }: PageLookup,
  ): Promise<boolean> {
    const { common } = changes
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
      loadKeys(reader, { eventId, behind, wanted, most })
    )
    const version = found && changes.versions.partsOf(found.event)
    if (!version || changes.common !== common) return false
    if (!records.version) records.begin(version, found.changes)
    const reach = records.reach(version, found.changes)
    // Meanwhile, another request may have brought the lists to a later version.
    if (reach === "behind") return true
    const areFit = [...found.keys.values()].every((rows) => rows.every(({ id }) => isId(id))) &&
      [...found.vacancies.values()].every(({ length }) => length <= mostVacancies)
    if (!areFit) this.#unfit.set(nameOf(eventId, categories), true)
    if (reach !== "reached" || !areFit) {
      this.#lists.drop(eventId, categories, records)
      return false
    }
    for (const { category, after, vacancies } of wanted) {
      const list = records.list(category)
      const rows = found.keys.get(category) ?? []
      if (after && list.floor === after) list.extend(rows, rows.length < most)
      if (vacancies) {
        const gone = found.vacancies.get(category) ?? []
        list.vacancies = gone.map(({ id, updated, export_version: at = 0 }) => {
          return { id, time: updated, at }
        })
      }
    }
    this.#lists.keep(eventId, categories, records)
    // What takes more than all memory is not kept.
    return this.#lists.get(eventId, categories) === records
  }

  /** Writes a page, once the JSON of its records is known. Undefined if one of them has to be left out. */
  async #write(
    parts: readonly CutPart[],
    shape: Shape,
    lists: LiveEvent,
    request: PageLookup,
  ): Promise<Cut> {
    const { eventId, categories, records } = lists
    const { node: { database } } = request
    let read = 0
    for (let unknown = findUnknown(parts); unknown.length > 0; unknown = findUnknown(parts)) {
      read = unknown.reduce((sum, { entries }) => sum + entries.length, 0)
      const names = unknown.map(({ part: { category, number } }) => `${category} ${number}`)
      const loaded = await this.#once(`records ${names}`, lists, request, async () => {
        return await loadRecords(database, eventId, records, unknown)
      })
      if (loaded === undefined) return undefined
      if (loaded === "wrong") {
        // A page that leaves out a record has to be read.
        this.#unfit.set(nameOf(eventId, categories), true)
        this.#drop(lists)
        return undefined
      }
      if (loaded === "changed") return "stale"
    }
    const page = writeParts(parts, shape, takeMemory)
    this.#counts.known += countRecords(page.body) - read
    this.#counts.read += read
    if (read > 0) this.#count(lists)
    return page
  }

  /** Counts the memory of lists. Texts that take too much of it are forgotten. */
  #count(lists: LiveEvent): void {
    const { eventId, categories, records } = lists
    if (this.#lists.get(eventId, categories) !== records) return
    if (!this.#lists.haveRoomFor(records)) records.forgetTexts()
    this.#lists.keep(eventId, categories, records)
  }

  /** Brings lists to the version of an admission, by the changes that it tells. */
  #reach(
    { eventId, categories, records }: LiveEvent,
    version: EventVersion,
    event: GrantedEvent,
  ): Reach {
    const { size } = records
    const reach = records.isAt(version)
      ? "reached"
      : records.reach(version, changesOf(event.changes))
    // Counts their memory.
    if (records.size !== size) this.#lists.keep(eventId, categories, records)
    // Triggers may be missing, which is noticed seconds later, or a table empty.
    return reach === "reached" && !records.canHave(event.newest) ? "lost" : reach
  }
}

/** Such pages are too rare. */
function isInBucket({ bucket = "", hash = "" }: PageRequest): boolean {
  return bucket + hash !== ""
}
