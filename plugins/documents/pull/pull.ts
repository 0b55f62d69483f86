#!/usr/bin/env node
/**
 * pull keeps a copy of fundraising events, their guests and items: in SQLite, NDJSON or CSV.
 *
 * One file without dependencies, for Node.js 22.13, Deno 2.2, Bun 1.2 or newer. `node pull.mjs --help`
 * shows how to use it, and what its exit codes mean. It is also a library, whose types are in pull.d.mts:
 *
 *     import { sync } from "./pull.mjs"
 *     for await (const change of sync({ base, family, user, password, state })) {
 *       if (change.type === "upsert") // insert or replace change.record by event, category and id
 *       if (change.type === "delete") // delete that record
 *       if (change.type === "sweep")  // delete the list's records of an earlier change.generation
 *       if (change.type === "gone")   // change.event can no longer be read
 *       if (change.type === "commit") // commit all this together with JSON.stringify(change.state)
 *     }
 *
 * Put everything between two commits into one transaction, together with the state of the second. Then
 * your copy survives a crash at any moment: start again with the last state that you committed. Records
 * may arrive more than once, and the later one counts. No request is sent between the first change and
 * its commit, so such a transaction is short.
 *
 * Why nothing is lost, in the order of the code below:
 *  1. Each event has a feed. Its cursor is state, and changes only together with the data.
 *  2. A long event is read by exports first, then by the feed from a cursor that is older than they are.
 *  3. A response counts only if it is whole: its type, its JSON, its records, the checksum of an export.
 *  4. What has to be read again stays in the copy until then. What has not come again is removed at the end.
 *  5. Once a day, the copy is compared with the service's digest, and what differs is read again.
 *  6. The clock of this computer decides nothing but whether a ping is new.
 */
import { Buffer } from "node:buffer"
import { createHash, createHmac, type Hash, timingSafeEqual } from "node:crypto"
import * as fs from "node:fs"
import * as http from "node:http"
import { dirname, join, resolve } from "node:path"
import process from "node:process"
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import type { Change, CopiedRecord, EventState, ExportRecord, List } from "./pull.d.mts"
import type { State, SyncOptions } from "./pull.d.mts"

/** What is used by default. The service fills in what belongs to your account. */
const defaults = {
  base: "http://127.0.0.1:8080",
  user: "",
  families: [""],
  cookie: "",
  version: "",
}

const exitCodes = { ok: 0, temporary: 1, configuration: 2, locked: 3, gone: 4, unusable: 5 }
const [hour, day] = [3600, 86_400]

/** Records of one response of an export: they are in memory together. */
const exportSize = 10_000
/** The most bytes of a response, decompressed, and values: each takes many times the memory of its bytes. */
const [mostBytes, mostValues] = [64 * 1024 * 1024, 5_000_000]
/** The most levels of a record: SQLite reads no more than a thousand. */
const mostLevels = 100
/** The most records that are kept in memory: the list of events, or a bucket that is repaired. */
const mostRows = 200_000
/** The most pages of a list or feed in one run. */
const mostPages = 5000
/** The most tables, and columns of a table, that SQLite gets. */
const [mostTables, mostColumns] = [100, 250]
/** The most bytes of a ping, and seconds between its time and the one of this computer. */
const [mostPing, mostSkew] = [4096, 300]

// ---------------------------------------------------------------------------------------------------
// The library
// ---------------------------------------------------------------------------------------------------

