import { type Kysely, sql } from "kysely"
import { margin } from "../../../core/change-log/clock-steps.ts"
import type { Schema } from "../../../core/data/schema.ts"
import type {
  ListSource,
  Part,
  Place,
  ReadPage,
  Source,
} from "../../support/partner/list-source.ts"
import type { Row } from "../../support/partner/rows.ts"
import type { Scene } from "./design.ts"

/**
 * What a look reads: the clock, the log with the changes that are open, and the log without them. A look
 * that also reads the records is one for all requests until the next.
 */
export type Reading = "clock" | "open" | "committed" | "records"

/** A list of this service, with a Next-Since from looks that read in another order, or less. */
export class OwnWatermarkSource implements Source {
  readonly #source: ListSource
  readonly #scene: Scene
  readonly #order: readonly Reading[]
  #watermark = -1
  #records: readonly Row[] | undefined
  /** The records of the current walk. */
  #walk: readonly Row[] | undefined

  constructor(scene: Scene, order: readonly Reading[]) {
    this.#source = scene.service()
    this.#scene = scene
    this.#order = order
  }

  async page(part: Part, place: Place): Promise<ReadPage> {
    const nextSince = this.#watermark
    if ("link" in place || !this.#records) {
      return { ...await this.#source.page(part, place), nextSince }
    }
    const { since = -1, offset, limit } = place
    if (offset === 0) this.#walk = this.#records
    const rows = this.#walk?.filter(({ updated }) => updated >= since) ?? []
    return { rows: rows.slice(offset, offset + limit), nextSince, link: undefined }
  }

  async look(): Promise<void> {
    const { world: { clock, database }, event } = this.#scene
    let time = Infinity
    let open: readonly Change[] = []
    let committed: readonly Change[] = []
    let records: readonly Row[] | undefined
    for (const reading of this.#order) {
      if (reading === "records") {
        records = await this.#scene.service().everything()
        continue
      }
      const changes = await database.background.transaction()
        .setIsolationLevel(reading === "open" ? "read uncommitted" : "read committed")
        .execute((db) => {
          if (reading === "clock") time = clock.now
          return readChanges(db, event)
        })
      if (reading === "open") open = changes
      if (reading === "committed") committed = changes
    }
    const known = new Set(committed.map(({ seq }) => seq))
    const times = open.filter(({ seq }) => !known.has(seq)).map(({ at }) => at)
    this.#watermark = Math.min(time, ...times) - margin
    this.#records = records
  }
}

interface Change {
  readonly seq: number
  readonly at: number
}

async function readChanges(db: Kysely<Schema>, event: string): Promise<readonly Change[]> {
  const { rows } = await sql<Change>`
    select seq, at from event_change where event_id = ${event}`.execute(db)
  return rows
}
