import { queryOf, recordsOf } from "../support/polling/pages.ts"
import type { List, Place, ReadPage, RecordCopy, Source } from "../support/polling/reader.ts"
import type { Client } from "./client.ts"

/** A first page that was received with an entity tag. */
interface TaggedPage {
  readonly etag: string
  readonly records: readonly RecordCopy[]
}

/** A list over HTTP as a source for readers. */
export class HttpSource implements Source {
  readonly #client: Client
  readonly #cookie: string
  readonly #path: string
  /** The first page of each list; undefined if the reader sends no tags. */
  readonly #tagged: Map<List, TaggedPage> | undefined

  constructor(
    client: Client,
    { cookie, path, sendsTags }: {
      readonly cookie: string
      readonly path: string
      /** True to send the tag of the last first page. After a 304 that page is taken as received again. */
      readonly sendsTags: boolean
    },
  ) {
    this.#client = client
    this.#cookie = cookie
    this.#path = path
    this.#tagged = sendsTags ? new Map() : undefined
  }

  /** @throws {NotNow} {ResyncRequired} */
  async page(list: List, place: Place): Promise<ReadPage> {
    const isFirst = "offset" in place && place.offset === 0
    const known = isFirst ? this.#tagged?.get(list) : undefined
    const path = list === "records" ? this.#path : `${this.#path}/deletions`
    const reply = await this.#client.get(
      "link" in place ? place.link : `${path}?${queryOf(place)}`,
      {
        cookie: this.#cookie,
        etag: known?.etag,
        isAudited: true,
      },
    )
    const records = reply.status === 304 ? known?.records ?? [] : recordsOf(JSON.parse(reply.text))
    if (isFirst) this.#tagged?.set(list, { etag: reply.headers.get("etag") ?? "", records })
    // Any service continues: only the path of the URL matters.
    const next = /<([^>]*)>; rel="next"/.exec(reply.headers.get("link") ?? "")?.[1]
    const link = next === undefined ? undefined : next.replace(/^https?:\/\/[^/]*/, "")
    return { records, nextSince: Number(reply.headers.get("next-since")), link }
  }
}
