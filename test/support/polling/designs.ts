import type {
  ListSource,
  Part,
  Place,
  ReadEvent,
  ReadPage,
  Source,
} from "../partner/list-source.ts"

/** A source whose list of events says when a record last changed, but not when one was deleted. */
export class ForgetfulSource implements Source {
  readonly #source: ListSource

  constructor(source: ListSource) {
    this.#source = source
  }

  async page(part: Part, place: Place): Promise<ReadPage> {
    return await this.#source.page(part, place)
  }

  async event(): Promise<ReadEvent> {
    const times = (await this.#source.everything()).map(({ updated }) => updated)
    return { ...await this.#source.event(), changed: Math.max(...times, -1) }
  }
}

/** A source whose empty pages of records all have the same tag. */
export class EmptyTagSource implements Source {
  readonly #source: Source

  constructor(source: Source) {
    this.#source = source
  }

  async page(part: Part, place: Place): Promise<ReadPage> {
    if ("link" in place || part === "deletions") return await this.#source.page(part, place)
    const isKnown = place.etag === emptyTag
    const page = await this.#source.page(part, { ...place, etag: undefined })
    if (page.rows.length > 0) return page
    return { ...page, etag: emptyTag, unchanged: isKnown }
  }
}

const emptyTag = '"empty"'

/** A source whose tags cover the bytes of a page, and nothing of the pages after it. */
export class BytesTagSource implements Source {
  readonly #source: Source

  constructor(source: Source) {
    this.#source = source
  }

  async page(part: Part, place: Place): Promise<ReadPage> {
    if ("link" in place) return await this.#source.page(part, place)
    const page = await this.#source.page(part, { ...place, etag: undefined })
    const etag = JSON.stringify(page.rows)
    return etag === place.etag ? { ...page, rows: [], etag, unchanged: true } : { ...page, etag }
  }
}
