import { Client, type Result } from "./client.ts"
import { Comparison } from "./compare.ts"
import { exitCodes, goneCodes, PullError, ServiceProblem, unusable } from "./errors.ts"
import { ListReader, mostPages } from "./list-reader.ts"
import type { Change, EventState, State, SyncOptions } from "../pull.d.mts"
import { exportOf, feedPageOf, lists } from "./responses.ts"
import { day } from "./sleep.ts"
import { commitOf, stateOf, unread } from "./state.ts"

/** The most records per response of an export: they are in memory at the same time. */
const exportSize = 10_000

/** Reads and yields what is new. Throws a `PullError` if that is not possible; run it again later. */
export async function* sync(options: SyncOptions): AsyncGenerator<Change, void> {
  const state = stateOf(options)
  let last = commitOf(state)
  try {
    for await (const change of new Run(options, state).readAll()) yield last = change
  } catch (error) {
    // A run that fails keeps its session, so that the next one does not log in again.
    const { session } = state
    if (session && last.type === "commit" && last.state.session?.cookie !== session.cookie) {
      yield { type: "commit", state: { ...last.state, session } }
    }
    throw error
  }
}

/** Reads what is new. Its methods yield changes and change the state. */
class Run {
  readonly #options: SyncOptions
  readonly #state: State
  readonly #client: Client
  readonly #lists: ListReader
  readonly #comparison: Comparison
  /** Events that can no longer be read. */
  readonly #gone = new Set<string>()
  /** The `Next-Since` of the list of events: later commits have later times. */
  #now = 0

  constructor(options: SyncOptions, state: State) {
    this.#options = options
    this.#state = state
    this.#client = new Client(options, state)
    this.#lists = new ListReader(options, this.#client)
    this.#comparison = new Comparison(options, state, this.#client)
  }

