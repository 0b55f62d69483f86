import { Buffer } from "node:buffer"
import type { KindRows } from "./comparison.ts"
import { idOf } from "./ids.ts"
import { kinds, type SourceKind } from "./kinds.ts"
import { equalsMark, type Mapping } from "./mapping.ts"
import {
  allRows,
  keysMark,
  type Source,
  type SourceKey,
  type SourceReader,
} from "./sources/source.ts"
import {
  bytesNoteName,
  noteName,
  queue,
  selectQueue,
  selectTriggers,
  triggerNames,
  watchedTables,
} from "./triggers.ts"
import { keyText, plainText, type SourceValue } from "./values.ts"

/** The most keys that are looked up. With more, comparing the whole source is faster. */
const mostKeys = 2000

/** Keys that are read at once, to save memory. The others come next. */
const mostRead = 100_000

/** The keys that wait in the queue of a source, as one of its snapshots shows them. */
export interface ToldKeys {
  /** Their numbers in the queue. */
  readonly numbers: readonly string[]
  /** The keys of records that they lead to, by kind, as texts and as the source compares them; undefined if there are too many to look each of them up. */
  readonly records: ReadonlyMap<SourceKind, ReadonlyMap<string, SourceKey>> | undefined
}

/** Returns the names of triggers that should be in a source and are not there; null if it has no queue. */
export async function findMissing(
  source: Source,
  mapping: Pick<Mapping, "keys">,
): Promise<readonly string[] | null> {
  return await source.snapshot(async (reader) => {
    if ((await allRows(reader, selectQueue[source.name])).length === 0) return null
    const rows = await allRows(reader, selectTriggers[source.name])
    const found = new Set(rows.map(([name]) => plainText(name)))
    const expected = watchedTables(mapping).flatMap(({ table }) => triggerNames(table))
    return expected.filter((name) => !found.has(name))
  })
}

/** Returns true if keys wait in the queue of a source that has one. */
export async function hasTold(source: Source): Promise<boolean> {
  return await source.snapshot(async (reader) =>
    (await allRows(reader, `select 1 from ${queue} limit 1`)).length > 0
  )
}

/**
 * Returns the keys that wait in the snapshot of a reader. A key is committed together with its change.
 * They stay in the queue until `forget`.
 */
export async function readTold(reader: SourceReader, mapping: Mapping): Promise<ToldKeys> {
  const rows = await allRows(
    reader,
    `select seq, name, value from ${queue} order by seq limit ${mostRead}`,
  )
  const numbers = rows.map(([seq]) => plainText(seq))
  if (rows.length > mostKeys) return { numbers, records: undefined }
  const noted = Map.groupBy(rows, ([, name]) => plainText(name))
  const records = new Map<SourceKind, Map<string, SourceKey>>()
  for (const [kind, tables] of mapping.keys) {
    const keys = new Map<string, SourceKey>()
    for (const { table, column, of } of tables) {
      const texts = noted.get(noteName(table, column)) ?? []
      const digits = noted.get(bytesNoteName(table, column)) ?? []
      const values = [
        ...new Set(texts.map(([, , value]) => keyOf(value))),
        ...new Set(digits.map(([, , value]) => Buffer.from(plainText(value), "hex"))),
      ]
      if (values.length === 0) continue
      const found = of === undefined ? values : await readKeys(reader, of, values)
      for (const key of found) keys.set(keyText(key), key)
      if (keys.size > mostKeys) return { numbers, records: undefined }
    }
    if (keys.size > 0) records.set(kind, keys)
  }
  return { numbers, records }
}

/** Looks up all values at once: a column without an index is then read only once. */
async function readKeys(
  reader: SourceReader,
  of: string,
  values: readonly SourceKey[],
): Promise<readonly SourceKey[]> {
  const rows = await allRows(reader, of.replace(equalsMark, `in ${keysMark}`), values)
  return rows.map(([key]) => keyOf(key))
}

/** Bytes are equal to no text. */
function keyOf(value: SourceValue): SourceKey {
  return value instanceof Uint8Array ? value : plainText(value)
}

/** Reads the rows that have these keys now. */
export async function* toldParts(
  reader: SourceReader,
  mapping: Mapping,
  records: NonNullable<ToldKeys["records"]>,
): AsyncGenerator<KindRows> {
  for (const kind of kinds) {
    const keys = records.get(kind)
    const select = mapping.selects.get(kind)
    if (!keys?.size || select === undefined) continue
    yield {
      kind,
      // The SELECT may end with a comment.
      selection: await reader.select(
        `select * from (${select}\n) taken where taken.id in ${keysMark}`,
        [...keys.values()],
      ),
      covers: { ids: [...keys.keys()].map((key) => idOf(kind, key)) },
    }
  }
}

/** Takes keys out of the queue once their records are written: only these, since others may be committed late. */
export async function forget(
  source: Source,
  { numbers }: Pick<ToldKeys, "numbers">,
): Promise<void> {
  for (let first = 0; first < numbers.length; first += 1000) {
    const some = numbers.slice(first, first + 1000)
    await source.change([`delete from ${queue} where seq in (${some.join(", ")})`])
  }
}
