import type { FeedPage } from "../partner/feed-reader.ts"
import { password } from "../builder.ts"
import type { VirtualService } from "./virtual-service.ts"

/** The lists of a family. */
type ListName = "guests" | "guests/deletions" | "items" | "items/deletions"

/** A page that was sent, or an error. */
export interface Page {
  readonly status: number
  readonly nextSince: number
  /** The path of the next page. */
  readonly next: string | undefined
}

/** What a program sends besides `since`. */
interface PageOptions {
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Who a partner's program is, and what it is for. */
interface ProgramOptions {
  readonly account: string
  readonly family: "connector-a" | "connector-b"
  readonly address: string
}

/** A partner's program: logs in, and reads lists. What it does with that is up to the scenario. */
export class Program {
  readonly account: string
  readonly address: string
  /** The `since` of the next poll, by event and list. */
  readonly since = new Map<string, number>()
  /** Times that a scenario remembers besides. */
  readonly notes = new Map<string, number>()
  /** The cursors of feeds, by event. */
  readonly cursors = new Map<string, string>()
  readonly lists: readonly ListName[]
  /** The newest `updated` that it has been sent; -1 if it has none. */
  newest = -1
  readonly #service: VirtualService
  readonly #family: string
  #cookie = ""

  private constructor(service: VirtualService, { account, family, address }: ProgramOptions) {
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
    const { status, headers: sent } = response
    const text = await response.text()
    for (const [, updated] of text.matchAll(/"updated":(\d+)/g)) {
      this.newest = Math.max(this.newest, Number(updated))
    }
    return {
      status,
      nextSince: Number(sent.get("next-since")),
      next: /<https?:\/\/[^/]*([^>]*)>; rel="next"/.exec(sent.get("link") ?? "")?.[1],
    }
  }

  /** Reads all pages of a list. Returns the first; undefined if one is an error. */
  async walk(
    event: string,
    list: ListName,
    since: number | undefined,
    options?: PageOptions,
  ): Promise<Page | undefined> {
    const first = await this.first(event, list, since, options)
    for (let page = first;; page = await this.page(page.next)) {
      if (page.status !== 200) return undefined
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

  /** Reads the feed of events: all pages, or some at a time, after the cursors that it has. */
  async feed(
    events: readonly string[],
    { limit = 1000, pages = Infinity, after }: {
      readonly limit?: number
      readonly pages?: number
      /** In the place of the first cursor. */
      readonly after?: string
    } = {},
  ): Promise<void> {
    for (const event of events) {
      const path = `/${this.#family}/v1/events/${event}/changes?limit=${limit}`
      for (let page = 0, hasMore = true; hasMore && page < pages; page++) {
        const cursor = this.cursors.get(event) ?? after
        const response = await this.#send(cursor === undefined ? path : `${path}&after=${cursor}`)
        const text = await response.text()
        if (response.status !== 200) break
        const { next, more }: FeedPage = JSON.parse(text)
        this.cursors.set(event, next)
        hasMore = more
      }
    }
  }

  async #send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    if (this.#cookie) headers.set("cookie", this.#cookie)
    const request = new Request(`http://localhost${path}`, { ...init, headers })
    return await this.#service.send(request, this.address)
  }
}