/** An error that ends a run, with the exit code of the command. */
export class PullError extends Error {
  readonly exitCode: number
  constructor(exitCode: number, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Something that the caller has to change. */
function misconfigured(message: string): PullError {
  return new PullError(exitCodes.configuration, message)
}

/** Something that no service should send, and that does not pass by itself. */
function unusable(what: string): PullError {
  const advice = "tell the operator of the service: running again does not help before it is mended"
  return new PullError(exitCodes.unusable, `${what}; ${advice}`)
}

/** Reads what is new, and yields it. Throws a `PullError` if that is not possible; run it again later. */
export async function* sync(options: SyncOptions): AsyncGenerator<Change, void> {
  const state = stateOf(options)
  let last = commitOf(state)
  try {
    for await (const change of new Run(options, state).readAll()) yield last = change
  } catch (error) {
    // A run that fails keeps its session: the next one need not log in again.
    const { session } = state
    if (session && last.type === "commit" && last.state.session?.cookie !== session.cookie) {
      yield { type: "commit", state: { ...last.state, session } }
    }
    throw error
  }
}

/** Later changes of the state must not reach those who keep it. */
function commitOf(state: State): Change {
  return { type: "commit", state: structuredClone(state) }
}

/** Returns the state to begin with. After one of version 1, everything is read again. */
function stateOf({ base, family, state: last }: SyncOptions): State {
  const source = new URL(base).origin + family
  const none = { session: null, eventsTag: null, waits: false, events: {} }
  const first: State = { version: 2, source, ...none }
  if (!last || last.source !== source && Object.keys(last.events).length === 0) return first
  if (last.source !== source || ![1, 2].includes(last.version)) {
    const advice = "choose another place for the copy"
    throw misconfigured(`this copy is of ${last.source}, not of ${source}: ${advice}`)
  }
  if (last.version === 2) return structuredClone(last)
  const generation = Math.max(0, ...Object.values(last.lists).map((list) => list.generation))
  for (const [id, { gone }] of Object.entries(last.events)) {
    first.events[id] = { ...unread(generation), gone }
  }
  return { ...first, session: last.session }
}

/** Returns the state of an event whose records are all to be read, for the first time or again. */
function unread(generation: number): EventState {
  const nothing = { cursor: null, tag: null, exports: null, upTo: null, checked: null, fields: {} }
  return { ...nothing, generation: generation + 1, unswept: true }
}

/** The codes of refusals of an event that was removed, or that you may not read any more. */
const goneCodes = ["event_not_found", "connector_not_enabled"]
const lists = ["guests", "items"] as const

/** Reads what is new. Its methods yield changes, and change the state. */
class Run {
  readonly #options: SyncOptions
  readonly #state: State
  readonly #client: Client
  /** Events that turned out to be gone. */
  readonly #gone = new Set<string>()
  /** The `Next-Since` of the list of events: what is committed after that was read has a later time. */
  #now = 0

  constructor(options: SyncOptions, state: State) {
    this.#options = options
    this.#state = state
    this.#client = new Client(options, state)
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
        if (error instanceof Refusal && goneCodes.includes(error.code)) {
          yield* this.#leave(event, saved)
          continue
        }
        if (error.exitCode === exitCodes.configuration) throw error
        // One event that fails must not hold up the others. If several fail, the service is away.
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
    const list = await this.#readList("events", "/events", "", { tag, wait })
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

  /** Marks an event as one that can no longer be read. The list is read anew, because it may come back. */
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
    // What was committed since an earlier run began a walk may lie behind its position.
    const isResumed = upTo === null && cursor !== null
    const isDue = this.#options.check || checked === null || Math.abs(this.#now - checked) >= day
    // After a clock was set back, times tell nothing.
    const isQuiet = upTo !== null && upTo <= this.#now &&
      (changed === null || Number(changed) < upTo)
    if (isDue || !isQuiet) yield* this.#readChanges(event, saved)
    if (isResumed) yield* this.#readChanges(event, saved)
    if (isDue) yield* this.#compare(event, saved)
    saved.upTo = this.#now
    if (isDue || !isQuiet) yield commitOf(this.#state)
  }

  /** Reads the feed; everything again if the service says that the feed does not go on from the cursor. */
  async *#readChanges(event: string, saved: EventState): AsyncGenerator<Change, void> {
    for (let restarts = 0;; restarts++) {
      try {
        return yield* this.#readFeed(event, saved)
      } catch (error) {
        const isLost = error instanceof Refusal && [400, 410].includes(error.status)
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
        // This page does not count, because what it has may be deleted before the cursor that does.
        saved.cursor = (await this.#readPage(event, "now", null)).next
        saved.exports = lists.toReversed().map((list) => {
          return { list, url: this.#url(`/events/${event}/${list}/export`, "since=-1", exportSize) }
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
      // New fields are news of all events, also of those in which nothing was changed.
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

  /** Reads a page of the feed after a cursor: an empty one is its beginning, `now` its end. */
  async #readPage(event: string, after: string, tag: string | null) {
    const url = this.#url(`/events/${event}/changes`, `after=${encodeURIComponent(after)}`)
    return await this.#client.read(url, (result) => feedPageOf(result, after), { tag })
      .catch((error) => {
        const isMissing = error instanceof Refusal && /^not_(found|available)$/.test(error.code)
        throw isMissing ? unusable(`this service has no feed of changes: ${error.message}`) : error
      })
  }

  /** Reads the next part of an export, which counts only as a whole. If it fails, the feed has everything. */
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

  /** Compares the copy of an event with the digests, and reads again what differs. */
  async *#compare(event: string, saved: EventState): AsyncGenerator<Change, void> {
    const { copy, check } = this.#options
    let isSame = true
    for (const list of copy ? lists : []) {
      const digest = await this.#readDigest(event, list)
      if (!digest) continue
      const { url, fields, digests } = digest
      if (saved.fields[list] !== fields) {
        // The feed has all records again with new fields; an export may be of another version of the service.
        if (saved.fields[list] !== undefined) Object.assign(saved, unread(saved.generation))
        saved.fields[list] = fields
        yield* this.#readChanges(event, saved)
      }
      const lines: string[] = []
      let differ = 0
      for (const [category, { buckets }] of Object.entries(digests)) {
        const digits = Object.keys(buckets)[0]?.length ?? 1
        const mine = digestsOf(copy?.(event, category) ?? [], digits, check === "content")
        for (const bucket of new Set([...Object.keys(buckets), ...mine.keys()])) {
          lines.push(`${list === "items" ? `${category} ` : ""}${bucket} ${mine.get(bucket)}\n`)
          if (mine.get(bucket) === buckets[bucket]?.digest) continue
          differ++
          yield* this.#repair(event, saved, { list, category, bucket })
        }
      }
      const known = saved.fields[list] ? `&fields=${saved.fields[list]}` : ""
      const acknowledgment = `${url}&mine=${sha256(lines.join(""))}${known}`
      // Something may have changed since the first response.
      const isRight = differ === 0 && await this.#client.read(acknowledgment, ({ headers }) => {
        return headers.get("copy") !== "different"
      })
      if (!isRight) isSame = false
    }
    // What was repaired is compared again after an hour.
    saved.checked = isSame ? this.#now : this.#now - day + hour
  }

  /** Reads the digest of a list; undefined if there is none, as items may only be announced. */
  async #readDigest(event: string, list: typeof lists[number]) {
    const of = this.#options.check === "content" ? "of=content&" : ""
    const url = `${this.#options.family}/events/${event}/${list}/digest?${of}hash=`
    const parse = (result: Result) => ({ url, ...digestsIn(result, list) })
    return await this.#client.read(url, parse).catch((error) => {
      const isMissing = error instanceof Refusal && error.status === 404
      if (!isMissing || goneCodes.includes(error.code)) throw error
    })
  }

  /** Reads a bucket again, and deletes the records of the copy that are not in it. */
  async *#repair(
    event: string,
    { generation }: EventState,
    { list, category, bucket }: { list: List; category: string; bucket: string },
  ): AsyncGenerator<Change, void> {
    const path = `/events/${event}/${list}`
    const { rows } = await this.#readList(list, path, `&hash=${bucket}`)
    const read = new Set(rows.filter((row) => row.category === category).map(({ id }) => id))
    for (const row of rows) yield { type: "upsert", event, ...row, generation }
    for (const { id } of [...this.#options.copy?.(event, category) ?? []]) {
      if (read.has(id) || sha256(id).slice(0, bucket.length) !== bucket) continue
      yield { type: "delete", event, list, category, id }
    }
    yield commitOf(this.#state)
  }

  /**
   * Reads a list: its first page, the pages after it and, if there are any, what has changed since the first. That
   * moved to the front, and may be on none of these pages.
   */
  async #readList(list: List, path: string, query: string, asked?: Asked) {
    const urlSince = (since: number) => this.#url(path, `since=${since}${query}`)
    const parse = (result: Result) => pageOf(result, list)
    const first = await this.#client.read(urlSince(-1), parse, asked)
    const rows = [...first.rows]
    let pages = 0
    for (const start of first.next === undefined ? [] : [first.next, urlSince(first.nextSince)]) {
      for (let url: string | undefined = start; url !== undefined;) {
        const page: Page = await this.#client.read(url, parse)
        rows.push(...page.rows)
        if (rows.length > mostRows) throw unusable(`a list of more than ${mostRows} records`)
        if (++pages > mostPages) throw unusable(`a list of more than ${mostPages} pages`)
        url = page.next
      }
    }
    return { ...first, rows }
  }

  #url(path: string, query: string, size?: number): string {
    const { family, limit = size } = this.#options
    return `${family}${path}?${query}${limit === undefined ? "" : `&limit=${limit}`}`
  }
}

/** Returns the digest of each bucket of records, which are ordered by id. */
function digestsOf(records: Iterable<CopiedRecord>, digits: number, isOfContent: boolean) {
  const hashes = new Map<string, Hash>()
  for (const { id, updated, json = "" } of records) {
    const bucket = sha256(id).slice(0, digits)
    const hash = hashes.get(bucket) ?? createHash("sha256")
    hashes.set(bucket, hash.update(`${id} ${isOfContent ? sha256(json) : updated}\n`))
  }
  return new Map([...hashes].map(([bucket, hash]) => [bucket, hash.digest("hex")]))
}

function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex")
}

// ---------------------------------------------------------------------------------------------------
// Requests
// ---------------------------------------------------------------------------------------------------

/** An error that the service describes: problem details (RFC 9457). */
class Refusal extends PullError {
  readonly status: number
  readonly code: string
  constructor(status: number, { code, detail, requestId }: Record<string, unknown>) {
    // After a 410, the next run begins again.
    const exitCode = status === 410 ? exitCodes.temporary : exitCodes.configuration
    super(exitCode, `${status} ${code}: ${detail} (request ${requestId})`)
    this.status = status
    this.code = String(code)
  }
}

/** A failure that may pass by itself. `after` is the number of seconds that the service asks to wait. */
class Passing extends PullError {
  readonly after: number | undefined
  constructor(message: string, after?: number) {
    super(exitCodes.temporary, message)
    this.after = after
  }
}

interface Result {
  readonly status: number
  readonly headers: Headers
  /** What JSON says, or the bytes of NDJSON. */
  readonly body: unknown
}

