import { queryOf, recordsOf } from "../../support/polling/pages.ts"
import type { List, Place, ReadPage, RecordCopy, Source } from "../../support/polling/reader.ts"
import type { Client } from "./client.ts"

/** A list over HTTP as a source for readers. */
export class HttpSource implements Source {
  /** By id, the category of each record that a bundle had. */
  readonly categories = new Map<string, string>()
  readonly #client: Client
  readonly #cookie: string
  readonly #path: string

  constructor(
    client: Client,
    { cookie, path }: { readonly cookie: string; readonly path: string },
  ) {
    this.#client = client
    this.#cookie = cookie
    this.#path = path
  }

  /** @throws {NotNow} {ResyncRequired} */
  async page(list: List, place: Place): Promise<ReadPage> {
    const path = list === "records" ? this.#path : `${this.#path}/deletions`
    const reply = await this.#client.get(
      "link" in place ? place.link : `${path}?${queryOf(place)}`,
      {
        cookie: this.#cookie,
        etag: "etag" in place ? place.etag : undefined,
        isAudited: true,
      },
    )
    const unchanged = reply.status === 304
    const body = unchanged ? [] : JSON.parse(reply.text)
    if (list === "records" && !Array.isArray(body)) this.#note(body)
    const records = recordsOf(body)
    const etag = reply.headers.get("etag") ?? undefined
    // Any service continues: only the path of the URL matters.
    const next = /<([^>]*)>; rel="next"/.exec(reply.headers.get("link") ?? "")?.[1]
    const link = next === undefined ? undefined : next.replace(/^https?:\/\/[^/]*/, "")
    const nextSince = Number(reply.headers.get("next-since"))
    // That of a later page is not used.
    if (!("link" in place)) this.#client.bound(nextSince)
    return { records, nextSince, link, etag, unchanged }
  }

  #note(bundle: Readonly<Record<string, readonly RecordCopy[]>>): void {
    for (const [category, records] of Object.entries(bundle)) {
      for (const { id } of records) this.categories.set(id, category)
    }
  }
}
