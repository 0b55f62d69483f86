import type { Database } from "../../../core/capability.ts"
import { type GoneRecords, type RefusedRow } from "./comparison.ts"
import { movedFrom, RowReader, type Taken } from "./convert.ts"
import { idOf } from "./ids.ts"
import { leadsOf, queue, selectQueue, selectTriggers, triggerNames, watchedTables } from "./keys.ts"
import { type Kind, kinds } from "./kinds.ts"
import type { Mapping } from "./mapping.ts"
import { allRows, type Source, type SourceReader } from "./sources/source.ts"
import { decimalsOf, plainText, Refused } from "./values.ts"

/** Keys that are taken up at once. */
const mostKeys = 500

/** Keys that a source has told, and what has become of their records. */
export interface Told {
  /** The numbers of the keys in the queue. */
  readonly numbers: readonly string[]
  readonly written: readonly Taken[]
  readonly gone: readonly GoneRecords[]
  readonly refused: readonly RefusedRow[]
  /** The keys of records that were looked at. */
  readonly looked: readonly { readonly kind: Kind; readonly key: string }[]
  /** True if there is an event that was not there before: rows that were refused may belong to it. */
  readonly hasNewEvent: boolean
  /** True if more keys wait. */
  readonly hasMore: boolean
}

/** Returns whether a source has a queue, and which of the triggers that should be on its tables are missing. */
export async function findWatching(
  source: Source,
  mapping: Pick<Mapping, "keys">,
): Promise<{ readonly hasQueue: boolean; readonly missing: readonly string[] }> {
  return await source.snapshot(async (reader) => {
    if ((await allRows(reader, selectQueue[source.name])).length === 0) {
      return { hasQueue: false, missing: [] }
    }
    const found = new Set(
      (await allRows(reader, selectTriggers[source.name])).map(([name]) => plainText(name)),
    )
    const expected = watchedTables(mapping).flatMap(({ table }) => triggerNames(table))
    return { hasQueue: true, missing: expected.filter((name) => !found.has(name)) }
  })
}

/**
 * Reads keys that wait in the queue, and the records that they lead to, in one snapshot of the source: a key that it shows
 * has been committed together with its change. The keys stay in the queue until `forget`.
 */
export async function readTold(
  source: Source,
  database: Pick<Database, "readOnce">,
  mapping: Mapping,
): Promise<Told> {
  return await source.snapshot(async (reader) => {
    const rows = await allRows(
      reader,
      `select seq, name, value from ${queue} order by seq limit ${mostKeys}`,
    )
    const keys = await findRecords(
      reader,
      rows.map(([, name, value]) => [plainText(name), plainText(value)]),
      mapping,
    )
    const told = {
      numbers: rows.map(([seq]) => plainText(seq)),
      ...{ written: [] as Taken[], gone: [] as GoneRecords[], refused: [] as RefusedRow[] },
      looked: [...keys].flatMap(([kind, all]) => [...all].map((key) => ({ kind, key }))),
      ...{ hasNewEvent: false, hasMore: rows.length === mostKeys },
    }
    const places = await readPlaces(database)
    for (const kind of kinds) {
      const wanted = [...keys.get(kind) ?? []]
      const select = mapping.selects.get(kind)
      if (wanted.length === 0 || select === undefined) continue
      const known = await readKnown(database, kind, wanted.map((key) => idOf(kind, key)))
      const marks = wanted.map(() => "?").join(", ")
      const { columns, rows } = await reader.select(
        `select * from (${select}) taken where taken.id in (${marks})`,
        wanted,
      )
      const reading = new RowReader(kind, columns, { mapping, places })
      for await (const portion of rows) {
        for (const row of portion) {
          const id = reading.idOf(row)
          const before = known.get(id)
          try {
            const taken = reading.read(row)
            known.delete(id)
            if (kind === "organization") places.organizations.add(id)
            if (kind === "event") {
              told.hasNewEvent ||= !places.events.has(id)
              places.events.set(id, decimalsOf(String(taken.record["currency"])))
            }
            if (before?.hash !== taken.hash) told.written.push(movedFrom(taken, before))
          } catch (error) {
            if (!(error instanceof Refused)) throw error
            const { reason, column } = error
            told.refused.push({
              kind,
              key: reading.keyOf(row),
              reason,
              column,
              hasCopy: before !== undefined,
            })
            known.delete(id)
          }
        }
      }
      for (const [event, gone] of Map.groupBy(known, ([, { eventId }]) => eventId ?? "")) {
        const size = event === "" ? gone.length : await countKnown(database, kind, event)
        told.gone.push({ kind, event, ids: gone.map(([id]) => id), known: size })
      }
    }
    return told
  })
}

/** Returns true if keys wait in the queue of a source that has one. */
export async function hasTold(source: Source): Promise<boolean> {
  return await source.snapshot(async (reader) =>
    (await allRows(reader, `select 1 from ${queue} limit 1`)).length > 0
  )
}

/** Takes keys out of the queue, once their records are written. */
export async function forget(source: Source, { numbers }: Pick<Told, "numbers">): Promise<void> {
  if (numbers.length > 0) {
    await source.change([`delete from ${queue} where seq in (${numbers.join(", ")})`])
  }
}

/** Returns the keys of records, by kind, that the noted values lead to. */
async function findRecords(
  reader: SourceReader,
  noted: readonly (readonly [name: string, value: string])[],
  mapping: Mapping,
): Promise<ReadonlyMap<Kind, ReadonlySet<string>>> {
  const found = new Map<Kind, Set<string>>()
  for (const [name, values] of Map.groupBy(noted, ([name]) => name)) {
    const at = name.lastIndexOf(".")
    for (
      const { kind, key: { of } } of leadsOf(mapping, {
        table: name.slice(0, at),
        column: name.slice(at + 1),
      })
    ) {
      const keys = found.get(kind) ?? new Set()
      found.set(kind, keys)
      for (const value of new Set(values.map(([, value]) => value))) {
        const rows = of === undefined ? [[value]] : await allRows(reader, of, [value])
        for (const [key] of rows) keys.add(plainText(key))
      }
    }
  }
  return found
}

async function readPlaces(database: Pick<Database, "readOnce">) {
  const organizations = await database.readOnce(({ db, run }) =>
    run(db.selectFrom("organization").select("id"))
  )
  const events = await database.readOnce(({ db, run }) =>
    run(db.selectFrom("event").select(["id", "currency"]))
  )
  return {
    organizations: new Set(organizations.map(({ id }) => id)),
    events: new Map(events.map(({ id, currency }) => [id, decimalsOf(currency)])),
  }
}

async function readKnown(database: Pick<Database, "readOnce">, kind: Kind, ids: readonly string[]) {
  const rows = await database.readOnce(({ db, run }) =>
    run(
      db.selectFrom("connect_row").select(["id", "event_id", "hash"])
        .where("kind", "=", kind).where("origin", "=", "database").where("id", "in", ids),
    )
  )
  return new Map(rows.map(({ id, event_id, hash }) => [id, { eventId: event_id, hash }]))
}

async function countKnown(
  database: Pick<Database, "readOnce">,
  kind: Kind,
  event: string,
): Promise<number> {
  const [row] = await database.readOnce(({ db, run }) =>
    run(
      db.selectFrom("connect_row").select(({ fn }) => fn.countAll<number>().as("count"))
        .where("event_id", "=", event).where("kind", "=", kind),
    )
  )
  return Number(row?.count ?? 0)
}