interface Asked {
  readonly accept?: "application/json" | "application/x-ndjson"
  /** The tag of the last response. */
  readonly tag?: string | null
  /** Seconds that the service may hold the request until the tag is another. */
  readonly wait?: number | undefined
  readonly attempts?: number
}

/** Sends requests to one service, and to no other, and repeats those that fail for a while. */
class Client {
  readonly #options: SyncOptions
  readonly #state: State
  readonly #origin: string
  /** Seconds that may still be spent waiting. */
  #patience: number

  constructor(options: SyncOptions, state: State) {
    this.#options = options
    this.#state = state
    this.#patience = options.patience ?? 300
    const { protocol, hostname, origin } = new URL(options.base)
    this.#origin = origin
    const isLoopback = /^((.+\.)?localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
    if (protocol === "http:" && !isLoopback && !options.insecure) {
      const advice = "credentials were not sent: take https, or --insecure"
      throw misconfigured(`${origin} is not encrypted, and ${advice}`)
    }
    if (state.session && state.session.user !== options.user) state.session = null
  }

  /** Reads anything, and parses it. `parse` throws a `Passing` to have the request repeated. */
  async read<T>(url: string, parse: (result: Result) => T, asked: Asked = {}): Promise<T> {
    const { accept = "application/json", tag = null, wait = 0, attempts = 8 } = asked
    let holds = tag === null ? 0 : Math.floor(wait)
    // A link may have another name of this service. The credentials belong to the name in `base`.
    const { pathname, search } = new URL(url, this.#origin)
    return await this.#repeat(attempts, async () => {
      const { token, cookie = this.#state.session?.cookie } = this.#options
      const response = this.#fetch(this.#origin + pathname + search, {
        accept,
        ...token ? { authorization: `Bearer ${token}` } : cookie ? { cookie } : {},
        ...tag !== null && { "if-none-match": tag },
        ...holds > 0 && { prefer: `wait=${holds}` },
      }, holds)
      // A proxy may not let a request wait: once that has failed, it is not asked for again.
      holds = 0
      const { status, headers, bytes } = await response
      if (status === 304 && tag !== null) return parse({ status, headers, body: undefined })
      const type = headers.get("content-type") ?? "?"
      if (status !== 200) throw new Passing(`an unexpected response with status ${status}`)
      if (type.split(";")[0] !== accept) throw new Passing(`a response of type ${type}`)
      try {
        const body = accept === "application/json" ? JSON.parse(String(bytes)) : bytes
        return parse({ status, headers, body })
      } catch (error) {
        if (error instanceof PullError) throw error
        throw new Passing("a response that is cut off, or wrong")
      }
    })
  }

  /** Repeats what fails for a passing reason. Logs in if that is necessary, at most once. */
  async #repeat<T>(attempts: number, work: () => Promise<T>): Promise<T> {
    let hasLoggedIn = false
    for (let attempt = 1;; attempt++) {
      try {
        return await work()
      } catch (error) {
        const needsLogIn = error instanceof Refusal && error.code === "unauthenticated"
        if (needsLogIn && !hasLoggedIn) {
          hasLoggedIn = true
          await this.#repeat(attempts, () => this.#logIn())
          continue
        }
        const failure = needsLogIn ? new Passing("the new session is refused") : error
        if (!(failure instanceof Passing)) throw failure
        const backoff = Math.min(30, 2 ** attempt / 4) * (0.5 + Math.random() / 2)
        const seconds = failure.after ?? backoff
        if (attempt >= attempts || seconds > this.#patience) throw failure
        this.#patience -= seconds
        await sleep(seconds, this.#options.signal)
      }
    }
  }

  async #logIn(): Promise<void> {
    const { user, password: secret, token, cookie } = this.#options
    if (token || cookie) throw misconfigured("the token or cookie is not valid, or no longer")
    if (!user || !secret) {
      const wanted = "set EXPORT_USER and EXPORT_PASSWORD, or EXPORT_TOKEN, or use --cookies"
      throw misconfigured(`there are no credentials: ${wanted}`)
    }
    this.#state.session = null
    const body = JSON.stringify({ username: user, password: secret })
    const sent = { "content-type": "application/json" }
    const { status, headers } = await this.#fetch(`${this.#origin}/session`, sent, 0, body)
    const [set] = headers.getSetCookie()
    if (status !== 204 || !set) throw new Passing("a log-in without a cookie")
    this.#state.session = { user, cookie: set.split(";")[0] as string }
  }

  /** Sends one request. @throws {Passing} for all that is not an answer of the service. */
  async #fetch(url: string, headers: Record<string, string>, holds: number, body?: string) {
    const { signal, timeout = 60, onRequest } = this.#options
    onRequest?.()
    const late = AbortSignal.timeout(Math.min(timeout + holds, day) * 1000)
    try {
      const response = await fetch(url, {
        ...body !== undefined && { method: "POST", body },
        headers,
        redirect: "manual",
        signal: signal ? AbortSignal.any([signal, late]) : late,
      })
      const bytes = await bytesOf(response)
      if (response.status >= 400) throw refusalOf(response, bytes)
      const location = response.headers.get("location")
      if (!location) return { status: response.status, headers: response.headers, bytes }
      const advice = "which was not followed: is --base right?"
      throw new Passing(`a redirect to ${new URL(location, url).origin}, ${advice}`)
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof PullError) throw error
      if (late.aborted) throw new Passing("no response in time")
      const { message, cause } = error as Error
      const reason = cause instanceof Error && cause.message || message
      throw new Passing(`no response: ${reason}${proxyHint()}`)
    }
  }
}

/** Says what a proxy needs, if there is one and this Node.js is too old to take it by itself. */
function proxyHint(): string {
  const isSet = Object.keys(process.env).some((name) => /^https?_proxy$/i.test(name))
  const isFollowed = http.setGlobalProxyFromEnv || process.env["NODE_USE_ENV_PROXY"] ||
    process.versions["bun"] || process.versions["deno"]
  const hint = "; for your proxy, set NODE_USE_ENV_PROXY=1 (Node.js 22.21, 24.0)"
  return isSet && !isFollowed ? hint : ""
}

