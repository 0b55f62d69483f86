import type { Admission, GrantedEvent } from "../../access/admission.ts"
import { changesOf } from "../../change-log/changes-behind.ts"
import type { EventVersion } from "../../change-log/versions.ts"
import { boundedCache } from "../../data/bounded-cache.ts"
import type { Category } from "../../records/categories.ts"
import { ChangedRows, type VersionScope } from "../../records/live/changed-rows.ts"
import {
  type CutPart,
  cutParts,
  type LiveShape,
  type Missing,
  type Shortage,
  writeParts,
} from "../../records/live/cut-page.ts"
import { type LiveLists, nameOf } from "../../records/live/live-lists.ts"
import { LiveRecords, type Reach } from "../../records/live/live-records.ts"
import { loadKeys, mostVacancies } from "../../records/live/load-keys.ts"
import { readTexts } from "../../records/live/search-list.ts"
import type { List } from "../../records/list.ts"
import { isId, type ListResult, type PageRequest } from "../../records/page.ts"
import type { RecordCache } from "../../records/record-cache.ts"
import { WrongValue } from "../../records/values.ts"
import { checkAgain, type ListRequest } from "../authorize.ts"
import type { Node } from "../nodes.ts"
import type { ListQuery } from "./query.ts"

/** A request for a page of a list: `query` says which one, once a cursor has been read. */
export interface PageLookup extends ListRequest {
  readonly query: ListQuery
  /** The `Next-Since` of the walk: a snapshot of a server that is not as far must not be read. */
  readonly nextSince: number
}

/** A page as of an admission. */
export interface LivePage {
  readonly result: ListResult
  readonly admission: Admission
}

/** An event's lists, and what they are of. */
interface LiveEvent extends VersionScope {
  readonly categories: readonly Category[]
  readonly records: LiveRecords
}

/** Lists change while a request waits for the database, so that it may have to begin again. */
const mostAttempts = 5

/** A search may need many portions of keys, and then texts. */
const mostOfSearch = 25

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

/** Records of a page that are read one by one, if they are less than a tenth of it. */
const few = 50

/**
 * Cuts pages from lists in memory. They are brought to the version that the event has at the caller's admission by the
 * rows of the log that a repeated admission tells, which is checked in the same way. What they do not know is read by one
 * statement, which says of what version it is.
 */
export class LivePages {
  readonly #lists: LiveLists
  readonly #records: RecordCache
  readonly #rows = new ChangedRows()
  readonly #loading = new Map<string, Promise<unknown>>()
  /** Lists of which pages were requested. */
  readonly #requested = boundedCache<true>({ most: mostRequested })
  /** Lists that were found a moment ago to be none that can be in memory. */
  readonly #unfit = boundedCache<true>({ most: mostRequested, ttl: unfitFor })
  /** Lists whose texts take too much memory for `q`. */
  readonly #tooLong = new WeakSet<LiveRecords>()

  constructor(lists: LiveLists, records: RecordCache) {
    this.#lists = lists
    this.#records = records
  }

