import { type Category } from "../../../core/records/categories.ts"
import type { FeedPage } from "../partner/feed-reader.ts"
import { password } from "../builder.ts"
import { nameOf } from "./records.ts"
import type { VirtualService } from "./virtual-service.ts"

/** The lists of a family. */
export type ListName = "guests" | "guests/deletions" | "items" | "items/deletions"

/** A page that was sent, or an error. */
export interface Page {
  readonly status: number
  readonly records: readonly Change[]
  readonly nextSince: number
  readonly etag: string | undefined
  /** The path of the next page. */
  readonly next: string | undefined
}

/** What a page says of one record: null if it was deleted. */
interface Change {
  readonly name: string
  readonly updated: number | null
}

/** What a program sends besides `since`. */
interface PageOptions {
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Who a partner's program is, and what it is for. */
export interface ProgramOptions {
  readonly account: string
  readonly family: "connector-a" | "connector-b"
  readonly address: string
}

/** A partner's program: logs in, reads lists, and keeps a copy. What it does with that is up to the scenario. */
export class Program {
  readonly account: string
  readonly address: string
  /** The `updated` of each record that it has, by name. */
  readonly copy = new Map<string, number>()
  /** The `since` of the next poll, by event and list. */
  readonly since = new Map<string, number>()
  /** Times that a scenario remembers besides, and entity tags. */
  readonly notes = new Map<string, number>()
  readonly tags = new Map<string, string>()
  /** The cursors of feeds, by event. */
  readonly cursors = new Map<string, string>()
  readonly lists: readonly ListName[]
  readonly #service: VirtualService
  readonly #family: string
  #cookie = ""

  constructor(service: VirtualService, { account, family, address }: ProgramOptions) {
    this.#service = service
    this.#family = family
    this.account = account
    this.address = address
    this.lists = family === "connector-a"
      ? ["guests", "guests/deletions"]
      : ["guests", "guests/deletions", "items", "items/deletions"]
  }

  /** Makes the program of a partner's account, and logs it in. */
  static async start(service: VirtualService, options: ProgramOptions): Promise<Program> {
    const program = new Program(service, options)
    const status = await program.logIn()
    if (status !== 204) throw new Error(`${options.account} cannot log in: ${status}`)
    return program
  }

  /** What its own clock shows, if that is right. */
  get now(): number {
    return this.#service.now
  }

  /** Logs in, and returns the status. Keeps the cookie. */
  async logIn(): Promise<number> {
    const response = await this.#send("/session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: this.account, password }),
    })
    const [cookie] = response.headers.getSetCookie()
    if (cookie) this.#cookie = cookie.split(";")[0] ?? ""
    return response.status
  }

  /** Requests the list of events. */
  async events(): Promise<void> {
    const response = await this.#send(`/${this.#family}/v1/events?since=-1`)
    await response.text()
  }

  /** Requests the first page of a list. */
  async first(
    event: string,
    list: ListName,
    since: number | undefined,
    { query = "", headers = {} }: PageOptions = {},
  ): Promise<Page> {
    const parameters = `${since === undefined ? "" : `since=${since}`}${query}`
    return await this.page(`/${this.#family}/v1/events/${event}/${list}?${parameters}`, headers)
  }

  /** Requests a page. */
  async page(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Page> {
    const response = await this.#send(path, { headers })
    const { status } = response
    const [, event = "", list = ""] = /events\/([^/]+)\/(guests|items)(?:\/|\?|$)/.exec(path) ?? []
    const isDeletions = path.includes("/deletions")
    const text = await response.text()
    const body = status === 200 ? JSON.parse(text) : []
    const link = /<https?:\/\/[^/]*([^>]*)>; rel="next"/.exec(response.headers.get("link") ?? "")
    const parts: [string, Sent[]][] = Array.isArray(body) ? [["", body]] : Object.entries(body)
    return {
      status,
      nextSince: Number(response.headers.get("next-since")),
      etag: response.headers.get("etag") ?? undefined,
      next: link?.[1],
      records: parts.flatMap(([part, records]) =>
        records.map(({ id, updated, category }) => ({
          name: nameOf({ event, id, category: (category ?? (part || list)) as Category }),
          updated: isDeletions ? null : updated,
        }))
      ),
    }
  }

  /** Applies a page to the copy. */
  apply({ records }: Page): void {
    for (const { name, updated } of records) {
      if (updated === null) this.copy.delete(name)
      else this.copy.set(name, updated)
    }
  }

  /** Reads all pages of a list, and applies each. Returns the first; undefined if one is an error. */
  async walk(
    event: string,
    list: ListName,
    since: number | undefined,
    options?: PageOptions,
  ): Promise<Page | undefined> {
    const first = await this.first(event, list, since, options)
    for (let page = first;; page = await this.page(page.next)) {
      if (page.status === 304) return page
      if (page.status !== 200) return undefined
      this.apply(page)
      if (page.next === undefined) return first
    }
  }

  /** Polls lists of events as the guide says. */
  async poll(
    events: readonly string[],
    { lists = this.lists, ...options }: PageOptions & { readonly lists?: readonly ListName[] } = {},
  ): Promise<void> {
    for (const event of events) {
      for (const list of lists) {
        const key = `${event} ${list}`
        const page = await this.walk(event, list, this.since.get(key) ?? -1, options)
        if (page) this.since.set(key, page.nextSince)
      }
    }
  }

  /** Reads the feed of events: all pages, or so many at a time. Returns the status of the last. */
  async feed(
    events: readonly string[],
    { limit = 1000, pages = Infinity, after }: {
      readonly limit?: number
      readonly pages?: number
      /** In the place of the first cursor. */
      readonly after?: string
    } = {},
  ): Promise<number> {
    let status = 0
    for (const event of events) {
      const path = `/${this.#family}/v1/events/${event}/changes?limit=${limit}`
      for (let page = 0, more = true; more && page < pages; page++) {
        const cursor = this.cursors.get(event) ?? after
        const response = await this.#send(cursor === undefined ? path : `${path}&after=${cursor}`)
        status = response.status
        const text = await response.text()
        if (status !== 200) break
        const { changes, ...end }: FeedPage = JSON.parse(text)
        for (const { category, id, record } of changes) {
          const name = nameOf({ event, category: category as Category, id })
          if (record) this.copy.set(name, record.updated)
          else this.copy.delete(name)
        }
        this.cursors.set(event, end.next)
        more = end.more
      }
    }
    return status
  }

  async #send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    if (this.#cookie) headers.set("cookie", this.#cookie)
    const request = new Request(`http://localhost${path}`, { ...init, headers })
    return await this.#service.send(request, this.address)
  }
}

/** A record as it is sent. */
interface Sent {
  readonly id: string
  readonly updated: number
  readonly category?: Category
}