/** Returns the bytes of a body, which may be many more than were sent. @throws {PullError} if there are too many. */
async function bytesOf({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let [bytes, values] = [0, 0]
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > mostBytes) throw unusable(`a response of more than ${mostBytes} bytes`)
    // Each value follows a comma, or begins a list or an object.
    for (const byte of chunk) if (byte === 0x2c || byte === 0x5b || byte === 0x7b) values++
    if (values > mostValues) throw unusable(`a response of more than ${mostValues} values`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Returns the error of a response: a refusal of the service, or a failure on the way. */
function refusalOf({ status, headers }: Response, bytes: Buffer): PullError {
  let problem: Record<string, unknown> = {}
  try {
    if (headers.get("content-type")?.includes("problem+json")) problem = JSON.parse(String(bytes))
  } catch {
    // It is cut off.
  }
  const { code, requestId } = problem
  const isOurs = typeof code === "string"
  if (isOurs && status !== 429 && status < 500) return new Refusal(status, problem)
  const what = isOurs
    ? `${status} ${code} (request ${requestId})`
    : `a response with status ${status} that is not of the service`
  return new Passing(what, waitOf(headers))
}

/** Returns the seconds of `Retry-After`, at most a day. A date is compared with the one of the response. */
function waitOf(headers: Headers): number | undefined {
  const after = headers.get("retry-after")
  if (!after) return undefined
  const seconds = /^\d+$/.test(after)
    ? Number(after)
    : (Date.parse(after) - Date.parse(headers.get("date") ?? "")) / 1000
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(0, seconds), day)
}

type Row = ReturnType<typeof rowOf>
type Page = ReturnType<typeof pageOf>

/** Parses a page of a list. @throws {PullError} if it is no such page. */
function pageOf({ status, headers, body }: Result, list: List) {
  const nextSince = headers.get("next-since") ?? ""
  if (!/^-?\d+$/.test(nextSince)) throw new Passing("a response without Next-Since")
  const unchanged = status === 304
  const parts = unchanged ? {} : Array.isArray(body) ? { [list]: body } : list === "items" && body
  if (!parts) throw new Passing("a response that is not a list")
  const rows = Object.entries(parts).flatMap(([category, records]) => {
    if (!Array.isArray(records)) throw new Passing("a response that is not a list")
    return records.map((record) => rowOf(list, category, record))
  })
  const [, next] = /<([^>]*)>\s*;[^,<]*\brel="?next"?/.exec(headers.get("link") ?? "") ?? []
  return {
    rows,
    nextSince: Number(nextSince),
    next: unchanged ? undefined : next,
    tag: headers.get("etag"),
    unchanged,
    /** True if the service held the request, or would have. */
    waited: /\bwait\b/.test(headers.get("preference-applied") ?? ""),
  }
}

/** Parses the page of the feed after a cursor: what has no record was deleted. @throws {PullError} if it is no such page. */
function feedPageOf({ status, headers, body }: Result, cursor: string) {
  const about = { tag: headers.get("etag"), fields: headers.get("fields") }
  if (status === 304) return { rows: [], next: cursor, more: false, ...about }
  const { changes, next, more } = body as Record<string, unknown>
  if (!Array.isArray(changes) || typeof next !== "string" || typeof more !== "boolean") {
    throw new Passing("a response that is not a page of a feed")
  }
  // Other lists may come at any time.
  const known = changes.filter(({ list }) => lists.includes(list))
  const rows = known.map(({ list, category, id, record, deleted }) => {
    if (deleted === undefined) return rowOf(list, category, record, id)
    return { ...rowOf(list, category, { id, updated: deleted }), record: undefined }
  })
  return { rows, next, more, ...about }
}

/** Parses a part of an export. @throws {PullError} if it is not whole. */
function exportOf({ headers, body }: Result, list: List) {
  const bytes = body as Buffer
  const last = bytes.lastIndexOf("\n", -2) + 1
  const lines = String(bytes.subarray(0, last)).split("\n").slice(0, -1)
  const { end } = JSON.parse(String(bytes.subarray(last)))
  if (end.sha256 !== sha256(bytes.subarray(0, last)) || end.count !== lines.length) {
    throw new Passing("an export whose checksum is wrong")
  }
  const rows = lines.map((line) => {
    const { category = list, ...record } = JSON.parse(line)
    return rowOf(list, category, record)
  })
  return { rows, next: end.next as string | null, fields: headers.get("fields") }
}

/** Parses the digest of a list: of each category, the digests of its buckets. */
function digestsIn({ headers, body }: Result, list: List) {
  const digests = (list === "guests" ? { guests: body } : body) as Record<string, {
    readonly buckets: Readonly<Record<string, { readonly digest: string }>>
  }>
  const names = Object.values(digests).flatMap(({ buckets }) => Object.keys(buckets))
  if (!names.every((name) => /^[\da-f]{1,4}$/.test(name))) {
    throw new Passing("a response that is not a digest")
  }
  return { fields: headers.get("fields"), digests }
}

/** What no list of items may be called: other tables have these names. */
const wrongCategories = /^(events|guests|pull_.*|sqlite_.*|.{0}|.{100,})$|\W/i

/** Returns a record with its place. @throws {PullError} if no copy can have it. */
function rowOf(list: List, category: unknown, record: ExportRecord, id = record?.id) {
  // Ids of events are names of folders, and of members of the state; categories are names of tables.
  const isRecord = typeof id === "string" && /^[\w-]{1,100}$/.test(id) && !(id in {}) &&
    id === record?.id && Number.isSafeInteger(record.updated)
  if (!isRecord) throw unusable(`a record without a right id and time in a list of ${list}`)
  if (!isWithin(record, mostLevels)) throw unusable(`a record of more than ${mostLevels} levels`)
  const isItems = list === "items" && typeof category === "string" &&
    !wrongCategories.test(category)
  if (!isItems && (list === "items" || category !== list)) {
    throw unusable("a category that is no name of one")
  }
  return { list, category: category as string, id, record }
}

/** True if a value has so many levels at most. */
function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true
  return levels > 0 && Object.values(value).every((inner) => isWithin(inner, levels - 1))
}

/** Waits. @throws the reason of the signal if it aborts. */
async function sleep(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  // Timers overflow after 24 days.
  for (let left = seconds; left > 0; left -= day) {
    const milliseconds = Math.min(left, day) * 1000
    await setTimeout(milliseconds, undefined, { signal }).catch(() => signal?.throwIfAborted())
  }
}

// ---------------------------------------------------------------------------------------------------
// The copy
// ---------------------------------------------------------------------------------------------------

/** Returns what opens SQLite files. */
async function loadSqlite(): Promise<new (file: string) => DatabaseSync> {
  const [bun, node] = ["bun:sqlite", "node:sqlite"]
  if (process.versions["bun"]) return (await import(bun)).Database
  // Node.js 22 warns that it is experimental.
  const { emitWarning } = process
  process.emitWarning = () => {}
  const sqlite = await import(node).catch(() => undefined)
  process.emitWarning = emitWarning
  if (sqlite) return sqlite.DatabaseSync
  throw misconfigured(`this needs Node.js 22.13 or newer, and this is ${process.version}`)
}

/**
 * A copy in a SQLite file: a table per category, with the record as JSON and a column for each of its
 * fields. Fields of fields stay JSON: `mainAddress ->> 'town'`.
 */
class Copy {
  readonly #db: DatabaseSync
  /** The columns of each table. */
  readonly #tables = new Map<string, Set<string>>()
  readonly #statements = new Map<string, StatementSync>()
  #isInTransaction = false
  /** Records of events that are different or new, and removed, so far. */
  changed = 0
  removed = 0
  /** Requests so far. */
  requests = 0

  constructor(db: DatabaseSync) {
    this.#db = db
    db.exec(
      `pragma busy_timeout = 10000; pragma journal_mode = wal; pragma synchronous = full; pragma secure_delete = on;
       create table if not exists pull_state (id integer primary key, state text not null);
       create table if not exists pull_files (event text, category text, primary key (event, category))`,
    )
    this.#findTables()
  }

