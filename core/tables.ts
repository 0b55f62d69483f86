/**
 * THE IN-HOUSE CONTRACT of what keeps tables: capabilities declare theirs with it. May change with any version.
 */
export { deleteOld } from "./data/delete-in-portions.ts"
export { recordTables } from "./data/record-tables.ts"
export type { Schema } from "./data/schema.ts"
export { type Storage, tablesOf } from "./data/storage.ts"
export {
  type Column,
  type Columns,
  flag,
  generated,
  id,
  integer,
  json,
  long,
  longText,
  nullable,
  oneOf,
  type RowsOf,
  seconds,
  sequence,
  slug,
  table,
  text,
} from "./data/table.ts"
