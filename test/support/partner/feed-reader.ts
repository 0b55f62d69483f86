import { Copy, recordsIn } from "./copy.ts"
import type { Fields, RecordCopy, Records } from "../truth.ts"
import type { CopyReader } from "./reader.ts"
import { type Get, pagesOf, Refused, type Reply } from "./reply.ts"
import { keyOf, type List, rowOf, rowsOf } from "./rows.ts"

/** A line of the feed. */
export interface FeedChange {
  readonly list: List
  readonly category: string
  readonly id: string
  readonly record?: RecordCopy
  readonly deleted?: number
}

/** A page of the feed. */
export interface FeedPage {
  readonly changes: readonly FeedChange[]
  readonly next: string
  readonly more: boolean
}

/** How a partner reads a feed. */
export interface FeedReading {
  readonly accept?: "application/json" | "application/x-ndjson"
  readonly limit?: number
  /** True if it sends the tag of its last page. */
  readonly sendsTags?: boolean
}

/** A partner that keeps a copy of an event by its feed, and remembers nothing but the last cursor. */
export class FeedReader implements CopyReader {
  readonly copy = new Copy()
  /** All that it has to remember beside the copy. */
  state: string | undefined
  /** How often it was told to read everything again. */
  resyncs = 0
  /** It has a cursor instead. */
  readonly since = undefined
  /** A page may be empty at its end. */
  readonly linkedToNothing = 0
  isInterrupted = false
  readonly #get: Get
  readonly #path: string
  readonly #reading: FeedReading
  #before: string | undefined
  /** The tag of the last page, and the cursor that it came with. */
  #tag: { readonly etag: string; readonly state: string } | undefined

  /** `path` is that of the event, as `/acme/v1/events/ID`. */
  constructor(get: Get, path: string, reading: FeedReading = {}) {
    this.#get = get
    this.#path = path
    this.#reading = reading
  }

  crash(): void {
    this.state = this.#before
    this.isInterrupted = true
  }

  beginAgain(): void {
    this.#before = undefined
    this.crash()
  }

  /** Reads a page and stores it. After a 410, reads everything. */
  async read(limit = this.#reading.limit ?? 1000): Promise<FeedPage> {
    const { accept = "application/json", sendsTags } = this.#reading
    const headers: Record<string, string> = { accept }
    const after = this.state
    const tag = sendsTags && this.#tag?.state === after ? this.#tag?.etag : undefined
    if (tag !== undefined) headers["if-none-match"] = tag
    const path = `${this.#path}/changes?limit=${limit}${
      after === undefined ? "" : `&after=${after}`
    }`
    const reply = await this.#get(path, headers)
    if (reply.status === 410 && after !== undefined) {
      this.resyncs++
      this.beginAgain()
      return await this.read(limit)
    }
    if (reply.status === 304 && tag !== undefined && after !== undefined) {
      this.isInterrupted = false
      return { changes: [], next: after, more: false }
    }
    if (reply.status !== 200) throw new Refused(path, reply)
    const page = pageOf(reply)
    // A page may be there whose cursor was lost.
    if (after === undefined) this.copy.clear()
    for (const change of page.changes) apply(this.copy, change)
    const etag = reply.headers.get("etag")
    this.#tag = etag === null ? undefined : { etag, state: page.next }
    this.#before = after
    this.state = page.next
    this.isInterrupted = page.more
    return page
  }

  /** Reads until no more follows. Returns all changes. */
  async poll(limit?: number): Promise<FeedChange[]> {
    const changes: FeedChange[] = []
    for (;;) {
      const page = await this.read(limit)
      changes.push(...page.changes)
      if (!page.more) return changes
    }
  }

  /** Takes the cursor of this moment first, and then whole lists in pages of `limit`. */
  async beginNow(lists: readonly List[], limit = 1000): Promise<void> {
    this.beginAgain()
    const path = `${this.#path}/changes?after=now`
    const reply = await this.#get(path)
    if (reply.status !== 200) throw new Refused(path, reply)
    const { changes, next } = pageOf(reply)
    if (changes.length > 0) throw new Error("the cursor of now has changes")
    this.copy.clear()
    for (const list of lists) {
      const pages = pagesOf(this.#get, `${this.#path}/${list}?since=-1&limit=${limit}`)
      for await (const page of pages) for (const row of rowsOf(page, list)) this.copy.put(row)
    }
    this.state = next
    this.isInterrupted = false
  }
}

/** Returns a page of the feed. @throws if it is not one. */
export function pageOf({ headers, text }: Pick<Reply, "headers" | "text">): FeedPage {
  if (!/ndjson|jsonl/.test(headers.get("content-type") ?? "")) return JSON.parse(text)
  const lines = text.split("\n").slice(0, -1).map((line) => JSON.parse(line))
  const { next, more } = lines.pop() ?? {}
  if (typeof next !== "string") throw new Error("a feed as lines has no last line")
  return { changes: lines, next, more }
}

/** Returns what the lists of an event have now, as a copy by the feed has it. */
export async function listedRecords(get: Get, path: string): Promise<Records> {
  const records = new Map<string, Fields>()
  for (const list of ["guests", "items"] as const) {
    const reply = await get(`${path}/${list}?since=-1`)
    if (reply.status === 404) continue
    for (const each of recordsIn(rowsOf(reply, list))) records.set(...each)
  }
  return records
}

/** Applies a change to a copy. @throws if it is neither a record nor a deletion. */
function apply(copy: Copy, { list, category, id, record, deleted }: FeedChange): void {
  if (record && deleted === undefined) {
    const row = rowOf({ ...category !== "guests" && { category }, ...record }, list)
    if (row.id !== id) throw new Error(`a change of ${id} has the record ${row.id}`)
    copy.put(row)
  } else if (typeof deleted === "number" && !record) {
    copy.delete(keyOf({ category, id }))
  } else {
    throw new Error(`a change of ${category} is neither a record nor a deletion`)
  }
}