  /** Reads the list of events, and then the feed of each. */
  async *readAll(): AsyncGenerator<Change, void> {
    const { events } = this.#state
    const wanted = this.#options.events?.map((id) => id.toLowerCase())
    yield* this.#readEvents()
    for (const id of wanted ?? []) if (!events[id] || events[id].gone) this.#gone.add(id)
    let last: PullError | undefined
    let failuresInARow = 0
    for (const [event, saved] of Object.entries(events)) {
      if (saved.gone || wanted && !wanted.includes(event)) continue
      try {
        yield* this.#syncEvent(event, saved)
        failuresInARow = 0
      } catch (error) {
        if (!(error instanceof PullError)) throw error
        if (error instanceof ServiceProblem && goneCodes.includes(error.code)) {
          yield* this.#leave(event, saved)
          continue
        }
        if (error.exitCode === exitCodes.configuration) throw error
        // One event that fails must not hold up the others. If several fail, the service is down.
        last = error
        if (error.exitCode === exitCodes.temporary && ++failuresInARow === 3) throw error
      }
    }
    yield commitOf(this.#state)
    if (last) throw last
    if (this.#gone.size === 0) return
    const ids = [...this.#gone].join(", ")
    throw new PullError(exitCodes.gone, `cannot be read any more: event ${ids}`)
  }

  async *#readEvents(): AsyncGenerator<Change, void> {
    const { eventsTag: tag, events } = this.#state
    const { wait } = this.#options
    const list = await this.#lists.read("events", "/events", "", { tag, wait })
    this.#now = list.nextSince
    this.#state.waits = list.waited
    if (list.unchanged) return
    const listed = new Set(list.rows.map(({ id }) => id))
    for (const [event, saved] of Object.entries(events)) {
      if (!listed.has(event) && !saved.gone) yield* this.#leave(event, saved)
    }
    for (const { id, record, ...place } of list.rows) {
      const { changed } = record
      const isKnown = typeof changed === "number" || changed === null
      const saved = events[id] ??= unread(0)
      Object.assign(saved, { changed: isKnown ? changed : undefined, gone: undefined })
      yield { type: "upsert", event: id, ...place, id, record, generation: 0 }
    }
    this.#state.eventsTag = list.tag
    yield commitOf(this.#state)
  }

  /** Marks an event as no longer readable. The list will be read again, since the event may come back. */
  *#leave(event: string, saved: EventState): Generator<Change, void> {
    saved.gone = true
    this.#state.eventsTag = null
    this.#gone.add(event)
    yield { type: "gone", event }
    yield commitOf(this.#state)
  }

  /** Brings the copy of an event up to date, unless nothing has changed, and compares it once a day. */
  async *#syncEvent(event: string, saved: EventState): AsyncGenerator<Change, void> {
    const { changed, upTo, checked, cursor } = saved
    // Changes since an earlier run began its walk may be behind its position.
    const isResumed = upTo === null && cursor !== null
    const isDue = this.#options.check || checked === null || Math.abs(this.#now - checked) >= day
    // After a clock was set back, times cannot be trusted.
    const isQuiet = upTo !== null && upTo <= this.#now &&
      (changed === null || Number(changed) < upTo)
    if (isDue || !isQuiet) yield* this.#readChanges(event, saved)
    if (isResumed) yield* this.#readChanges(event, saved)
    const readChanges = () => this.#readChanges(event, saved)
    if (isDue) yield* this.#comparison.compare(event, saved, { now: this.#now, readChanges })
    saved.upTo = this.#now
    if (isDue || !isQuiet) yield commitOf(this.#state)
  }

  /** Reads the feed, and reads everything again if the service does not accept the cursor. */
  async *#readChanges(event: string, saved: EventState): AsyncGenerator<Change, void> {
    for (let restarts = 0;; restarts++) {
      try {
        return yield* this.#readFeed(event, saved)
      } catch (error) {
        const isLost = error instanceof ServiceProblem && [400, 410].includes(error.status)
        if (!isLost || saved.cursor === null || restarts === 3) throw error
        Object.assign(saved, unread(saved.generation))
      }
    }
  }

  /** Reads the feed of an event to its end, and commits each page with the cursor of the next. */
  async *#readFeed(event: string, saved: EventState): AsyncGenerator<Change, void> {
    saved.upTo = null
    const asked = new Set<string | null>()
    for (let pages = 0, more = true; more; pages++) {
      if (pages > mostPages) throw unusable(`a feed of more than ${mostPages} pages`)
      while (saved.exports?.length) yield* this.#readExport(event, saved)
      const page = await this.#readPage(event, saved.cursor ?? "", saved.tag)
      asked.add(saved.cursor)
      if (page.more && asked.has(page.next)) throw unusable("a feed that leads back to a page")
      if (page.more && saved.cursor === null && saved.exports === null) {
        // This page does not count: its records may be deleted before the cursor that counts.
        saved.cursor = (await this.#readPage(event, "now", null)).next
        saved.exports = lists.toReversed().map((list) => {
          return {
            list,
            url: this.#lists.url(`/events/${event}/${list}/export`, "since=-1", exportSize),
          }
        })
        yield commitOf(this.#state)
        continue
      }
      for (const { record, ...place } of page.rows) {
        const { generation } = saved
        if (record) yield { type: "upsert", event, ...place, record, generation }
        else yield { type: "delete", event, ...place }
      }
      more = page.more
      const { fields: known, events } = this.#state
      // New fields concern all events, including unchanged ones.
      const outdated = known && page.fields !== known ? Object.values(events) : []
      for (const each of outdated) each.upTo = null
      this.#state.fields = page.fields
      Object.assign(saved, { cursor: page.next, tag: page.tag, exports: [] })
      if (!more && saved.unswept) {
        saved.unswept = false
        for (const list of lists) yield { type: "sweep", event, list, generation: saved.generation }
      }
      yield commitOf(this.#state)
    }
  }

  /** Reads the page of the feed after a cursor. An empty cursor is its beginning, `now` its end. */
  async #readPage(event: string, after: string, tag: string | null) {
    const url = this.#lists.url(`/events/${event}/changes`, `after=${encodeURIComponent(after)}`)
    return await this.#client.read(url, (result) => feedPageOf(result, after), { tag })
      .catch((error) => {
        const isMissing = error instanceof ServiceProblem &&
          /^not_(found|available)$/.test(error.code)
        throw isMissing ? unusable(`this service has no feed of changes: ${error.message}`) : error
      })
  }

  /** Reads the next part of an export, which only counts as a whole. If it fails, the feed has everything. */
  async *#readExport(event: string, saved: EventState): AsyncGenerator<Change, void> {
    const [{ list, url } = { list: lists[0], url: "" }, ...others] = saved.exports ?? []
    const asked = { accept: "application/x-ndjson", attempts: 3 } as const
    const parse = (result: Result) => exportOf(result, list)
    const part = await this.#client.read(url, parse, asked).catch((error) => {
      this.#options.signal?.throwIfAborted()
      if (!(error instanceof PullError)) throw error
    })
    for (const { record, ...place } of part?.rows ?? []) {
      yield { type: "upsert", event, ...place, record, generation: saved.generation }
    }
    if (part) {
      saved.fields[list] = part.fields
      saved.exports = part.next === null ? others : [{ list, url: part.next }, ...others]
    } else Object.assign(saved, { ...unread(saved.generation), exports: [] })
    yield commitOf(this.#state)
  }
}
