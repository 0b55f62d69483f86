import { FeedClient, listedCopy } from "../../support/feed/feed-client.ts"
import type { RecordCopy } from "../../support/polling/reader.ts"
import type { Random } from "../../support/random.ts"
import { type Client, ResyncRequired } from "./client.ts"

/** How a partner reads a feed. */
export interface FeedReading {
  /** True if it asks the service to wait for changes. */
  readonly waits?: boolean
  /** True if it takes so long to store a page that changes are committed late meanwhile. */
  readonly isSlow?: boolean
  /** True if it forgets its copy now and then, and begins again: with a cursor of now, and the lists. */
  readonly forgets?: boolean
}

interface FeedOptions extends FeedReading {
  readonly cookie: string
  /** The path of the event. */
  readonly path: string
  readonly limit: number
  readonly random: Random
}

/** A partner that keeps a copy by the feed, and is often killed after it has stored a page and before its cursor. */
export class FeedSource {
  /** It has a cursor instead. */
  readonly since = undefined
  readonly #get: (path: string) => Promise<Response>
  readonly #options: FeedOptions
  #client: FeedClient

  constructor(client: Pick<Client, "get">, options: FeedOptions) {
    const { cookie, waits } = options
    const headers: Record<string, string> = waits ? { prefer: "wait=2" } : {}
    this.#get = async (path) => {
      try {
        const { text, ...init } = await client.get(path, { cookie, headers, isAudited: true })
        return new Response(text, init)
      } catch (error) {
        if (error instanceof ResyncRequired) return new Response(null, { status: 410 })
        throw error
      }
    }
    this.#options = options
    this.#client = this.#newClient()
  }

  /** By id, the records of all categories: no two have the same id. */
  get copy(): ReadonlyMap<string, RecordCopy> {
    const records = [...this.#client.copy.values()].map((json) => JSON.parse(json) as RecordCopy)
    return new Map(records.map((record) => [record.id, record]))
  }

  /** By id, the category of each record. */
  get categories(): ReadonlyMap<string, string> {
    const keys = [...this.#client.copy.keys()].map((key) => key.split(" "))
    return new Map(keys.map(([category = "", id = ""]) => [id, category]))
  }

  /** Reads a page. Returns true if nothing more follows, and it was not killed. @throws {NotNow} */
  async read(): Promise<boolean> {
    const { random, forgets, limit } = this.#options
    if (forgets && random.below(100) === 0) await this.#beginNow()
    const before = this.#client.state
    const { more } = await this.#client.read(limit)
    if (random.below(6) > 0) return !more
    this.#client.state = before
    if (before === undefined) this.#client.copy.clear()
    return false
  }

  /** A request that failed has not moved its cursor. */
  crash(): void {}

  beginAgain(): void {
    this.#client = this.#newClient()
  }

  async #beginNow(): Promise<void> {
    const client = this.#newClient()
    client.state = "now"
    await client.read()
    for (const each of await listedCopy(this.#get, this.#options.path)) client.copy.set(...each)
    this.#client = client
  }

  #newClient(): FeedClient {
    return new FeedClient(this.#get, this.#options.path)
  }
}