  /** Returns a page; undefined if it has to be read otherwise. @throws {Problem} as an admission. @throws {Unavailable} */
  async find(request: PageLookup): Promise<LivePage | undefined> {
    const { route: { list }, node, query } = request
    const { live, categories = [] } = list
    if (!live || isInBucket(query)) return undefined
    const most = query.terms.length > 0 ? mostOfSearch : mostAttempts
    let { admission } = request
    let asked: Asked
    let isRetried = false
    let before: EventVersion | undefined
    for (let attempt = 0; attempt < most; attempt++) {
      const { event } = admission
      const version = event && node.changes.versions.partsOf(event)
      if (!event || !version) return undefined
      const page = { ...query, cached: this.#records.of(event.id, version.epoch) }
      const kept = this.#lists.get(event.id, categories)
      if (!kept && !this.#isWorthReading(nameOf(event.id, categories))) return undefined
      const records = kept ?? new LiveRecords(categories)
      const lists = { eventId: event.id, epoch: version.epoch, categories, records }
      const reach = records.version ? this.#reach(lists, version, event) : "reached"
      if (reach === "reached") {
        const cut = cutParts(records, live, page, admission.session.now)
        if (!cut) return undefined
        if (records.version && cut.shortages.length === 0) {
          const result = await this.#write(cut.parts, live, lists, request)
          if (result !== "changed") return result && { result, admission }
          if (isRetried) return undefined
          isRetried = true
          asked = "again"
          before = records.version
          admission = await this.#admitAgain(request, records.newest)
          continue
        }
        const others = cut.shortages.filter(({ texts }) => !texts)
        if (others.length > 0 || !records.version) {
          if (!await this.#load(others, lists, request)) return undefined
          continue
        }
        const isRead = !this.#tooLong.has(records) &&
          await this.#readTexts(cut.shortages, lists, request)
        if (isRead === undefined || this.#tooLong.has(records)) return undefined
        if (isRead) continue
        asked = "again"
        before = records.version
        admission = await this.#admitAgain(request, records.newest)
        continue
      }
      // Else a later admission has overtaken this one, which proves nothing.
      const isOfLists = records.version === before
      if (reach === "lost" || (reach === "missing" && asked === "oldest" && isOfLists)) {
        this.#lists.drop(event.id, categories, records)
        return undefined
      }
      if (reach === "behind" && ((asked === "again" && isOfLists) || !node.isPrimary)) {
        // Another server may be behind for longer. The primary has lost commits.
        if (node.isPrimary) this.#lists.drop(event.id, categories, records)
        return undefined
      }
      asked = reach === "missing" && asked ? "oldest" : "again"
      const behind = asked === "oldest" ? records.oldest : records.newest
      before = records.version
      admission = await this.#admitAgain(request, behind)
    }
    return undefined
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
    return await this.#once("keys", lists, request, () => this.#read(shortages, lists, request))
  }

  /**
   * Reads what `q` searches, unless another request does. Returns false if that has changed, or is too much; undefined if
   * another request could not read it.
   */
  async #readTexts(
    shortages: readonly Shortage[],
    lists: LiveEvent,
    request: PageLookup,
  ): Promise<boolean | undefined> {
    const { eventId, categories, records } = lists
    const mayGoOn = () => {
      if (!this.#lists.haveRoomFor(records)) {
        records.forgetTexts()
        this.#tooLong.add(records)
      }
      return !this.#tooLong.has(records)
    }
    return await this.#once("texts", lists, request, async () => {
      let isComplete = true
      for (const { category, texts } of shortages) {
        const list = records.list(category)
        const wanted = texts && { eventId, category, wanted: texts }
        if (wanted && !await readTexts(request.node.database, list, wanted, mayGoOn)) {
          isComplete = false
        }
      }
      // Counts their memory.
      if (this.#lists.get(eventId, categories) === records) {
        this.#lists.keep(eventId, categories, records)
      }
      return mayGoOn() && isComplete
    })
  }

  /**
   * Does some reading for lists. If another request does already, waits for that, and returns true; or undefined if it
   * fails: to try again would take as long.
   */
  async #once(
    what: string,
    { eventId, categories }: LiveEvent,
    { incoming: { watch } }: PageLookup,
    read: () => Promise<boolean>,
  ): Promise<boolean | undefined> {
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

  async #read(
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

  /** Writes a page. Returns undefined if too much of it is not known; `changed` if a record meanwhile has another version. */
  async #write(
    parts: readonly CutPart[],
    { isBundle }: LiveShape,
    lists: LiveEvent,
    { node: { database }, incoming: { watch } }: PageLookup,
  ): Promise<ListResult | "changed" | undefined> {
    const shape = isBundle ? "bundle" : "list"
    const jsonOf = this.#jsonIn(lists)
    const written = writeParts(parts, shape, jsonOf)
    if ("body" in written) return written
    const count = parts.reduce((sum, { entries }) => sum + entries.length, 0)
    if (written.length > few && 10 * written.length > count) return undefined
    const missing = written.map(({ part: { category }, entry: { id, version } }) => {
      return { category, id, version }
    })
    watch.begin()
    await this.#rows.read(database, lists, missing).finally(() => watch.end())
    const again = writeParts(parts, shape, jsonOf)
    return "body" in again ? again : "changed"
  }

  /** Returns what finds the JSON of records that have changed, if their rows have been read. */
  #jsonIn(lists: LiveEvent) {
    return ({ part: { category, projection }, entry: { id, version } }: Missing) => {
      const row = this.#rows.get(lists, { category, id, version })
      try {
        return row && JSON.stringify(projection.project(row))
      } catch (error) {
        if (!(error instanceof WrongValue)) throw error
        // A page that leaves out a record has to be read.
        const { eventId, categories, records } = lists
        this.#unfit.set(nameOf(eventId, categories), true)
        this.#lists.drop(eventId, categories, records)
        return undefined
      }
    }
  }

  /** Returns a request of which an admission that is repeated tells what lists in memory need to be as of it. */
  asking(request: ListRequest): ListRequest {
    const { route: { list: { categories = [] } }, question, admission: { event } } = request
    const behind = event && this.#lists.get(event.id, categories)?.newest
    return behind === undefined ? request : { ...request, question: { ...question, behind } }
  }

  /**
   * Returns what cuts portions of a list, as lines, as of an admission: undefined for those that have to be read.
   * Lists may get ahead of the admission at any time.
   */
  cutterOf(
    { live, categories = [] }: List,
    { event, session }: Admission,
    { changes: { versions } }: Node,
  ): PageRequest["cut"] {
    const version = event && versions.partsOf(event)
    if (!live || !version) return undefined
    const scope = { eventId: event.id, epoch: version.epoch }
    return (page) => {
      const records = this.#lists.get(event.id, categories)
      if (!records || isInBucket(page) || page.terms.length > 0) return undefined
      const lists = { ...scope, categories, records }
      if (this.#reach(lists, version, event) !== "reached") return undefined
      const cut = cutParts(records, live, page, session.now)
      if (cut?.shortages.length !== 0) return undefined
      const shape = live.isBundle ? "named lines" : "lines"
      const written = writeParts(cut.parts, shape, this.#jsonIn(lists))
      return "body" in written ? written : undefined
    }
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

/** Which changes the admission tells that a request has got last: undefined if none. */
type Asked = "again" | "oldest" | undefined

/** Such pages are too rare. */
function isInBucket({ bucket = "", hash = "" }: PageRequest): boolean {
  return bucket + hash !== ""
}
