import type { ClockedDatabase } from "./clocked.ts"
import type { List, Place, ReadEvent, ReadPage, Source } from "./reader.ts"
import type { ServiceSource } from "./service.ts"

/** A design that lists of other services usually have. */
export interface Design {
  readonly order: "newest first" | "oldest first" | "by id"
  /** Seconds for which a changed record is hidden. */
  readonly hides: number
  /** Seconds between the next `since` and the clock. */
  readonly lag: number
}

/** Lists the guests of an event in a usual design: as they are now, without stable positions. */
export class UsualSource implements Source {
  readonly #world: ClockedDatabase
  readonly #event: string
  readonly #design: Design

  constructor(world: ClockedDatabase, event: string, design: Design) {
    this.#world = world
    this.#event = event
    this.#design = design
  }

  async page(_list: List, place: Place): Promise<ReadPage> {
    if ("link" in place) throw new TypeError("the usual designs have no cursors")
    const { order, hides, lag } = this.#design
    const { database, clock } = this.#world
    const direction = order === "newest first" ? "desc" : "asc"
    const rows = await database.writer
      .selectFrom("guest")
      .select(["id", "updated", "external_id"])
      .where("event_id", "=", this.#event)
      .where("updated", ">=", place.since ?? -1)
      .where("updated", "<=", clock.now - hides)
      .$if(order !== "by id", (query) => query.orderBy("updated", direction))
      .orderBy("id", direction)
      .limit(place.limit)
      .offset(place.offset)
      .execute()
    return { records: rows, nextSince: clock.now - lag, link: undefined }
  }
}

/** A source whose list of events says when a record last changed, but not when one was deleted. */
export class ForgetfulSource implements Source {
  readonly #source: ServiceSource

  constructor(source: ServiceSource) {
    this.#source = source
  }

  async page(list: List, place: Place): Promise<ReadPage> {
    return await this.#source.page(list, place)
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

  async page(list: List, place: Place): Promise<ReadPage> {
    if ("link" in place || list === "deletions") return await this.#source.page(list, place)
    const isKnown = place.etag === emptyTag
    const page = await this.#source.page(list, isKnown ? { ...place, etag: undefined } : place)
    if (page.unchanged || page.records.length > 0) return page
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

  async page(list: List, place: Place): Promise<ReadPage> {
    if ("link" in place) return await this.#source.page(list, place)
    const page = await this.#source.page(list, { ...place, etag: undefined })
    const etag = JSON.stringify(page.records)
    return etag === place.etag ? { ...page, records: [], etag, unchanged: true } : { ...page, etag }
  }
}
