import type { Columns } from "../data/columns.ts"
import { type Field, type Fields, relationsOf } from "./fields.ts"

/** The rows that a record is made from, by relation. A joined relation may have none. */
export type Row = Readonly<Record<string, Columns | undefined>>

/**
 * Compiles the function that makes a record from its rows. Its body is one object literal, which takes
 * a thirtieth of the time of a loop over the fields.
 */
export function compileRecord(fields: Fields): (row: Row) => Record<string, unknown> {
  const relations = relationsOf(Object.values(fields).flatMap((field) => field.columns))
  const body = `const { ${relations.join(", ")} } = row\nreturn ${objectCode(fields)}`
  return new Function("row", body) as (row: Row) => Record<string, unknown>
}

function objectCode(fields: Fields): string {
  const entries = Object.entries(fields).map(([name, field]) => `${name}: ${codeOf(field)}`)
  return `{ ${entries.join(", ")} }`
}

/** A JavaScript expression for a value. The row of a relation is in a variable of that name. */
function codeOf({ kind, relation, column, otherwise, record }: Field): string {
  if (record) return `(${relation} ? ${objectCode(record.fields)} : null)`
  if (kind === "flag") return `Boolean(${relation}?.${column})`
  if (kind === "document") return `JSON.parse(${relation}.${column})`
  if (otherwise === undefined) return `${relation}.${column}`
  return `(${relation}?.${column} ?? ${JSON.stringify(otherwise)})`
}
