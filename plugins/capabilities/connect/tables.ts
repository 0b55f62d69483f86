import {
  id,
  integer,
  json,
  long,
  longText,
  nullable,
  type RowsOf,
  seconds,
  slug,
  table,
  text,
} from "../../../core/tables.ts"

/** The tables of the capability. */
export const connectTables = {
  /** The rows that records were made of. */
  connect_row: table({
    privileges: ["select", "insert", "update", "delete"],
    columns: {
      kind: slug,
      id,
      /** Null of organizations and events. */
      event_id: nullable(id),
      /** `database`, or `file` for rows of an imported file. */
      origin: slug,
      /** The key in the source. */
      source_key: text(191),
      /** Of all that partners can see of the record. */
      hash: slug,
    },
    key: ["kind", "id"],
    indexes: { connect_row_event: ["event_id", "kind"] },
  }),
  /** One row: who takes over now, and what came of it last. */
  connect_state: table({
    privileges: ["select", "insert", "update"],
    columns: {
      id: integer,
      /** The process that takes over now, and until when it may without a renewal. */
      owner: slug,
      until: seconds,
      /** The hash of the mapping that records are made with; empty before the first. */
      mapping: slug,
      /** The last comparison with the whole source that came to its end. */
      compared_at: nullable(seconds),
      milliseconds: long,
      rows: long,
      changed: long,
      removed: long,
      /** Records that differed although no trigger had told so; null if none could. */
      drift: nullable(long),
      refused: long,
      /** JSON of the first `RefusedRow`s. */
      refusals: json,
      /** The last attempt that failed, if none has succeeded since. */
      failed_at: nullable(seconds),
      failure: nullable(longText),
      /** What would be deleted, and is not: JSON of `HeldDeletions`. */
      held: json,
      /** JSON: the names of the triggers that are missing in the source; null if it has none. */
      watching: json,
      /** A hash of the source's tables and triggers before `connect apply`; else empty. */
      source_schema: slug,
    },
    key: ["id"],
  }),
} as const

declare module "../../../core/data/schema.ts" {
  interface Schema extends RowsOf<typeof connectTables> {}
}
