#!/usr/bin/env node
/**
 * pull keeps a copy of fundraising events, their guests and items: in SQLite, NDJSON or CSV.
 *
 * One file without dependencies, for Node.js 22.13, Deno 2.2, Bun 1.2 or newer. `node pull.mjs --help`
 * shows how to use it, and what its exit codes mean. It is also a library:
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
 *  1. `since`, entity tags and the cursor of a walk are state, and change only together with the data.
 *  2. `since` and tags change only once a walk is complete, and `since` only to what the service sent.
 *  3. A response counts only if its type, its JSON, its records and its headers are right.
 *  4. After a full walk, what was not in it is removed; not before what changed meanwhile was read.
 *  5. Once a day, the copy is compared with the service's digest, and what differs is read again.
 *  6. The clock of this computer is never used, but for the expiry of cookies in a file.
 */
import { createHash } from "node:crypto"
import type { Hash } from "node:crypto"
import * as fs from "node:fs"
import { dirname, join } from "node:path"
import process from "node:process"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"

/** What is used by default. The service fills in what belongs to your account. */
const defaults = { base: "http://127.0.0.1:8080", user: "", families: [] as string[] }

// ---------------------------------------------------------------------------------------------------
// The library
// ---------------------------------------------------------------------------------------------------

/** A record of an event: an event itself, a guest or an item. New fields may come at any time. */
export type ExportRecord = Record<string, unknown> & { id: string; updated: number }

/** What happened to your copy. `category` is `events`, `guests`, or a list of items such as `tickets`. */
export type Change =
  | {
    type: "upsert"
    event: string
    list: List
    category: string
    id: string
    record: ExportRecord
    /** Store it with the record: `sweep` is about it. */
    generation: number
  }
  | { type: "delete"; event: string; list: List; category: string; id: string }
  /** All records of the event and list (for items: all categories) with a smaller generation are gone. */
  | { type: "sweep"; event: string; list: List; generation: number }
  /** The event is no longer listed: it was removed, or your access to it ended. Its records stay. */
  | { type: "gone"; event: string }
  /** A point where the copy and `state` belong together. */
  | { type: "commit"; state: State }

type List = "events" | "guests" | "items"

export interface SyncOptions {
  /** The URL of the service, such as `https://export.example.org`. */
  base: string
  /** The path of your family, such as `/acme/v1`. */
  family: string
  /** With a password, it logs in and keeps the session in the state. */
  user?: string | undefined
  password?: string | undefined
  /** Instead of a password: a session as a token, or as a cookie `name=value`. */
  token?: string | undefined
  cookie?: string | undefined
  /** True to send credentials over plain http to other computers. */
  insecure?: boolean | undefined
  /** The state of the last commit. Without it, everything is read. */
  state?: State | undefined
  /** The ids of the events to follow. All that you may read if it is left out. */
  events?: readonly string[] | undefined
  /**
   * Returns id and `updated` of your records of an event and category, ordered by id. With it, the copy
   * is compared with the service once a day, and repaired.
   */
  copy?:
    | ((event: string, category: string) => Iterable<{ id: string; updated: number }>)
    | undefined
  /** Seconds that the service may hold the first request until something changes, if it can. */
  wait?: number | undefined
  /** Records per page (default: the service's). */
  limit?: number | undefined
  /** Seconds until a request counts as failed (default 60). */
  timeout?: number | undefined
  /** Seconds that may be spent waiting before repeating failed requests (default 300). */
  patience?: number | undefined
  signal?: AbortSignal | undefined
  /** Called before each request. */
  onRequest?: (() => void) | undefined
}

/** Where a copy is. It is plain JSON, and contains a session: keep it as secret as the copy. */
export interface State {
  version: 1
  /** The service and family that the copy is of. */
  source: string
  /** The cookie of the user's session. */
  session: { user: string; cookie: string } | null
  /** The tag of the list of events, and for each listed event when it changed, if the service says so. */
  eventsTag: string | null
  events: Record<string, { changed?: number | null; gone?: true }>
  /** True if the service held the last request that asked for it. */
  waits: boolean
  /** By event and list, such as `<id>/guests`. */
  lists: Record<string, ListState>
}

interface ListState {
  /** The `since` of the next poll; null before the first full walk has ended. */
  since: number | null
  /** The tags of the first pages of the last complete poll. */
  tags: Tags
  /** The number of full walks so far. */
  generation: number
  /** True from the end of a full walk until what it did not have is removed. */
  unswept: boolean
  /** The walk that is under way. */
  walk: Walk | null
  /** The `since` at which the copy was compared with the digest; null: not yet. */
  checked: number | null
  /** True if the service does not know of deletions. */
  withoutDeletions: boolean
}

/** `pages` counts the pages of this stage. */
interface Walk extends Step {
  /** `all` is a full walk; a poll reads `records`, and then `deletions`. */
  stage: "all" | "records" | "deletions"
  /** The least `Next-Since` of the first pages; null before the first. */
  since: number | null
  tags: Tags
}

type Tags = { records?: string; deletions?: string }