  /** The tables with records. */
  get categories(): string[] {
    return [...this.#tables.keys()]
  }

  /** Returns the state of the last commit. */
  state(): State | undefined {
    const row = this.#sql("select state from pull_state").get() as { state: string } | undefined
    return row && JSON.parse(row.state)
  }

  /** Applies a change. All changes up to a commit, and its state, become visible together. */
  apply(change: Change): void {
    if (!this.#isInTransaction) this.#db.exec("begin immediate")
    this.#isInTransaction = true
    if (change.type === "upsert") this.#upsert(change)
    else if (change.type === "delete") {
      this.#delete(change.event, change.category, "id = ?", change.id)
    } else if (change.type === "sweep") {
      for (const category of this.categories) {
        const list = ["events", "guests"].includes(category) ? category : "items"
        if (list !== change.list) continue
        this.#delete(change.event, category, "generation < ?", change.generation)
      }
    } else if (change.type === "gone" && this.#tables.has("events")) {
      this.#sql(`update "events" set gone = 1 where id = ?`).run(change.event)
      this.#mark("", "events")
    } else if (change.type === "commit") {
      this.#sql("replace into pull_state values (1, ?)").run(JSON.stringify(change.state))
      this.#db.exec("commit")
      this.#isInTransaction = false
    }
  }

  /** Takes back what was not committed. */
  rollback(): void {
    try {
      if (this.#isInTransaction) this.#db.exec("rollback")
    } catch {
      // SQLite does so by itself after some errors, such as a full disk.
    }
    this.#isInTransaction = false
    // Columns may have been taken back as well.
    this.#findTables()
  }

  /** Returns the records of an event and category as they are compared, ordered by id. */
  *compared(event: string, category: string): Iterable<CopiedRecord> {
    if (!this.#tables.has(category)) return
    const sql = `select id, updated, record as json from "${category}" where event = ? order by id`
    yield* this.#sql(sql).iterate(event) as Iterable<CopiedRecord>
  }

  /** Returns the records of an event and category as lines of JSON, ordered by id; of all events if it is empty. */
  *records(event: string, category: string): Iterable<string> {
    const record = category === "events"
      ? "iif(gone, json_set(record, '$.gone', json('true')), record)"
      : "record"
    const sql = `select ${record} as record from "${category}" where ? in ('', event) order by id`
    for (const row of this.#sql(sql).iterate(event) as Iterable<{ record: string }>) {
      yield `${row.record}\n`
    }
  }

  /** Returns the number of records of events. */
  count(): number {
    const categories = this.categories.filter((name) => name !== "events")
    const counts = categories.map((name) => this.#sql(`select count(*) as n from "${name}"`).get())
    return (counts as { n: number }[]).reduce((sum, { n }) => sum + n, 0)
  }

  /** Returns the files that are out of date: also what is missing, and all that was written in another form. */
  outdated(form: number, isMissing: (event: string, category: string) => boolean) {
    const last = this.#sql("pragma user_version").get() as { user_version: number }
    for (const category of this.categories) {
      const name = category === "events" ? "''" : "event"
      const rows = this.#sql(`select distinct ${name} as event from "${category}"`).all()
      for (const { event } of rows as { event: string }[]) {
        if (isMissing(event, category) || last.user_version !== form) this.#mark(event, category)
      }
    }
    this.#db.exec(`pragma user_version = ${form}`)
    return this.#sql("select * from pull_files").all() as { event: string; category: string }[]
  }

  /** Remembers that a file is up to date. */
  written(event: string, category: string): void {
    this.#sql("delete from pull_files where event = ? and category = ?").run(event, category)
  }

  close(): void {
    this.rollback()
    this.#db.close()
  }

  #upsert({ event, category, id, record, generation }: Change & { type: "upsert" }): void {
    this.#addColumns(category, record)
    const isEvent = category === "events"
    const json = JSON.stringify(record)
    const select = `select record from "${category}" where event = ? and id = ?`
    const old = this.#sql(select + (isEvent ? " and not gone" : "")).get(event, id)
    this.#sql(
      `insert into "${category}" (event, id, updated, generation, record) values (?, ?, ?, ?, ?)
       on conflict do update set updated = excluded.updated, generation = excluded.generation,
         record = excluded.record${isEvent ? ", gone = 0" : ""}`,
    ).run(event, id, record.updated, generation, json)
    if ((old as { record: string } | undefined)?.record === json) return
    if (!isEvent) this.changed++
    this.#mark(isEvent ? "" : event, category)
  }

  #delete(event: string, category: string, condition: string, value: SQLInputValue): void {
    if (!this.#tables.has(category)) return
    const sql = `delete from "${category}" where event = ? and ${condition}`
    const changes = Number(this.#sql(sql).run(event, value).changes)
    if (changes > 0) this.#mark(event, category)
    this.removed += changes
  }

  /** Remembers that a file is out of date. */
  #mark(event: string, category: string): void {
    this.#sql("insert or ignore into pull_files values (?, ?)").run(event, category)
  }

  /** Adds a table for a new category, and columns for new fields. */
  #addColumns(category: string, record: ExportRecord): void {
    if (!this.#tables.has(category)) {
      if (this.#tables.size >= mostTables) throw unusable(`more than ${mostTables} categories`)
      const isTaken = this.categories.some((name) => name.toLowerCase() === category.toLowerCase())
      if (isTaken) throw unusable("categories whose names differ only in case")
      this.#db.exec(
        `create table "${category}" (event text not null, id text not null, updated integer not null,
           generation integer not null, record text not null,
           ${category === "events" ? "gone integer not null default 0," : ""}
           primary key (event, id)) without rowid`,
      )
      this.#findTables()
    }
    const columns = this.#tables.get(category) ?? new Set()
    for (const name of Object.keys(record)) {
      // Names of columns ignore case. The field `record` has all fields.
      if (columns.has(name.toLowerCase()) || !/^\w+$/.test(name)) continue
      if (columns.size >= mostColumns) return
      this.#db.exec(`alter table "${category}" add column "${name}" as (record ->> '$.${name}')`)
      columns.add(name.toLowerCase())
    }
  }

  /** Finds the tables with records. There may be others, of the owner of the copy. */
  #findTables(): void {
    this.#tables.clear()
    const tables = this.#db.prepare("select name from sqlite_schema where type = 'table'").all()
    for (const { name } of tables as { name: string }[]) {
      const columns = this.#db.prepare(`pragma table_xinfo("${name}")`).all() as { name: string }[]
      const names = new Set(columns.map(({ name }) => name.toLowerCase()))
      if (names.has("generation") && names.has("record")) this.#tables.set(name, names)
    }
  }

  #sql(text: string): StatementSync {
    const statement = this.#statements.get(text) ?? this.#db.prepare(text)
    this.#statements.set(text, statement)
    return statement
  }
}

/**
 * Writes a copy in files: `events.csv`, and for each event and category `<event>/guests.csv`, those that are out
 * of date or missing. Each is replaced as a whole, and only by a complete list: the others have to wait.
 */
function writeFiles({ format, place, spreadsheet }: Settings, copy: Copy, state: State): void {
  const fileOf = (event: string, category: string) => join(place, event, `${category}.${format}`)
  const isMissing = (event: string, category: string) => !closeToOthers(fileOf(event, category))
  // Version 1.2 wrote form 0, which was for spreadsheets, and 1.3.0 form 2.
  const form = format === "csv" ? spreadsheet ? 3 : 1 : 0
  for (const { event, category } of copy.outdated(form, isMissing)) {
    if (event !== "" && typeof state.events[event]?.upTo !== "number") continue
    const records = () => copy.records(event, category)
    const lines = format === "csv" ? csvLines(records, spreadsheet) : records()
    replaceFile(fileOf(event, category), lines)
    copy.written(event, category)
  }
}

function replaceFile(file: string, lines: Iterable<string>): void {
  fs.mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const output = fs.openSync(`${file}.new`, "w", 0o600)
  try {
    let text = ""
    for (const line of lines) {
      text += line
      if (text.length < 1_000_000) continue
      fs.writeFileSync(output, text)
      text = ""
    }
    fs.writeFileSync(output, text)
    fs.fsyncSync(output)
  } finally {
    fs.closeSync(output)
  }
  fs.renameSync(`${file}.new`, file)
  if (process.platform === "win32") return
  // So that the new name survives a power cut.
  const folder = fs.openSync(dirname(file), "r")
  fs.fsyncSync(folder)
  fs.closeSync(folder)
}

