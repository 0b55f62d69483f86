import type { Client, RequestOptions, Result } from "./client.ts"
import { unusable } from "./errors.ts"
import type { List, SyncOptions } from "../pull.d.mts"
import { type Page, pageOf } from "./responses.ts"

/** The most records to keep in memory, of the list of events or of a bucket. */
const mostRows = 200_000
/** The most pages of a list or feed in one run. */
export const mostPages = 5000

/** Reads lists of a family to their end. */
export class ListReader {
  readonly #options: SyncOptions
  readonly #client: Client

  constructor(options: SyncOptions, client: Client) {
    this.#options = options
    this.#client = client
  }

  /**
   * Reads a list: its first page and, if there are more, the pages after it and what has changed since. Changed records
   * move to the front, and may be missing from the later pages.
   */
  async read(list: List, path: string, query: string, asked?: RequestOptions) {
    const urlSince = (since: number) => this.url(path, `since=${since}${query}`)
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

  /** Returns a URL of the family. */
  url(path: string, query: string, size?: number): string {
    const { family, limit = size } = this.#options
    return `${family}${path}?${query}${limit === undefined ? "" : `&limit=${limit}`}`
  }
}
