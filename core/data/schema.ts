import type { recordTables } from "./record-tables.ts"
import type { serviceTables } from "./service-tables.ts"
import type { RowsOf } from "./table.ts"

/**
 * The tables of the kernel, as Kysely types. Times are Unix seconds, money is integer minor units, ids are lower-case UUIDs. Booleans are 0 or
 * 1 and JSON is text, because both databases return them so.
 */
export interface Schema extends RowsOf<typeof recordTables>, RowsOf<typeof serviceTables> {}
