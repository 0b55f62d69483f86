import { linkOf } from "../polling/link.ts"
import { codeOf, type Get, Refused, type Reply } from "./reply.ts"
import { type List, type Row, rowsOf } from "./rows.ts"

/** The records of a list, or its deletions. */
export type Part = "records" | "deletions"

/** Which page a reader wants. */
export type Place =
  | { readonly link: string }
  | {
    readonly since: number | undefined
    readonly offset: number
    readonly limit: number
    /** The tag that the page had in an earlier walk. */
    readonly etag?: string | undefined
  }

/** One page of a walk. */
export interface ReadPage {
  /** The records of all categories, so that bundles and plain lists look the same. */
  readonly rows: readonly Row[]
  readonly nextSince: number
  /** The URL of the next page, if there is one. */
  readonly link: string | undefined
  /** The tag of the page, if the source gives it one. */
  readonly etag?: string | undefined
  /** The header `Fields`. */
  readonly fields?: string | undefined
  /** True for a 304: the page has the tag that was sent. */
  readonly unchanged?: boolean
  /** What cannot be used any more: the cursor, so that the poll begins again; or `since`, and everything is read again. */
  readonly refused?: "cursor" | "since"
}

/** What the list of events says about an event, and the `Next-Since` of the list. */
export interface ReadEvent {
  readonly changed: number | null
  readonly nextSince: number
}

/** A source of pages, by offset or by the URL in a previous page. */
export interface Source {
  page(part: Part, at: Place): Promise<ReadPage>
  /** Reads what the list of events says about the event. */
  event?(): Promise<ReadEvent>
}

interface ListOptions {
  readonly list: List
  readonly accept?: string
  /** Of items: the only category that it reads. */
  readonly category?: string | undefined
}

const nothing = { rows: [], nextSince: -1, link: undefined }

/** A list of the service as a source for readers. */
export class ListSource implements Source {
  readonly #get: Get
  readonly #path: string
  readonly #options: ListOptions
  #walk: number | undefined

  /** `event` is the path of the event, as `/acme/v1/events/ID`. */
  constructor(get: Get, event: string, options: ListOptions) {
    this.#get = get
    this.#path = event
    this.#options = options
  }

  async page(part: Part, place: Place): Promise<ReadPage> {
    const { accept } = this.#options
    const headers: Record<string, string> = accept === undefined ? {} : { accept }
    if ("etag" in place && place.etag !== undefined) headers["if-none-match"] = place.etag
    const path = "link" in place ? place.link : this.#pathOf(part, place)
    const reply = await this.#get(path, headers)
    if (reply.status === 410) {
      return { ...nothing, refused: codeOf(reply) === "cursor_expired" ? "cursor" : "since" }
    }
    const unchanged = reply.status === 304
    if (unchanged ? headers["if-none-match"] === undefined : reply.status !== 200) {
      throw new Refused(path, reply)
    }
    const nextSince = numberIn(reply, "next-since")
    if ("link" in place && nextSince !== this.#walk) {
      throw new Error(`Next-Since changed from ${this.#walk} to ${nextSince} within a walk`)
    }
    this.#walk = nextSince
    return {
      rows: unchanged ? [] : this.#rowsOf(part, reply),
      nextSince,
      link: linkOf(reply),
      etag: reply.headers.get("etag") ?? undefined,
      fields: reply.headers.get("fields") ?? undefined,
      unchanged,
    }
  }

  /** Finds the event in the list of its family. Its name must be its id. */
  async event(): Promise<ReadEvent> {
    const [, path, id] = /^(.*\/events)\/([^/]+)/.exec(this.#path) ?? []
    const reply = await this.#get(`${path}?q=${id}`)
    const [event] = JSON.parse(reply.text)
    if (event?.id !== id) throw new Error(`there is no event ${id}`)
    return { changed: event.changed, nextSince: numberIn(reply, "next-since") }
  }

  /** Returns all current records. */
  async everything(): Promise<readonly Row[]> {
    return (await this.page("records", { since: -1, offset: 0, limit: 1000 })).rows
  }

  #pathOf(part: Part, { since, offset, limit }: Exclude<Place, { link: string }>): string {
    const { list, category } = this.#options
    const query = new URLSearchParams({ limit: String(limit) })
    if (offset > 0) query.set("offset", String(offset))
    if (since !== undefined) query.set("since", String(since))
    if (category && part === "records") query.set("category", category)
    return `${this.#path}/${list}${part === "records" ? "" : "/deletions"}?${query}`
  }

  #rowsOf(part: Part, reply: Reply): readonly Row[] {
    const { list, category } = this.#options
    const rows = rowsOf(reply, list)
    const other = part === "records" && category && rows.find((row) => row.category !== category)
    if (other) throw new Error(`${this.#path}/${list} has a record of ${other.category}`)
    return rows
  }
}

function numberIn({ headers }: Pick<Reply, "headers">, name: string): number {
  const value = headers.get(name) ?? ""
  if (!/^-?\d+$/.test(value)) throw new Error(`the header ${name} is ${value}`)
  return Number(value)
}
