import assert from "node:assert"

/** A line of the feed. */
export interface FeedChange {
  readonly list: "guests" | "items"
  readonly category: string
  readonly id: string
  readonly record?: { readonly id: string; readonly updated: number }
  readonly deleted?: number
}

/** A page of the feed, as it is sent. */
export interface FeedAnswer {
  readonly changes: readonly FeedChange[]
  readonly next: string
  readonly more: boolean
}

type Get = (path: string, init?: RequestInit) => Promise<Response>

/** A copy of an event by its feed: what a partner's program does. */
export class FeedClient {
  /** By category and id: the JSON of the record. */
  readonly copy = new Map<string, string>()
  /** All that it has to remember beside the copy. */
  state: string | undefined
  readonly #get: Get
  readonly #path: string

  /** `path` is that of the event, as `/acme/v1/events/ID`. */
  constructor(get: Get, path: string) {
    this.#get = get
    this.#path = path
  }

  /** Reads a page and stores it. */
  async read(limit = 1000): Promise<FeedAnswer> {
    const after = this.state === undefined ? "" : `&after=${this.state}`
    const response = await this.#get(`${this.#path}/changes?limit=${limit}${after}`)
    if (response.status === 410) {
      await response.text()
      this.copy.clear()
      this.state = undefined
      return await this.read(limit)
    }
    const text = await response.text()
    assert.strictEqual(response.status, 200, text)
    const answer: FeedAnswer = JSON.parse(text)
    for (const change of answer.changes) this.apply(change)
    this.state = answer.next
    return answer
  }

  apply({ category, id, record }: FeedChange): void {
    const key = `${category} ${id}`
    if (record) this.copy.set(key, JSON.stringify(record))
    else this.copy.delete(key)
  }

  /** Reads until no more follows. Returns all changes. */
  async poll(limit = 1000): Promise<FeedChange[]> {
    const changes: FeedChange[] = []
    for (;;) {
      const page = await this.read(limit)
      changes.push(...page.changes)
      if (!page.more) return changes
    }
  }
}

/** Returns what the lists of an event have now, as a copy by the feed has it. */
export async function listedCopy(get: Get, path: string): Promise<Map<string, string>> {
  const copy = new Map<string, string>()
  for (const list of ["guests", "items"]) {
    const response = await get(`${path}/${list}?since=-1`)
    if (response.status === 404) continue
    const body = await response.json()
    for (
      const [category, records] of Array.isArray(body)
        ? [["guests", body] as const]
        : Object.entries(body)
    ) {
      for (const record of records as { id: string }[]) {
        copy.set(`${category} ${record.id}`, JSON.stringify(record))
      }
    }
  }
  return copy
}
