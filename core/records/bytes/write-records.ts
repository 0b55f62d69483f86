import type { Projection, RowsByRelation } from "../kinds/projection.ts"
import { isId, type OmittedRecord, wrongId, WrongValue } from "../kinds/values.ts"
import type { PartTexts } from "./encoded-body.ts"

/** Rows to write as records, each with its id. */
interface RecordRows {
  readonly projection: Projection
  readonly ids: readonly string[]
  readonly rows: readonly RowsByRelation[]
}

/** Records as JSON, in their order, without those that are left out. */
export interface RecordTexts extends Pick<PartTexts, "texts" | "count"> {
  readonly leftOut: readonly OmittedRecord[]
}

/** Records that are written at once: that is faster than one by one, or by twenties. */
const mostTogether = 100

/**
 * Writes records as JSON, as a projection lets them through; with `isTogether`, several in a text, separated by commas.
 * Leaves out rows whose id is not a UUID, or with a column that holds what its field cannot be: no record holds up
 * others.
 */
export function writeRecords(
  { projection, ids, rows }: RecordRows,
  { isTogether }: { readonly isTogether: boolean },
): RecordTexts {
  const records: unknown[] = []
  const leftOut: OmittedRecord[] = []
  for (const [place, row] of rows.entries()) {
    const made = makeRecord(projection, ids[place] as string, row)
    if (made.leftOut) leftOut.push(made.leftOut)
    else records.push(made.record)
  }
  const texts = isTogether ? textsOf(records) : records.map((record) => JSON.stringify(record))
  return { texts, count: records.length, leftOut }
}

/** Makes a record of its rows, or says why it is left out. */
export function makeRecord(
  { project }: Pick<Projection, "project">,
  id: string,
  row: RowsByRelation,
): { readonly record?: Record<string, unknown>; readonly leftOut?: OmittedRecord } {
  if (!isId(id)) return { leftOut: wrongId }
  try {
    return { record: project(row) }
  } catch (error) {
    if (!(error instanceof WrongValue)) throw error
    return { leftOut: { id, column: error.column } }
  }
}

function textsOf(records: readonly unknown[]): string[] {
  const texts: string[] = []
  for (let start = 0; start < records.length; start += mostTogether) {
    texts.push(JSON.stringify(records.slice(start, start + mostTogether)).slice(1, -1))
  }
  return texts
}
