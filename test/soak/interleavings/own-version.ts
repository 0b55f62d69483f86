import type { Scene } from "./design.ts"
import type { List, Place, ReadPage, RecordCopy, Source } from "../../support/polling/reader.ts"

/** Returns the version that an event has now. */
export type VersionOf = () => Promise<string>

/** A list of this service by offset, whose pages are cached and tagged by another version. */
export class OwnVersionSource implements Source {
  readonly #source: Source
  readonly #versionOf: VersionOf
  readonly #pages = new Map<string, { version: string; records: readonly RecordCopy[] }>()

  constructor(source: Source, versionOf: VersionOf) {
    this.#source = source
    this.#versionOf = versionOf
  }

  async page(list: List, place: Place): Promise<ReadPage> {
    if ("link" in place) throw new TypeError("this design has no cursors")
    const { etag: known, ...key } = place
    const page = await this.#source.page(list, key)
    const version = await this.#versionOf()
    const name = JSON.stringify([list, key])
    const cached = this.#pages.get(name)
    const records = cached?.version === version ? cached.records : page.records
    this.#pages.set(name, { version, records })
    const etag = `${version} ${JSON.stringify(records)}`
    return etag === known
      ? { ...page, records: [], etag, unchanged: true }
      : { ...page, records, etag }
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
