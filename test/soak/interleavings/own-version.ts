import type { Scene } from "./design.ts"
import type { Part, Place, ReadPage, Source } from "../../support/partner/list-source.ts"
import type { Row } from "../../support/partner/rows.ts"

/** Returns the version that an event has now. */
export type VersionOf = () => Promise<string>

/** A list of this service by offset, whose pages are cached and tagged by another version. */
export class OwnVersionSource implements Source {
  readonly #source: Source
  readonly #versionOf: VersionOf
  readonly #pages = new Map<string, { version: string; rows: readonly Row[] }>()

  constructor(source: Source, versionOf: VersionOf) {
    this.#source = source
    this.#versionOf = versionOf
  }

  async page(part: Part, place: Place): Promise<ReadPage> {
    if ("link" in place) throw new TypeError("this design has no cursors")
    const { etag: known, ...key } = place
    const page = await this.#source.page(part, key)
    const version = await this.#versionOf()
    const name = JSON.stringify([part, key])
    const cached = this.#pages.get(name)
    const rows = cached?.version === version ? cached.rows : page.rows
    this.#pages.set(name, { version, rows })
    const etag = `${version} ${JSON.stringify(rows)}`
    return etag === known ? { ...page, rows: [], etag, unchanged: true } : { ...page, rows, etag }
  }
}

/** Counts the changes. */
export function countChanges({ world: { database }, event }: Scene): VersionOf {
  return async () => {
    const { count } = await database.writer.selectFrom("event_change")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("event_id", "=", event).executeTakeFirstOrThrow()
    return String(count)
  }
}

/** Counts the changes above a base in memory, which passes changes that are open. */
export function countAboveBase({ world: { database }, event }: Scene): VersionOf {
  const base = { seq: 0, changes: 0 }
  return async () => {
    const { count, last } = await database.writer.selectFrom("event_change")
      .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.max("seq").as("last")])
      .where("event_id", "=", event).where("seq", ">", base.seq).executeTakeFirstOrThrow()
    base.changes += count
    base.seq = last ?? base.seq
    return String(base.changes)
  }
}