/** Makes a file one that only its owner can read. Returns false if there is none. */
function closeToOthers(file: string): boolean {
  const stats = fs.statSync(file, { throwIfNoEntry: false })
  if (stats && isOpenToOthers(stats)) fs.chmodSync(file, 0o600)
  return stats !== undefined
}

function isOpenToOthers({ mode }: fs.Stats): boolean {
  return process.platform !== "win32" && (mode & 0o077) !== 0
}

/** Writes records as CSV (RFC 4180), with a column for each field, and for each field of an object. */
function* csvLines(records: () => Iterable<string>, spreadsheet: boolean): Iterable<string> {
  const names = new Set<string>()
  for (const record of records()) for (const [name] of cellsOf(JSON.parse(record))) names.add(name)
  // Fields of an object stay together, wherever they were first seen.
  const groups = [...Map.groupBy(names, (name) => name.split(".", 1)[0]).values()]
  // An address that is null has one cell, any other one has several.
  const columns = groups.flatMap((group) =>
    group.filter((name) => !group.some((other) => other.startsWith(`${name}.`)))
  )
  const lineOf = (cells: Cell[]) =>
    `${cells.map((cell) => quote(spreadsheet ? guarded(cell) : cell)).join(",")}\r\n`
  if (columns.length > 0) yield lineOf(columns)
  for (const record of records()) {
    const cells = new Map(cellsOf(JSON.parse(record)))
    yield lineOf(columns.map((name) => cells.get(name) ?? null))
  }
}

type Cell = string | number | boolean | null

function cellsOf(record: Record<string, unknown>, prefix = ""): [name: string, value: Cell][] {
  return Object.entries(record).flatMap(([key, value]) => {
    const name = prefix + key
    if (value === null || typeof value === "number" || typeof value === "boolean") {
      return [[name, value]]
    }
    if (Array.isArray(value)) {
      const isSimple = value.every((each) => typeof each !== "object")
      return [[name, isSimple ? value.join(", ") : JSON.stringify(value)]]
    }
    if (typeof value === "object") return cellsOf(value as Record<string, unknown>, `${name}.`)
    return [[name, String(value)]]
  })
}

/**
 * Writes a cell, in quotes if necessary. Empty text is a pair of quotes, null is nothing. Some programs cannot read a file
 * with NUL.
 */
