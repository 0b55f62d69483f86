import { LRUCache } from "lru-cache"
import type { Database, Reader } from "../../data/database.ts"
import { categories, type Category } from "../categories.ts"
import { addressKinds } from "../guests.ts"
import { guest } from "../kinds/guest.ts"
import { wholeItems } from "../kinds/items.ts"
import { rowsOf } from "../newest-first.ts"
import { type Row, whole } from "../projection.ts"
import { joinRows } from "../read-pages.ts"

/** A version of a record. */
export interface RecordVersion {
  readonly category: Category
  readonly id: string
  readonly version: number
}

/** Which records versions are of: those of an event, within an epoch. */
export interface VersionScope {
  readonly eventId: string
  readonly epoch: string
}

/** The rows of so many records are kept. */
const mostRows = 1000

const wholeGuest = whole(guest)

/**
 * Rows of records that have changed, by version, with all columns: so each is read once for all projections, and for all
 * requests that need it at the same time.
 */
export class ChangedRows {
  readonly #rows = new LRUCache<string, Row>({ max: mostRows })
  readonly #reading = new Map<string, Promise<void>>()

  /** Returns what a record is made from; undefined if it has not been read. */
  get(scope: VersionScope, record: RecordVersion): Row | undefined {
    return this.#rows.get(nameOf(scope, record))
  }

  /**
   * Reads the rows of records, unless others do. A row that meanwhile has another version is left out.
   * @throws {Unavailable}
   */
  async read(
    database: Database,
    scope: VersionScope,
    records: readonly RecordVersion[],
  ): Promise<void> {
    const waits = new Set<Promise<void>>()
    const unread = records.filter((record) => {
      const name = nameOf(scope, record)
      const reading = this.#reading.get(name)
      // A row whose reading fails is missing, as it is for whom it has another version.
      if (reading) waits.add(reading.catch(() => {}))
      return !reading && !this.#rows.has(name)
    })
    if (unread.length > 0) {
      const names = unread.map((record) => nameOf(scope, record))
      const reading = this.#readUnread(database, scope, unread)
        .finally(() => {
          for (const name of names) this.#reading.delete(name)
        })
      for (const name of names) this.#reading.set(name, reading)
      waits.add(reading)
    }
    await Promise.all(waits)
  }

  async #readUnread(
    database: Database,
    scope: VersionScope,
    records: readonly RecordVersion[],
  ): Promise<void> {
    for (const [category, wanted] of Map.groupBy(records, ({ category }) => category)) {
      const ids = wanted.map(({ id }) => id)
      const rows = await database.readOnce((reader) => readRows(reader, scope, { category, ids }))
      for (const [index, record] of wanted.entries()) {
        const row = rows[index]
        if (row?.["record"]?.["export_version"] !== record.version) continue
        this.#rows.set(nameOf(scope, record), row)
      }
    }
  }
}

function nameOf({ eventId, epoch }: VersionScope, { category, id, version }: RecordVersion) {
  return `${eventId} ${epoch} ${category} ${id} ${version}`
}

/**
 * Reads records by their ids, with all columns and all that belongs to them, in one statement: for a few records, wide
 * look-ups cost less than a snapshot. One that does not exist has no values.
 */
async function readRows(
  reader: Reader,
  { eventId }: VersionScope,
  { category, ids }: { readonly category: Category; readonly ids: readonly string[] },
): Promise<Row[]> {
  const isGuest = category === "guests"
  const { columns } = isGuest ? wholeGuest : wholeItems[category]
  const tables = {
    [`${categories[category]} as record`]: "id",
    ...isGuest && { consent: "guest_id", address: "guest_id" },
  }
  const kinds = isGuest ? addressKinds : []
  const inTables = columns.map((column) => {
    const [relation = "", name = ""] = column.split(".")
    return kinds.some((kind) => kind === relation) ? `address.${name}` : column
  })
  const selected = new Set([
    ...inTables,
    "record.export_version",
    ...isGuest ? ["address.kind"] : [],
  ])
  return await joinRows(reader, ids, [{
    relations: ["record", ...isGuest ? ["consent"] : []],
    kinds,
    query: (ids) => rowsOf(reader, eventId, { tables, columns: selected, ids }),
  }])
}
