import type { App } from "../../../core/request/app.ts"
import { FeedClient } from "../feed/feed-client.ts"

/** A partner that keeps a copy by the feed, as a reader of the walk model. */
export class FeedReader {
  /** A page may be empty at its end. */
  readonly linkedToNothing = 0
  readonly #client: FeedClient
  readonly #limit: number
  #before: string | undefined

  constructor(
    app: App["fetch"],
    { cookie, path, limit }: {
      readonly cookie: string
      /** The path of the event. */
      readonly path: string
      readonly limit: number
    },
  ) {
    const get = (path: string, init: RequestInit = {}) =>
      app(new Request(`http://localhost${path}`, { ...init, headers: { ...init.headers, cookie } }))
    this.#client = new FeedClient(get, path)
    this.#limit = limit
  }

  /** The records, by category and id. */
  get copy(): ReadonlyMap<string, string> {
    return this.#client.copy
  }

  /** The cursor. */
  get state(): string | undefined {
    return this.#client.state
  }

  /** Reads a page. Returns true if that finished a poll. */
  async read(): Promise<boolean> {
    this.#before = this.#client.state
    return !(await this.#client.read(this.#limit)).more
  }

  async poll(): Promise<void> {
    while (!await this.read());
  }

  /** Forgets the last cursor: the page that it came with was stored. */
  crash(): void {
    this.#client.state = this.#before
    if (this.#before === undefined) this.#client.copy.clear()
  }
}
