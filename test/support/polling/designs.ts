import type { ClockedDatabase } from "./clocked.ts"
import type {
  ListSource,
  Part,
  Place,
  ReadEvent,
  ReadPage,
  Source,
} from "../partner/list-source.ts"
import { type Row, rowOf } from "../partner/rows.ts"

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

  async page(_part: Part, place: Place): Promise<ReadPage> {
    if ("link" in place) throw new TypeError("the usual designs have no cursors")
    return await this.#read(place, this.#design)
  }

  /** Returns all current records. */
  async everything(): Promise<readonly Row[]> {
    const design: Design = { order: "by id", hides: 0, lag: 0 }
    return (await this.#read({ since: -1, offset: 0, limit: 1000 }, design)).rows
  }

  async #read(
    place: Exclude<Place, { link: string }>,
    { order, hides, lag }: Design,
  ): Promise<ReadPage> {
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
    return {
      rows: rows.map((row) => rowOf(row, "guests")),
      nextSince: clock.now - lag,
      link: undefined,
    }
  }
}

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