/** An error that ends a run, with the exit code of the command. */
export class PullError extends Error {
  readonly exitCode: number
  constructor(exitCode: number, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

/** The codes of refusals of an event that was removed, or that you may not read any more. */
const goneCodes = ["event_not_found", "connector_not_enabled"]

const exitCodes = { ok: 0, temporary: 1, configuration: 2, locked: 3, gone: 4, unusable: 5 }
const day = 86_400
const hour = 3600

/** The most bytes of a response, decompressed. */
const mostBytes = 64 * 1024 * 1024
/** The most values of a response: each takes many times the memory of its bytes. */
const mostValues = 5_000_000
/** The most levels of a record: SQLite reads no more than a thousand. */
const mostLevels = 100
/** The most records that are kept in memory: the list of events, or a bucket that is repaired. */
const mostRows = 200_000
/** The most pages of a walk. */
const mostPages = 5000
/** The most tables, and columns of a table, that SQLite gets. */
const mostTables = 100
const mostColumns = 250

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
  const source = new URL(options.base).origin + options.family
  const state: State = options.state
    ? structuredClone(options.state)
    : { version: 1, source, session: null, eventsTag: null, events: {}, waits: false, lists: {} }
  if (state.version !== 1 || state.source !== source) {
    const advice = "choose another place for the copy"
    throw misconfigured(`this copy is of ${state.source}, not of ${source}: ${advice}`)
  }
  const client = new Client(options, state)
  const context: Context = { options, state, client, gone: new Set() }
  let last = commitOf(state)
  try {
    for await (const change of readAll(context)) yield last = change
  } catch (error) {
    // A run that fails keeps its session: the next one need not log in again.
    const { session } = state
    if (session && last.type === "commit" && last.state.session?.cookie !== session.cookie) {
      yield { type: "commit", state: { ...last.state, session } }
    }
    throw error
  }
}

/** Reads the list of events, and then the lists of each. */
async function* readAll(context: Context): AsyncGenerator<Change, void> {
  const { options, state } = context
  const wanted = options.events?.map((id) => id.toLowerCase())
  const now = yield* readEvents(context)
  for (const id of wanted ?? []) {
    if (!state.events[id] || state.events[id].gone) context.gone.add(id)
  }
  let last: PullError | undefined
  let failuresInARow = 0
  for (const [event, known] of Object.entries(state.events)) {
    if (known.gone || wanted && !wanted.includes(event)) continue
    for (const list of ["guests", "items"] as const) {
      try {
        yield* syncList(context, event, list, now)
        failuresInARow = 0
      } catch (error) {
        if (!(error instanceof PullError)) throw error
        if (error instanceof Refusal && goneCodes.includes(error.code)) {
          known.gone = true
          state.eventsTag = null
          context.gone.add(event)
          yield { type: "gone", event }
          yield commitOf(state)
          break
        }
        if (error.exitCode === exitCodes.configuration) throw error
        // One list that fails must not hold up the others. If several fail, the service is away.
        last = error
        if (error.exitCode === exitCodes.temporary && ++failuresInARow === 3) throw error
      }
    }
  }
  yield commitOf(state)
  if (last) throw last
  if (context.gone.size > 0) {
    throw new PullError(
      exitCodes.gone,
      `cannot be read any more: event ${[...context.gone].join(", ")}`,
    )
  }
}

/** Later changes of the state must not reach those who keep it. */
function commitOf(state: State): Change {
  return { type: "commit", state: structuredClone(state) }
}

interface Context {
  readonly options: SyncOptions
  readonly state: State
  readonly client: Client
  /** Events that turned out to be gone in this run. */
  readonly gone: Set<string>
}

/** Reads the list of events. Returns its `Next-Since`. */
async function* readEvents(context: Context): AsyncGenerator<Change, number> {
  const { options, state, client, gone } = context
  const first = await client.page(listUrl(options, "/events", -1), {
    list: "events",
    tag: state.eventsTag ?? undefined,
    wait: options.wait,
  })
  state.waits = first.waited
  if (first.unchanged) return first.nextSince
  const rows = await readRest(context, first, { list: "events", path: "/events" })
  const listed = new Set(rows.map(({ id }) => id))
  for (const [event, known] of Object.entries(state.events)) {
    if (listed.has(event) || known.gone) continue
    known.gone = true
    gone.add(event)
    yield { type: "gone", event }
  }
  for (const { id, record } of rows) {
    const { changed } = record
    state.events[id] = typeof changed === "number" || changed === null ? { changed } : {}
    const place = { event: id, list: "events", category: "events", id } as const
    yield { type: "upsert", ...place, record, generation: 0 }
  }
  state.eventsTag = first.tag ?? null
  yield commitOf(state)
  return first.nextSince
}

/**
 * Returns the records of a list: of its first page, of the pages after it and, if there are any, of what has
 * changed since the first. It moved to the front, and may be on none of these pages.
 */
async function readRest(
  { options, client }: Context,
  first: Page,
  { list, path, query = "" }: { list: List; path: string; query?: string },
): Promise<Row[]> {
  const rows = [...first.rows]
  if (first.next === undefined) return rows
  for (const url of [first.next, listUrl(options, path, first.nextSince) + query]) {
    for (let at: Step | undefined = { url, pages: 0 }; at;) {
      const page: Page = await client.page(at.url, { list })
      rows.push(...page.rows)
      if (rows.length > mostRows) throw unusable(`a list of more than ${mostRows} records`)
      at = page.next === undefined ? undefined : stepTo(page.next, at)
    }
  }
  return rows
}

/** A place in a walk. */
interface Step {
  /** The next page. */
  url: string
  /** Pages that were read before it. */
  pages: number
  /** One of them. It moves on ever more slowly, so that a walk in circles comes back to it. */
  mark?: string
}

/** Returns the step to a page. @throws {PullError} if the walk does not end. */
function stepTo(url: string, { url: last, pages, mark = last }: Step): Step {
  if (url === last || url === mark) throw unusable("a list whose pages go in circles")
  if (pages === mostPages) {
    throw unusable(`a list of more than ${mostPages} pages, unless --limit is small`)
  }
  const isPower = (pages & (pages + 1)) === 0
  return { url, pages: pages + 1, mark: isPower ? url : mark }
}

/** Polls a list of an event, unless nothing has changed there, and compares it once a day. */
async function* syncList(
  context: Context,
  event: string,
  list: "guests" | "items",
  now: number,
): AsyncGenerator<Change, void> {
  const { state } = context
  const saved = state.lists[`${event}/${list}`] ??= {
    since: null,
    tags: {},
    generation: 0,
    unswept: false,
    walk: null,
    checked: null,
    withoutDeletions: false,
  }
  const which: ListContext = { ...context, event, list, path: `/events/${event}/${list}`, saved }
  const changed = state.events[event]?.changed
  const isQuiet = saved.since !== null && !saved.walk && !saved.unswept && changed !== undefined &&
    (changed === null || changed < saved.since)
  try {
    if (isQuiet) saved.since = now
    else yield* walkUntilComplete(which)
    yield* compare(which)
  } catch (error) {
    // Items may only be announced for this family.
    if (!(error instanceof Refusal) || error.code !== "not_available") throw error
  }
}

interface ListContext extends Context {
  readonly event: string
  readonly list: "guests" | "items"
  /** Below the family's. */
  readonly path: string
  readonly saved: ListState
}

/**
 * Walks, and polls after a walk that an earlier run began: it has nothing that changed since then. If the
 * service no longer knows the cursor or the deletions, begins again.
 */
async function* walkUntilComplete(which: ListContext): AsyncGenerator<Change, void> {
  const { saved } = which
  for (let restarts = 0;; restarts++) {
    try {
      if (saved.walk) yield* walk(which)
      return yield* walk(which)
    } catch (error) {
      if (!(error instanceof Refusal) || restarts === 3) throw error
      const isResumed = saved.walk !== null && saved.walk.pages > 0
      if (error.code === "cursor_expired" || error.status === 400 && isResumed) saved.walk = null
      else if (error.code === "resync_required" || error.status === 400 && saved.since !== null) {
        Object.assign(saved, { since: null, tags: {}, walk: null, unswept: false })
      } else throw error
    }
  }
}

/** Continues the walk that is under way, or begins one, and commits each page with the next step. */
async function* walk(
  { options, state, client, event, list, path, saved }: ListContext,
): AsyncGenerator<Change, void> {
  const begin = (stage: Walk["stage"], { since, tags }: Pick<Walk, "since" | "tags">): Walk => {
    const suffix = stage === "deletions" ? "/deletions" : ""
    return { stage, url: listUrl(options, path + suffix, saved.since ?? -1), pages: 0, since, tags }
  }
  const beginPoll = () => begin(saved.since === null ? "all" : "records", { since: null, tags: {} })
  if (!saved.walk) {
    saved.walk = beginPoll()
    // Even if a full walk before was not finished: what it saw may have been deleted since.
    if (saved.walk.stage === "all") saved.generation++
  }
  while (saved.walk) {
    const at: Walk = saved.walk
    const kind = at.stage === "deletions" ? "deletions" : "records"
    const tag = at.pages === 0 && at.stage !== "all" ? saved.tags[kind] : undefined
    const page = await client.page(at.url, { list, kind, tag }).catch((error) => {
      if (kind !== "deletions" || error.code !== "not_available") throw error
      return undefined
    })
    for (const { category, id, record } of page?.rows ?? []) {
      const place = { event, list, category, id }
      if (kind === "deletions") yield { type: "delete", ...place }
      else yield { type: "upsert", ...place, record, generation: saved.generation }
    }
    if (kind === "deletions") saved.withoutDeletions = page === undefined
    if (at.pages === 0 && page) {
      at.since = Math.min(at.since ?? Infinity, page.nextSince)
      if (page.tag !== undefined) at.tags[kind] = page.tag
    }
    if (page?.next !== undefined) saved.walk = { ...at, ...stepTo(page.next, at) }
    else if (at.stage === "records") saved.walk = begin("deletions", at)
    else {
      Object.assign(saved, { since: at.since, tags: at.tags, walk: null })
      if (at.stage === "all") saved.unswept = true
      // A record that changed during a walk of several pages was in none of them: a poll reads it first.
      if (at.stage === "all" && at.pages > 0) saved.walk = beginPoll()
      else if (saved.unswept) {
        saved.unswept = false
        yield { type: "sweep", event, list, generation: saved.generation }
      }
    }
    yield commitOf(state)
  }
}

function listUrl({ family, limit }: SyncOptions, path: string, since: number): string {
  return `${family}${path}?since=${since}${limit === undefined ? "" : `&limit=${limit}`}`
}

interface Digest {
  buckets: Record<string, { digest: string }>
}

/** Compares the copy with the digest if a day has passed, and reads again what differs. */
async function* compare(which: ListContext): AsyncGenerator<Change, void> {
  const { options, state, client, event, list, path, saved } = which
  const interval = saved.withoutDeletions ? hour : day
  if (!options.copy || saved.since === null) return
  if (saved.checked !== null && Math.abs(saved.since - saved.checked) < interval) return
  const url = `${options.family}${path}/digest?hash=`
  const { body, headers: told } = await client.json(url)
  const digests = list === "guests"
    ? { guests: body as unknown as Digest }
    : body as Record<string, Digest>
  const lines: string[] = []
  let isSame = true
  for (const [category, digest] of Object.entries(digests)) {
    const { buckets } = digest ?? {}
    if (!buckets || !Object.keys(buckets).every((name) => /^[\da-f]{1,4}$/.test(name))) {
      throw new Passing("a response that is not a digest")
    }
    const digits = Object.keys(buckets)[0]?.length ?? 1
    const mine = digestsOf(options.copy(event, category), digits)
    for (const bucket of new Set([...Object.keys(buckets), ...mine.keys()])) {
      lines.push(`${list === "items" ? `${category} ` : ""}${bucket} ${mine.get(bucket)}\n`)
      if (mine.get(bucket) === buckets[bucket]?.digest) continue
      isSame = false
      yield* repair(which, category, bucket)
    }
  }
  if (isSame) {
    const mine = createHash("sha256").update(lines.join("")).digest("hex")
    const fields = told.get("fields")
    const { headers } = await client.json(`${url}&mine=${mine}${fields ? `&fields=${fields}` : ""}`)
    // Something may have changed since the first response.
    isSame = headers.get("copy") !== "different"
  }
  // What was repaired is compared again after an hour.
  saved.checked = isSame ? saved.since : saved.since - interval + Math.min(interval, hour)
  yield commitOf(state)
}

/** Returns the digest of each bucket of records, which are ordered by id. */
function digestsOf(
  records: Iterable<{ id: string; updated: number }>,
  digits: number,
): Map<string, string> {
  const hashes = new Map<string, Hash>()
  for (const { id, updated } of records) {
    const bucket = bucketOf(id, digits)
    const hash = hashes.get(bucket) ?? createHash("sha256")
    hashes.set(bucket, hash.update(`${id} ${updated}\n`))
  }
  return new Map([...hashes].map(([bucket, hash]) => [bucket, hash.digest("hex")]))
}

function bucketOf(id: string, digits: number): string {
  return createHash("sha256").update(id).digest("hex").slice(0, digits)
}

/** Reads a bucket again, and deletes the records of the copy that are not in it. */
async function* repair(
  which: ListContext,
  category: string,
  bucket: string,
): AsyncGenerator<Change, void> {
  const { options, state, client, event, list, path, saved } = which
  const query = `&hash=${bucket}`
  const first = await client.page(listUrl(options, path, -1) + query, { list })
  const rows = await readRest(which, first, { list, path, query })
  const listed = new Set(rows.filter((row) => row.category === category).map(({ id }) => id))
  for (const row of rows) {
    yield { type: "upsert", event, list, ...row, generation: saved.generation }
  }
  const copied = [...options.copy?.(event, category) ?? []]
  for (const { id } of copied) {
    if (listed.has(id) || bucketOf(id, bucket.length) !== bucket) continue
    yield { type: "delete", event, list, category, id }
  }
  yield commitOf(state)
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

/** A record or a deletion of a page. */
interface Row {
  readonly category: string
  readonly id: string
  /** A deletion has `deleted` in place of `updated`. */
  readonly record: ExportRecord
}

interface Page {
  readonly rows: readonly Row[]
  readonly nextSince: number
  /** The URL of the next page. */
  readonly next: string | undefined
  readonly tag: string | undefined
  /** True for a 304. */
  readonly unchanged: boolean
  /** True if the service held the request, or would have. */
  readonly waited: boolean
}

interface Result {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
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
    this.#origin = new URL(options.base).origin
    this.#patience = options.patience ?? 300
    const { protocol, hostname } = new URL(options.base)
    if (protocol === "http:" && !isLoopback(hostname) && !options.insecure) {
      const advice = "credentials were not sent: take https, or --insecure"
      throw misconfigured(`${this.#origin} is not encrypted, and ${advice}`)
    }
    if (state.session && state.session.user !== options.user) state.session = null
  }

  /** Reads a page of a list. @throws {Refusal} if the service refuses it. */
  async page(
    url: string,
    { list, kind = "records", tag, wait }: {
      list: List
      kind?: "records" | "deletions"
      tag?: string | undefined
      wait?: number | undefined
    },
  ): Promise<Page> {
    const asked: Record<string, string> = tag === undefined ? {} : { "if-none-match": tag }
    let holds = wait !== undefined && tag !== undefined ? Math.floor(wait) : 0
    if (holds > 0) asked["prefer"] = `wait=${holds}`
    return await this.#repeat(async () => {
      const request = this.#get(url, { ...asked }, holds)
      // A proxy may not let a request wait: once that has failed, it is not asked for again.
      delete asked["prefer"]
      holds = 0
      const { status, headers, body } = await request
      const nextSince = headers.get("next-since") ?? ""
      if (!/^-?\d+$/.test(nextSince)) throw new Passing("a response without Next-Since")
      return {
        rows: status === 304 ? [] : rowsOf(body, list, kind),
        nextSince: Number(nextSince),
        next: status === 304 ? undefined : nextOf(headers.get("link")),
        tag: headers.get("etag") ?? undefined,
        unchanged: status === 304,
        waited: /\bwait\b/.test(headers.get("preference-applied") ?? ""),
      }
    })
  }

  /** Reads anything else. */
  async json(url: string): Promise<Result> {
    return await this.#repeat(() => this.#get(url))
  }

  /** Repeats what fails for a passing reason. Logs in if that is necessary, at most once. */
  async #repeat<T>(work: () => Promise<T>): Promise<T> {
    let hasLoggedIn = false
    for (let attempt = 1;; attempt++) {
      try {
        return await work()
      } catch (error) {
        const needsLogIn = error instanceof Refusal && error.code === "unauthenticated"
        if (needsLogIn && !hasLoggedIn) {
          hasLoggedIn = true
          await this.#repeat(() => this.#logIn())
        } else if (needsLogIn || error instanceof Passing) {
          const failure = error instanceof Passing
            ? error
            : new Passing("the new session is refused")
          const backoff = Math.min(30, 2 ** attempt / 4) * (0.5 + Math.random() / 2)
          const seconds = failure.after ?? backoff
          if (attempt === 8 || seconds > this.#patience) throw failure
          this.#patience -= seconds
          await sleep(seconds, this.#options.signal)
        } else throw error
      }
    }
  }

  async #get(url: string, headers: Record<string, string> = {}, holds = 0): Promise<Result> {
    // A link may have another name of this service. The credentials belong to the name in `base`.
    const { pathname, search } = new URL(url, this.#origin)
    let target = new URL(this.#origin + pathname + search)
    for (let redirects = 0;; redirects++) {
      const sent = { accept: "application/json", ...headers, ...this.#credentials() }
      const result = await this.#fetch(target, { headers: sent }, holds)
      if (result.status === 200) return result
      if (result.status === 304 && headers["if-none-match"] !== undefined) return result
      const location = result.headers.get("location")
      if (result.status < 300 || result.status > 399 || !location) {
        throw new Passing(`an unexpected response with status ${result.status}`)
      }
      target = new URL(location, target)
      if (target.origin !== this.#origin || redirects === 3) {
        const advice = "which was not followed: is --base right?"
        throw new Passing(`a redirect to ${target.origin}, ${advice}`)
      }
    }
  }

  #credentials(): Record<string, string> {
    const { token, cookie } = this.#options
    if (token) return { authorization: `Bearer ${token}` }
    const value = cookie || this.#state.session?.cookie
    return value ? { cookie: value } : {}
  }

  async #logIn(): Promise<void> {
    const { user, password, token, cookie } = this.#options
    if (token || cookie) {
      throw misconfigured("the token or cookie is not valid, or not any more")
    }
    if (!user || !password) {
      const wanted = "set EXPORT_USER and EXPORT_PASSWORD, or EXPORT_TOKEN, or use --cookies"
      throw misconfigured(`there are no credentials: ${wanted}`)
    }
    this.#state.session = null
    const { status, headers } = await this.#fetch(new URL("/session", this.#origin), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: user, password }),
    })
    const [set] = headers.getSetCookie()
    if (status !== 204 || !set) throw new Passing("a log-in without a cookie")
    this.#state.session = { user, cookie: set.split(";")[0] as string }
  }

  /** Sends one request. @throws {Passing} for all that is not an answer of the service. */
  async #fetch(url: URL, init: RequestInit, holds = 0): Promise<Result> {
    const { signal, timeout = 60, onRequest } = this.#options
    onRequest?.()
    const late = AbortSignal.timeout(Math.min(timeout + holds, day) * 1000)
    try {
      const response = await fetch(url, {
        ...init,
        redirect: "manual",
        signal: signal ? AbortSignal.any([signal, late]) : late,
      })
      const text = await textOf(response)
      const { status, headers } = response
      const type = headers.get("content-type") ?? ""
      if (status >= 400) throw refusalOf(response, type.includes("problem+json") ? text : "")
      if (status !== 200 || init.method === "POST") return { status, headers, body: undefined }
      if (!/^application\/json\b/.test(type)) throw new Passing(`a response of type ${type || "?"}`)
      return { status, headers, body: JSON.parse(text) }
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof PullError) throw error
      if (error instanceof SyntaxError) throw new Passing("a response that is cut off")
      const { message, cause } = error as Error
      const reason = cause instanceof Error && cause.message || message
      throw new Passing(late.aborted ? "no response in time" : `no response: ${reason}`)
    }
  }
}