function quote(value: Cell): string {
  if (value === null) return ""
  const text = String(value).replaceAll("\0", "\ufffd")
  return /[",\r\n]|^$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Adds an apostrophe to text that a spreadsheet would change, and to what it would compute behind what may begin a cell. The
 * service's CSV has the same.
 */
function guarded(value: Cell): Cell {
  if (typeof value !== "string") return value
  const isChanged = /^(?:[\s']*[=+\-@＝＋－＠]|[\t\r\n'])/.test(value) || isValue(value)
  const inner = /[;\t\r\n](?=[\s'"]*[=+\-@＝＋－＠])/g
  return `${isChanged ? "'" : ""}${value.replace(inner, "$&'")}`
}

/** True if a spreadsheet takes a text for a number, a date, a time, a truth value or an error, in one of some languages. */
function isValue(text: string): boolean {
  const plain = text.normalize("NFKC").trim().toLowerCase()
  if (!/\d/.test(plain)) return constants.has(plain)
  if (!value.test(plain) || id.test(plain)) return false
  return plain.match(/\p{L}+/gu)?.every(isPartOfValue) ?? true
}

const id = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** Begins with no single letter: `a1` is text. */
const value = /^(?!\p{L}{1,2}(?!\p{L}))[\d\p{L}\p{Sc}\s.,:/()%'’+\-−–]+$/u

/** Truth values, and errors. */
const constants = new Set([
  ...["true", "false", "wahr", "falsch", "vrai", "faux", "verdadero"],
  ...["falso", "vero", "waar", "onwaar", "verdadeiro", "sand", "falsk"],
  ...["sant", "falskt", "sann", "usann", "tosi", "epätosi"],
  ...["prawda", "fałsz", "#n/a", "#ref!", "#name?", "#num!", "#value!", "#div/0!", "#null!"],
])

const languages = ["en", "en-GB", "de", "fr", "es", "it", "nl", "pt", "da", "sv", "nb", "fi", "pl"]
const forms = [{ month: "long" }, { month: "short" }, { month: "long", day: "numeric" }] as const

/** The names of months, once one is asked for: to make them takes longer than to load a module. */
let months: readonly string[] | undefined

function namesOfMonths(): readonly string[] {
  const names = languages.flatMap((language) =>
    forms.flatMap((form) => {
      const { format } = new Intl.DateTimeFormat(language, { ...form, timeZone: "UTC" })
      const texts = Array.from({ length: 12 }, (_, index) => format(Date.UTC(2026, index)))
      return texts.join().toLowerCase().match(/\p{L}{3,}/gu) ?? []
    })
  )
  return [...new Set(names)]
}

/** True for exponents, parts of ISO 8601 and of times of day, and months, of which three letters are enough. */
function isPartOfValue(word: string): boolean {
  if (word.length > 2) return (months ??= namesOfMonths()).some((month) => month.startsWith(word))
  return ["e", "t", "z", "a", "p", "m", "am", "pm", "de"].includes(word)
}

// ---------------------------------------------------------------------------------------------------
// The command
// ---------------------------------------------------------------------------------------------------

const families = defaults.families.join(", or ")
const help = `Usage: node pull.mjs --to PLACE [options]

Keeps a copy of events with their guests and items. The first run reads everything, the next ones read
what has changed. Interrupt it whenever you like: it continues where it was.

  --to sqlite:FILE     a table per category: events, guests, tickets, …
  --to ndjson:FOLDER   FOLDER/events.ndjson, FOLDER/<event id>/guests.ndjson, …
  --to csv:FOLDER      the same as CSV
  --spreadsheet        CSV for spreadsheet programs: text that they would change begins with an apostrophe
  --every SECONDS      go on until stopped, with a pause; without it, poll once
  --listen [HOST:]PORT with --every: poll at once when the service sends a ping to /pings (127.0.0.1)
  --secrets FILE       of pings, as the service gave them, a line each; only you may be able to read it
  --once               poll once, the default
  --check              compare the copy with the service's digests now, not only once a day
  --content            with --check, also compare what is in the records, not only ids and times
  --json               a line of JSON about each run, in place of a sentence
  --events ID,ID       only these events
  --family PATH        of your endpoints: ${families || "found out by itself"}
  --base URL           of the service (${defaults.base})
  --cookies FILE       a cookie file with your session, as curl or Python writes it; only you may be able to read it
  --insecure           send credentials over plain http to another computer
  --limit N            records per response, at most 1000
  --timeout SECONDS    until a request counts as failed (60)
  --patience SECONDS   to spend on waiting before failed requests are repeated (300)
  --version            the version of the service that this came from
  --help               this text

Credentials are in the environment: EXPORT_USER and EXPORT_PASSWORD, or EXPORT_TOKEN, and EXPORT_PING_SECRETS
in place of --secrets. The session is kept with the copy, in files that only you can read. Never delete or
edit pull.db, the state of copies in files.
HTTPS_PROXY, HTTP_PROXY and NO_PROXY are followed; before Node.js 25.4, set NODE_USE_ENV_PROXY=1 as well.

Exit codes:
  0  the copy is up to date
  1  temporary: the service, the network or the disk failed. Run it again, nothing is lost
  2  the options or the credentials are wrong, or this is not the copy of that service and family
  3  another run is under way
  4  an event can no longer be read; its copy stays and is marked as gone. The others are up to date
  5  the service sends what no copy can be made of: tell its operator. The other events are up to date

With Deno: deno run --allow-net --allow-env --allow-read --allow-write pull.mjs --to sqlite:copy.db
From cron, each minute: * * * * *  . $HOME/.pull-env && node pull.mjs --to sqlite:copy.db
`

/** Runs the command. Returns its exit code. */
export async function main(args: readonly string[], environment = process.env): Promise<number> {
  const stop = new AbortController()
  const end = () => stop.abort(new PullError(exitCodes.temporary, "stopped"))
  process.once("SIGINT", end)
  process.once("SIGTERM", end)
  const open: { close(): void }[] = []
  try {
    const isAsked = args.find((name) => name === "--help" || name === "--version")
    if (isAsked) {
      process.stdout.write(isAsked === "--help" ? help : `${defaults.version}\n`)
      return exitCodes.ok
    }
    http.setGlobalProxyFromEnv?.(environment)
    const settings = { ...readSettings(args, environment), signal: stop.signal }
    const Database = await loadSqlite()
    const file = placeOf(settings)
    open.unshift(takeLock(new Database(`${file}.lock`)))
    // Before SQLite makes it, which takes the umask.
    fs.closeSync(fs.openSync(file, "a", 0o600))
    closeToOthers(file)
    const copy = new Copy(new Database(file))
    open.unshift(copy)
    const family = settings.family || await findFamily(settings, copy)
    return await runUntilStopped({ ...settings, family }, copy)
  } catch (error) {
    return report(error, args.includes("--json"))
  } finally {
    end()
    for (const each of open) each.close()
    process.off("SIGINT", end)
    process.off("SIGTERM", end)
  }
}

/** Returns the file of the database. Makes the folder of a copy in files, but not the one that it is in. */
function placeOf({ format, place }: Settings): string {
  const parent = format === "sqlite" ? dirname(place) : dirname(resolve(place))
  if (!fs.existsSync(parent)) {
    throw wrongOption(`--to is in a folder that does not exist: ${parent}`)
  }
  if (format === "sqlite") return place
  fs.mkdirSync(place, { recursive: true, mode: 0o700 })
  return join(place, "pull.db")
}

/**
 * Takes a lock that the operating system releases when the process ends, however that happens.
 * @throws {PullError} if another process has it.
 */
function takeLock(lock: DatabaseSync): DatabaseSync {
  try {
    lock.exec("pragma busy_timeout = 0; begin exclusive")
    return lock
  } catch (error) {
    lock.close()
    if (!/locked|busy/i.test(String(error))) throw error
    throw new PullError(exitCodes.locked, "another run is under way")
  }
}

/** Returns the family of the copy, or the only one of the account. */
async function findFamily(settings: Settings, copy: Copy): Promise<string> {
  const { source } = copy.state() ?? { source: "" }
  if (source !== "") return new URL(source).pathname
  const client = new Client(settings, stateOf(settings))
  const parse = ({ body }: Result) => (body as { families: string[] }).families
  const families = await client.read("/session", parse)
  if (families?.length === 1) return String(families[0])
  throw wrongOption(`--family must be the path of your family: ${families?.join(", or ")}`)
}

/** Listens to pings, if that is wanted, until the signal aborts. @throws {PullError} if that is not possible. */
async function listen({ listens, signal }: Settings, onPing: () => void): Promise<void> {
  if (!listens) return
  const { host, port, keys } = listens
  const server = http.createServer({ requestTimeout: 10_000 }, (request, response) => {
    const answer = answerTo(request, keys).catch((): [number] => [400])
    void answer.then(([status, text]) => {
      if (status === 204) onPing()
      response.writeHead(status, { "content-type": "text/plain", allow: "POST" }).end(text)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.on("error", reject).listen(Number(port), host, resolve)
  }).catch(({ message }) => {
    throw misconfigured(`--listen is not possible: ${message}`)
  })
  signal.addEventListener("abort", () => {
    server.close()
    server.closeAllConnections()
  })
}

/** Returns the answer to a ping, which is signed after Standard Webhooks: 204 if something has changed. */
async function answerTo(request: http.IncomingMessage, keys: Buffer[]): Promise<[number, string?]> {
  if (request.url !== "/pings") return [404, "pings are received at /pings"]
  if (request.method !== "POST") return [405]
  let body = Buffer.alloc(0)
  for await (const chunk of request) {
    if (body.length <= mostPing) body = Buffer.concat([body, chunk])
  }
  if (body.length > mostPing) return [413]
  const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": all } = request.headers
  const sign = (key: Buffer, content: Buffer | string) =>
    `v1,${createHmac("sha256", key).update(`${id}.${time}.`).update(content).digest("base64")}`
  const right = keys.find((key) => {
    const own = Buffer.from(sha256(sign(key, body)))
    return String(all).split(" ").some((each) => timingSafeEqual(Buffer.from(sha256(each)), own))
  })
  if (!right) return [401, "the signature is wrong"]
  const isNew = Math.abs(Date.now() / 1000 - Number(time)) <= mostSkew
  if (!isNew) return [401, "the time differs from the one of this computer"]
  const { type, challenge } = JSON.parse(String(body))
  if (type === "challenge") return [200, sign(right, String(challenge))]
  return type === "changed" ? [204] : [200]
}

async function runUntilStopped(settings: Settings, copy: Copy): Promise<number> {
  const { every, listens, signal } = settings
  let ping = new AbortController()
  await listen(settings, () => ping.abort())
  for (let run = 1;; run++) {
    const began = performance.now()
    // A ping during the run may be about something that it has read before.
    ping = new AbortController()
    let [code, pause, least] = [exitCodes.ok, every ?? 0, 0]
    try {
      // The first run of several starts at once; later ones may be held until something changes.
      const wait = every === undefined || run === 1 || listens ? undefined : Math.min(every, 50)
      await runOnce({ ...settings, wait, check: run === 1 ? settings.check : undefined }, copy, run)
    } catch (error) {
      if (signal.aborted && every !== undefined) return exitCodes.ok
      code = report(error, settings.json, copy)
      if (error instanceof Passing) least = error.after ?? 0
    }
    if (every === undefined || code === exitCodes.configuration) return code
    if (code === exitCodes.ok && copy.state()?.waits) pause = 1
    try {
      least = Math.max(least, 1 - (performance.now() - began) / 1000)
      await sleep(least, signal)
      await sleep(pause - least, AbortSignal.any([signal, ping.signal]))
    } catch {
      if (signal.aborted) return exitCodes.ok
    }
  }
}

/** Polls once, and writes a line about it. */
async function runOnce(settings: Settings, copy: Copy, run: number): Promise<void> {
  copy.changed = copy.removed = copy.requests = 0
  const sentence = () =>
    `${copy.changed} changed, ${copy.removed} removed, ${copy.requests} requests`
  const show = (text: string) => process.stderr.isTTY && process.stderr.write(text)
  const onRequest = () => {
    copy.requests++
    show(`\r${sentence()} …\x1b[K`)
  }
  try {
    const compared = (event: string, category: string) => copy.compared(event, category)
    const options = { ...settings, state: copy.state(), copy: compared, onRequest }
    for await (const change of sync(options)) copy.apply(change)
  } finally {
    copy.rollback()
    const state = copy.state()
    if (state && settings.format !== "sqlite") writeFiles(settings, copy, state)
    show("\r\x1b[K")
  }
  const isNews = run === 1 || copy.changed > 0 || copy.removed > 0
  if (settings.json) printSummary(exitCodes.ok, copy)
  else if (isNews) process.stdout.write(`${copy.count()} records: ${sentence()}\n`)
}

/** Writes what went wrong. Returns the exit code. */
function report(error: unknown, asJson: boolean, copy?: Copy): number {
  const { message, code } = error as Error & { code?: string }
  const isDamaged = /not a database|disk image is malformed/.test(message)
  const advice = isDamaged ? ". Delete the copy with all its files, and start again" : ""
  const sentence = printable(message) + advice
  process.stderr.write(`pull: ${sentence}\n`)
  const isWrong = isDamaged || ["EACCES", "EPERM", "EROFS", "ENOTDIR"].includes(code ?? "")
  const other = isWrong ? exitCodes.configuration : exitCodes.temporary
  const exitCode = error instanceof PullError ? error.exitCode : other
  if (asJson) printSummary(exitCode, copy, sentence)
  return exitCode
}

/** Writes a line of JSON about a run. */
function printSummary(exitCode: number, copy: Copy | undefined, error?: string): void {
  const { changed = 0, removed = 0, requests = 0 } = copy ?? {}
  const summary = { exitCode, records: copy?.count(), changed, removed, requests, error }
  process.stdout.write(`${JSON.stringify(summary)}\n`)
}

/** Shows what a terminal would obey, and shortens it: the service chooses what is in its errors. */
function printable(text: string): string {
  return text.slice(0, 1000).replace(
    /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
}

function wrongOption(message: string): PullError {
  return misconfigured(`${message}; --help shows the options`)
}

/** Parses the options of the command. @throws {PullError} for any other option. */
function parse(args: readonly string[]) {
  const text = { type: "string" } as const
  const flag = { type: "boolean", default: false } as const
  const options = {
    ...{ to: text, base: text, family: text, events: text, cookies: text },
    ...{ every: text, limit: text, timeout: text, patience: text, listen: text, secrets: text },
    ...{ once: flag, check: flag, content: flag, insecure: flag, json: flag, spreadsheet: flag },
  }
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw wrongOption((error as Error).message.split(". ")[0] as string)
  }
}

function readSettings(args: readonly string[], environment: typeof process.env) {
  const values = parse(args)
  const { to, cookies, secrets, base = defaults.base, family = defaults.families[0] ?? "" } = values
  const number = (name: "every" | "limit" | "timeout" | "patience", least: number) => {
    const value = values[name]
    if (value === undefined) return undefined
    if (/^\d+(\.\d+)?$/.test(value) && Number(value) >= least) return Number(value)
    throw wrongOption(`--${name} must be a number of at least ${least}`)
  }
  const [, format, place] = /^(sqlite|ndjson|csv):(.+)$/.exec(to ?? "") ?? []
  if (!format || !place) throw wrongOption("--to must be sqlite:FILE, ndjson:FOLDER or csv:FOLDER")
  if (!URL.canParse(base) || !/^https?:/.test(base)) throw wrongOption("--base must be a URL")
  if (values.family !== undefined && !/^\/.+\/v\d+$/.test(family)) {
    throw wrongOption("--family must be the path of your family, such as /acme/v1")
  }
  const events = values.events?.split(",").map((id) => id.trim())
  if (events && !events.every((id) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id))) {
    throw wrongOption("--events must be ids of events, with commas between them")
  }
  /** Seconds; undefined to run once. */
  const every = values.once ? undefined : number("every", 1)
  const [, host = "127.0.0.1", port] = /^(?:\[?(.+?)\]?:)?(\d+)$/.exec(values.listen ?? "") ?? []
  if (values.listen !== undefined && (port === undefined || every === undefined)) {
    throw wrongOption("--listen must be PORT or HOST:PORT, with --every and without --once")
  }
  return {
    ...values,
    format: format as "sqlite" | "ndjson" | "csv",
    place,
    every,
    listens: port === undefined ? undefined : { host, port, keys: keysOf(secrets, environment) },
    check: values.content ? "content" as const : values.check ? "ids" as const : undefined,
    base,
    family,
    user: environment["EXPORT_USER"] || defaults.user || undefined,
    password: environment["EXPORT_PASSWORD"],
    token: environment["EXPORT_TOKEN"],
    cookie: cookies === undefined ? undefined : readCookies(cookies, new URL(base)),
    events,
    limit: number("limit", 1),
    timeout: number("timeout", 0.1),
    patience: number("patience", 0),
  }
}

type Settings = ReturnType<typeof readSettings> & { signal: AbortSignal; wait?: number | undefined }

/** Returns the keys of the secrets of pings. @throws {PullError} if there are none, or others than that. */
function keysOf(file: string | undefined, environment: typeof process.env): Buffer[] {
  const text = file === undefined ? environment["EXPORT_PING_SECRETS"] : readPrivate(file)
  const keys = text?.match(/\S+/g)?.map((each) => /^whsec_([\w+/]{32,}=*)$/.exec(each)?.[1])
  if (keys?.every((key) => key !== undefined)) return keys.map((key) => Buffer.from(key, "base64"))
  throw misconfigured("--listen needs EXPORT_PING_SECRETS or --secrets: the whsec_… of your pings")
}

/**
 * Returns the session of the service at exactly this host from a file as curl or Python writes it.
 * @throws {PullError} if there is none that counts and may be sent.
 */
function readCookies(file: string, { hostname, protocol }: URL): string {
  const names = [defaults.cookie, "event_export_session", "__Host-event_export_session"]
  const lines = readPrivate(file).replaceAll(/^#HttpOnly_/gm, "").split(/\r?\n/)
  const own = lines.map((line) => line.split("\t")).filter((fields) => {
    const [host, , path, secure, expires, name = "", value] = fields
    const isSent = host === hostname && path === "/" &&
      (secure === "FALSE" || protocol === "https:")
    // A session cookie has no time: curl writes 0, and Python nothing.
    const isValid = Number(expires) === 0 || Number(expires) > Date.now() / 1000
    return isSent && isValid && names.includes(name) && value !== undefined
  })
  if (own.length === 0) {
    const wanted = `session of this service for ${protocol}//${hostname} that has not ended`
    throw misconfigured(`${file} has no ${wanted}`)
  }
  return own.map(([, , , , , name, value]) => `${name}=${value}`).join("; ")
}

/** Returns the text of a file. @throws {PullError} if it cannot be read, or others can. */
function readPrivate(file: string): string {
  try {
    if (isOpenToOthers(fs.statSync(file))) {
      throw new Error(`others may read ${file}: "chmod 600" it`)
    }
    return fs.readFileSync(file, "utf8")
  } catch (error) {
    throw misconfigured((error as Error).message)
  }
}

const isCommand = import.meta.main ??
  (process.argv[1] !== undefined && fs.existsSync(process.argv[1]) &&
    fs.realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
if (isCommand) process.exitCode = await main(process.argv.slice(2))