/** Returns the text of a body, which may be much longer than what was sent. @throws {PullError} if it is too long. */
async function textOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let [text, bytes, values] = ["", 0, 0]
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > mostBytes) throw unusable(`a response of more than ${mostBytes} bytes`)
    // Each value follows a comma, or begins a list or an object.
    for (const byte of chunk) if (byte === 0x2c || byte === 0x5b || byte === 0x7b) values++
    if (values > mostValues) throw unusable(`a response of more than ${mostValues} values`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** True for the names and addresses of this computer. */
function isLoopback(hostname: string): boolean {
  return /^((.+\.)?localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

/** Returns the error of a response: a refusal of the service, or a failure on the way. */
function refusalOf({ status, headers }: Response, text: string): PullError {
  let problem: Record<string, unknown> | undefined
  try {
    problem = JSON.parse(text)
  } catch {
    // A proxy's page, or cut off.
  }
  if (typeof problem?.["code"] !== "string") {
    const message = `a response with status ${status} that is not of the service`
    return new Passing(message, waitOf(headers))
  }
  if (status === 429 || status >= 500) {
    const { code, requestId } = problem
    return new Passing(`${status} ${code} (request ${requestId})`, waitOf(headers))
  }
  return new Refusal(status, problem)
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

/** Returns the URL with `rel="next"`. */
function nextOf(link: string | null): string | undefined {
  return /<([^>]*)>\s*;[^,<]*\brel="?next"?/.exec(link ?? "")?.[1]
}

/** Returns the records of a body, with their categories. @throws {PullError} if it is no such body. */
function rowsOf(body: unknown, list: List, kind: "records" | "deletions"): Row[] {
  const isDeletion = kind === "deletions"
  const lists = Array.isArray(body) ? { [list]: body } : list === "items" ? body : null
  if (lists === null || typeof lists !== "object") {
    throw new Passing("a response that is not a list")
  }
  return Object.entries(lists).flatMap(([name, records]) => {
    if (!Array.isArray(records)) throw new Passing("a response that is not a list")
    return records.map((record) => {
      const { id, updated, deleted, category: named = name } = record ?? {}
      const category = isDeletion && list === "items" ? named : name
      // Ids of events are names of folders, categories are names of tables.
      const isRecord = typeof id === "string" && /^[\w-]{1,100}$/.test(id) &&
        Number.isSafeInteger(isDeletion ? deleted : updated)
      if (!isRecord) throw unusable(`a record without a right id and time in a list of ${list}`)
      if (!isWithin(record, mostLevels)) {
        throw unusable(`a record of more than ${mostLevels} levels`)
      }
      if (typeof category !== "string" || list === "items" && wrongCategories.test(category)) {
        throw unusable("a category that is no name of one")
      }
      return { category, id, record }
    })
  })
}

/** True if a value has so many levels at most. */
function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return true
  return levels > 0 && Object.values(value).every((inner) => isWithin(inner, levels - 1))
}

/** What no list of items may be called: other tables have these names. */
const wrongCategories = /^(events|guests|pull_.*|sqlite_.*|.{0}|.{100,})$|\W/i

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

/** What is used of `node:sqlite` and `bun:sqlite`. */
interface Sqlite {
  exec(sql: string): unknown
  prepare(sql: string): Statement
  close(): void
}
interface Statement {
  run(...values: unknown[]): { changes: number | bigint }
  get(...values: unknown[]): unknown
  all(...values: unknown[]): unknown[]
  iterate(...values: unknown[]): Iterable<unknown>
}

async function openSqlite(file: string): Promise<Sqlite> {
  if (process.versions["bun"]) {
    const name = "bun:sqlite"
    const { Database } = await import(name)
    return new Database(file)
  }
  // Node.js 22 warns that it is experimental.
  const { emitWarning } = process
  process.emitWarning = () => {}
  const sqlite = await import("node:sqlite").catch(() => undefined).finally(() => {
    process.emitWarning = emitWarning
  })
  if (!sqlite) {
    throw misconfigured(`this needs Node.js 22.13 or newer, and this is ${process.version}`)
  }
  return new sqlite.DatabaseSync(file) as unknown as Sqlite
}

/**
 * A copy in a SQLite file: a table per category, with the record as JSON and a column for each of its
 * fields. Fields of fields stay JSON: `mainAddress ->> 'town'`.
 */
class Copy {
  readonly #db: Sqlite
  /** The columns of each table. */
  readonly #tables = new Map<string, Set<string>>()
  readonly #statements = new Map<string, Statement>()
  #isInTransaction = false
  /** Records of events that are different or new, and removed, so far. */
  changed = 0
  removed = 0

  static async open(file: string): Promise<Copy> {
    // Before SQLite does, which takes the umask.
    fs.closeSync(fs.openSync(file, "a", 0o600))
    closeToOthers(file)
    const db = await openSqlite(file)
    db.exec("pragma busy_timeout = 10000; pragma journal_mode = wal; pragma synchronous = full")
    db.exec("pragma secure_delete = on")
    db.exec("create table if not exists pull_state (id integer primary key, state text not null)")
    db.exec(
      "create table if not exists pull_files (event text, category text, primary key (event, category))",
    )
    return new Copy(db)
  }

  private constructor(db: Sqlite) {
    this.#db = db
    this.#findTables()
  }

  /** The tables with records. */
  get categories(): string[] {
    return [...this.#tables.keys()]
  }

  /** Returns the state of the last commit. */
  state(): State | undefined {
    const row = this.#run("select state from pull_state", "get") as { state: string } | undefined
    return row && JSON.parse(row.state)
  }

  /** Applies a change. All changes up to a commit, and its state, become visible together. */
  apply(change: Change): void {
    if (!this.#isInTransaction) this.#db.exec("begin immediate")
    this.#isInTransaction = true
    switch (change.type) {
      case "upsert":
        return this.#upsert(change)
      case "delete": {
        const { event, category, id } = change
        return this.#delete(event, category, `id = ?`, id)
      }
      case "sweep": {
        const categories = change.list === "guests"
          ? ["guests"]
          : this.categories.filter((name) => name !== "guests" && name !== "events")
        for (const category of categories) {
          this.#delete(change.event, category, "generation < ?", change.generation)
        }
        return
      }
      case "gone":
        if (!this.#tables.has("events")) return
        this.#run(`update "events" set gone = 1 where id = ?`, "run", change.event)
        return this.#mark("", "events")
      case "commit":
        this.#run("replace into pull_state values (1, ?)", "run", JSON.stringify(change.state))
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

  /** Returns id and `updated` of the records of an event and category, ordered by id. */
  *keys(event: string, category: string): Iterable<{ id: string; updated: number }> {
    if (!this.#tables.has(category)) return
    const sql = `select id, updated from "${category}" where event = ? order by id`
    yield* this.#run(sql, "iterate", event) as Iterable<{ id: string; updated: number }>
  }

  /** Returns the records of an event and category as JSON, ordered by id; of all events if it is empty. */
  *records(event: string, category: string): Iterable<string> {
    const record = category === "events"
      ? "iif(gone, json_set(record, '$.gone', json('true')), record)"
      : "record"
    const sql = `select ${record} as record from "${category}" where ? in ('', event) order by id`
    for (const row of this.#run(sql, "iterate", event) as Iterable<{ record: string }>) {
      yield row.record
    }
  }

  /** Returns the number of records of events. */
  count(): number {
    const counts = this.categories.filter((name) => name !== "events")
      .map((name) => this.#run(`select count(*) as n from "${name}"`, "get") as { n: number })
    return counts.reduce((sum, { n }) => sum + n, 0)
  }

  /** Returns the events with records of a category. */
  eventsOf(category: string): string[] {
    const rows = this.#run(`select distinct event from "${category}"`, "all") as { event: string }[]
    return rows.map(({ event }) => event)
  }

  /** Returns the files that are out of date. */
  outdated(): { event: string; category: string }[] {
    return this.#run("select event, category from pull_files", "all") as never
  }

  /** Remembers that a file is up to date. */
  written(event: string, category: string): void {
    const sql = "delete from pull_files where event = ? and category = ?"
    this.#run(sql, "run", event, category)
  }

  close(): void {
    this.rollback()
    this.#db.close()
  }

  #upsert({ event, category, id, record, generation }: Change & { type: "upsert" }): void {
    this.#addColumns(category, record)
    const isEvent = category === "events"
    const text = JSON.stringify(record)
    const sql = `select record from "${category}" where event = ? and id = ?${
      isEvent ? " and not gone" : ""
    }`
    const old = this.#run(sql, "get", event, id) as { record: string } | undefined
    this.#run(
      `insert into "${category}" (event, id, updated, generation, record) values (?, ?, ?, ?, ?)
       on conflict do update set
         updated = excluded.updated, generation = excluded.generation, record = excluded.record${
        isEvent ? ", gone = 0" : ""
      }`,
      "run",
      ...[event, id, record.updated, generation, text],
    )
    if (old?.record === text) return
    if (!isEvent) this.changed++
    this.#mark(isEvent ? "" : event, category)
  }

  #delete(event: string, category: string, condition: string, value: unknown): void {
    if (!this.#tables.has(category)) return
    const sql = `delete from "${category}" where event = ? and ${condition}`
    const changes = Number((this.#run(sql, "run", event, value) as { changes: number }).changes)
    if (changes === 0) return
    this.removed += changes
    this.#mark(event, category)
  }

  /** Remembers that a file is out of date. */
  #mark(event: string, category: string): void {
    this.#run("insert or ignore into pull_files values (?, ?)", "run", event, category)
  }

  /** Adds a table for a new category, and columns for new fields. */
  #addColumns(category: string, record: ExportRecord): void {
    let columns = this.#tables.get(category)
    if (!columns) {
      if (this.#tables.size >= mostTables) throw unusable(`more than ${mostTables} categories`)
      const isTaken = this.categories.some((name) => name.toLowerCase() === category.toLowerCase())
      if (isTaken) throw unusable("categories whose names differ only in case")
      this.#db.exec(
        `create table "${category}" (event text not null, id text not null, updated integer not null,
           generation integer not null, record text not null, primary key (event, id)) without rowid`,
      )
      if (category === "events") {
        this.#db.exec(`alter table "events" add column gone integer not null default 0`)
      }
      columns = this.#columnsOf(category)
      this.#tables.set(category, columns)
    }
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
      const columns = this.#columnsOf(name)
      if (columns.has("generation") && columns.has("record")) this.#tables.set(name, columns)
    }
  }

  #columnsOf(table: string): Set<string> {
    const rows = this.#db.prepare(`pragma table_xinfo("${table}")`).all() as { name: string }[]
    return new Set(rows.map(({ name }) => name.toLowerCase()))
  }

  #run(sql: string, how: "run" | "get" | "all" | "iterate", ...values: unknown[]): unknown {
    const statement = this.#statements.get(sql) ?? this.#db.prepare(sql)
    this.#statements.set(sql, statement)
    return statement[how](...values) ?? undefined
  }
}

/**
 * Writes a copy in files: `events.csv`, and for each event and category `<event>/guests.csv`, those that are out
 * of date or missing. Each is replaced as a whole, and only by a complete list: one in the middle of a walk has
 * to wait.
 */
function writeFiles({ format, place }: Settings, copy: Copy, state: State): void {
  const fileOf = (event: string, category: string) => join(place, event, `${category}.${format}`)
  const isComplete = (event: string, category: string) => {
    const saved = state.lists[`${event}/${category === "guests" ? "guests" : "items"}`]
    return category === "events" || saved !== undefined && saved.since !== null && !saved.walk &&
        !saved.unswept
  }
  const missing = copy.categories.flatMap((category) =>
    (category === "events" ? [""] : copy.eventsOf(category))
      .filter((event) => !closeToOthers(fileOf(event, category)))
      .map((event) => ({ event, category }))
  )
  for (const { event, category } of [...copy.outdated(), ...missing]) {
    if (!isComplete(event, category)) continue
    const records = () => copy.records(event, category)
    const lines = format === "csv" ? csvLines(records) : ndjsonLines(records())
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
  syncFolder(dirname(file))
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

/** Makes a rename survive a power cut, where the operating system can. */
function syncFolder(folder: string): void {
  try {
    const handle = fs.openSync(folder, "r")
    fs.fsyncSync(handle)
    fs.closeSync(handle)
  } catch {
    // Windows opens no folders.
  }
}

function* ndjsonLines(records: Iterable<string>): Iterable<string> {
  for (const record of records) yield `${record}\n`
}

/** Writes records as CSV (RFC 4180), with a column for each field, and for each field of an object. */
function* csvLines(records: () => Iterable<string>): Iterable<string> {
  const names = new Set<string>()
  for (const record of records()) for (const [name] of cellsOf(JSON.parse(record))) names.add(name)
  // Fields of an object stay together, wherever they were first seen.
  const groups = [...Map.groupBy(names, (name) => name.split(".", 1)[0]).values()]
  // An address that is null has one cell, any other one has several.
  const columns = groups.flatMap((group) =>
    group.filter((name) => !group.some((other) => other.startsWith(`${name}.`)))
  )
  if (columns.length > 0) yield `${columns.map(quote).join(",")}\r\n`
  for (const record of records()) {
    const cells = new Map(cellsOf(JSON.parse(record)))
    yield `${columns.map((name) => quote(cells.get(name) ?? "")).join(",")}\r\n`
  }
}

function cellsOf(
  record: Record<string, unknown>,
  prefix = "",
): [name: string, value: string | number][] {
  return Object.entries(record).flatMap(([key, value]) => {
    const name = prefix + key
    if (value === null || value === undefined) return [[name, ""]]
    if (Array.isArray(value)) {
      const isSimple = value.every((each) => typeof each !== "object")
      return [[name, isSimple ? value.join(", ") : JSON.stringify(value)]]
    }
    if (typeof value === "object") return cellsOf(value as Record<string, unknown>, `${name}.`)
    return [[name, typeof value === "number" ? value : String(value)]]
  })
}

/** What a spreadsheet would compute: the service's CSV has the same. */
const formula = /^(?:[\s']*[=+\-@＝＋－＠]|'*[\t\r\n])/

/** The same within a text, where a semicolon, a tab or a line break may begin a cell. */
const innerFormula = /[;\t\r\n](?=[\s'"]*[=+\-@＝＋－＠])/g

/** Writes a cell: in quotes if necessary, and so that a spreadsheet program does not run it as a formula. */
function quote(value: string | number): string {
  const isFormula = typeof value === "string" && formula.test(value)
  const text = `${isFormula ? "'" : ""}${value}`.replace(innerFormula, "$&'")
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

// ---------------------------------------------------------------------------------------------------
// The command
// ---------------------------------------------------------------------------------------------------

const families = defaults.families.join(", or ") || "such as /acme/v1"

const help = `Usage: node pull.mjs --to PLACE [options]

Keeps a copy of events with their guests and items. The first run reads everything, the next ones read
what has changed. Interrupt it whenever you like: it continues where it was.

  --to sqlite:FILE     a table per category: events, guests, tickets, …
  --to ndjson:FOLDER   FOLDER/events.ndjson, FOLDER/<event id>/guests.ndjson, …
  --to csv:FOLDER      the same as CSV
  --every SECONDS      go on until stopped, with a pause; without it, poll once
  --once               poll once, the default
  --check              compare the copy with the service's digests now, not only once a day
  --events ID,ID       only these events
  --family PATH        of your endpoints: ${families}
  --base URL           of the service (${defaults.base})
  --cookies FILE       a cookie file with your session, as curl writes it; only you may be able to read it
  --insecure           send credentials over plain http to another computer
  --limit N            records per page, at most 1000
  --timeout SECONDS    until a request counts as failed (60)
  --patience SECONDS   to spend on waiting before failed requests are repeated (300)
  --help               this text

Credentials are in the environment: EXPORT_USER and EXPORT_PASSWORD, or EXPORT_TOKEN. The session is kept
with the copy, in files that only you can read. Never delete or edit pull.db, the state of copies in files.

Exit codes:
  0  the copy is up to date
  1  temporary: the service, the network or the disk failed. Run it again, nothing is lost
  2  the options or the credentials are wrong, or this is not the copy of that service and family
  3  another run is under way
  4  an event can no longer be read; its copy stays and is marked as gone. The others are up to date
  5  the service sends what no copy can be made of: tell its operator. The other lists are up to date

With Deno: deno run --allow-net --allow-env --allow-read --allow-write pull.mjs --to sqlite:copy.db
From cron, each minute: * * * * *  . $HOME/.pull-env && node pull.mjs --to sqlite:copy.db
`

interface Settings extends SyncOptions {
  readonly format: "sqlite" | "ndjson" | "csv"
  readonly place: string
  /** True to compare the copy with the digests now. */
  readonly check: boolean
  /** Seconds; undefined to run once. */
  readonly every: number | undefined
}

/** Runs the command. Returns its exit code. */
export async function main(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<number> {
  const stop = new AbortController()
  const end = () => stop.abort(new PullError(exitCodes.temporary, "stopped"))
  process.once("SIGINT", end)
  process.once("SIGTERM", end)
  let lock: Sqlite | undefined
  let copy: Copy | undefined
  try {
    if (args.includes("--help")) {
      process.stdout.write(help)
      return exitCodes.ok
    }
    const settings = readSettings(args, environment)
    const file = settings.format === "sqlite" ? settings.place : join(settings.place, "pull.db")
    fs.mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    lock = await takeLock(`${file}.lock`)
    copy = await Copy.open(file)
    return await runUntilStopped({ ...settings, signal: stop.signal }, copy)
  } catch (error) {
    return report(error)
  } finally {
    copy?.close()
    lock?.close()
    process.off("SIGINT", end)
    process.off("SIGTERM", end)
  }
}

/**
 * Takes a lock that the operating system releases when the process ends, however that happens.
 * @throws {PullError} if another process has it.
 */
async function takeLock(file: string): Promise<Sqlite> {
  const lock = await openSqlite(file)
  try {
    lock.exec("pragma busy_timeout = 0; begin exclusive")
    return lock
  } catch (error) {
    lock.close()
    if (!/locked|busy/i.test(String(error))) throw error
    throw new PullError(exitCodes.locked, "another run is under way")
  }
}

async function runUntilStopped(settings: Settings, copy: Copy): Promise<number> {
  const { every, signal } = settings
  for (let run = 1;; run++) {
    let code = exitCodes.ok
    let pause = every ?? 0
    try {
      // The first run of several starts at once; later ones may be held until something changes.
      const wait = every === undefined || run === 1 ? undefined : Math.min(every, 50)
      await runOnce({ ...settings, wait }, copy, run)
    } catch (error) {
      if (signal?.aborted && every !== undefined) return exitCodes.ok
      code = report(error)
      if (error instanceof Passing) pause = Math.max(pause, error.after ?? 0)
    }
    if (every === undefined || code === exitCodes.configuration) return code
    const isHeld = code === exitCodes.ok && copy.state()?.waits
    try {
      await sleep(isHeld ? 1 : pause, signal)
    } catch {
      return exitCodes.ok
    }
  }
}

/** Polls once, and writes a line about it. */
async function runOnce(settings: Settings, copy: Copy, run: number): Promise<void> {
  copy.changed = copy.removed = 0
  let requests = 0
  const sentence = () => `${copy.changed} changed, ${copy.removed} removed, ${requests} requests`
  const showsProgress = process.stderr.isTTY
  const onRequest = () => {
    requests++
    if (showsProgress) process.stderr.write(`\r${sentence()} …\x1b[K`)
  }
  try {
    const state = copy.state()
    if (settings.check && run === 1) {
      for (const saved of Object.values(state?.lists ?? {})) saved.checked = null
    }
    const keys = (event: string, category: string) => copy.keys(event, category)
    for await (const change of sync({ ...settings, state, copy: keys, onRequest })) {
      copy.apply(change)
    }
  } finally {
    copy.rollback()
    const state = copy.state()
    if (state && settings.format !== "sqlite") writeFiles(settings, copy, state)
    if (showsProgress) process.stderr.write("\r\x1b[K")
  }
  const isNews = run === 1 || copy.changed > 0 || copy.removed > 0
  if (isNews) process.stdout.write(`${copy.count()} records: ${sentence()}\n`)
}

/** Writes what went wrong. Returns the exit code. */
function report(error: unknown): number {
  const { message, code } = error as Error & { code?: string }
  const isDamaged = /not a database|disk image is malformed/.test(message)
  const advice = isDamaged ? ". Delete the copy with all its files, and start again" : ""
  process.stderr.write(`pull: ${printable(message)}${advice}\n`)
  if (error instanceof PullError) return error.exitCode
  const isWrong = isDamaged || ["EACCES", "EPERM", "EROFS", "ENOTDIR"].includes(code ?? "")
  return isWrong ? exitCodes.configuration : exitCodes.temporary
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
  const flag = { type: "boolean" } as const
  const options = {
    ...{ to: text, base: text, family: text, events: text, cookies: text },
    ...{ every: text, limit: text, timeout: text, patience: text },
    ...{ once: flag, check: flag, insecure: flag },
  }
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw wrongOption((error as Error).message.split(". ")[0] as string)
  }
}

function readSettings(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Settings {
  const values = parse(args)
  const { to, events, cookies, base = defaults.base, family = defaults.families[0] } = values
  const number = (name: "every" | "limit" | "timeout" | "patience", least: number) => {
    const value = values[name]
    if (value === undefined) return undefined
    if (!/^\d+(\.\d+)?$/.test(value) || Number(value) < least) {
      throw wrongOption(`--${name} must be a number of at least ${least}`)
    }
    return Number(value)
  }
  const [, format, place] = /^(sqlite|ndjson|csv):(.+)$/.exec(to ?? "") ?? []
  if (!format || !place) throw wrongOption("--to must be sqlite:FILE, ndjson:FOLDER or csv:FOLDER")
  if (!URL.canParse(base) || !/^https?:/.test(base)) throw wrongOption("--base must be a URL")
  if (family === undefined || !/^\/.+\/v\d+$/.test(family)) {
    throw wrongOption("--family must be the path of your family, such as /acme/v1")
  }
  return {
    format: format as Settings["format"],
    place,
    check: values.check === true,
    every: values.once ? undefined : number("every", 1),
    base,
    family,
    user: environment["EXPORT_USER"] || defaults.user || undefined,
    password: environment["EXPORT_PASSWORD"],
    token: environment["EXPORT_TOKEN"],
    cookie: cookies === undefined ? undefined : readCookies(cookies, new URL(family, base)),
    insecure: values.insecure === true,
    events: events?.split(",").map((id) => id.trim()).filter((id) => id !== ""),
    limit: number("limit", 1),
    timeout: number("timeout", 0.1),
    patience: number("patience", 0),
  }
}

/**
 * Returns the cookies for a URL from a file as curl writes it: a line per cookie, with seven fields.
 *
 * @throws {PullError} if there are none, or if others may read the file.
 */
function readCookies(file: string, url: URL): string {
  let text: string
  try {
    if (isOpenToOthers(fs.statSync(file))) {
      throw misconfigured(`others may read ${file}: "chmod 600" it`)
    }
    text = fs.readFileSync(file, "utf8")
  } catch (error) {
    throw misconfigured((error as Error).message)
  }
  const lines = text.replaceAll(/^#HttpOnly_/gm, "").split(/\r?\n/)
  const cookies = lines.filter((line) => !line.startsWith("#")).map((line) => line.split("\t"))
    .filter((fields) => fields.length === 7 && isFor(url, fields))
    .map(([, , , , , name, value]) => `${name}=${value}`)
  if (cookies.length === 0) {
    throw misconfigured(`${file} has no cookie for ${url.origin} that is still valid`)
  }
  return cookies.join("; ")
}

/** True if a cookie belongs to a URL, and has not expired. */
function isFor({ protocol, hostname, pathname }: URL, fields: readonly string[]): boolean {
  const [domain = "", subdomains, path = "", secure, expires] = fields
  const host = hostname.replaceAll(/^\[|\]$/g, "")
  const name = domain.toLowerCase().replaceAll(/^[.[]|\]$/g, "")
  return (host === name ||
    subdomains === "TRUE" && /[a-z]/.test(host) && host.endsWith(`.${name}`)) &&
    (pathname === path || pathname.startsWith(path.endsWith("/") ? path : `${path}/`)) &&
    // As browsers and curl have it: what goes to this computer is safe.
    (secure !== "TRUE" || protocol === "https:" || isLoopback(hostname)) &&
    (Number(expires) === 0 || Number(expires) > Date.now() / 1000)
}

const isCommand = import.meta.main ??
  (process.argv[1] !== undefined && fs.existsSync(process.argv[1]) &&
    fs.realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
if (isCommand) process.exitCode = await main(process.argv.slice(2))
