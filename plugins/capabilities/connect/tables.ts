import {
  flag,
  id,
  integer,
  json,
  long,
  longText,
  nullable,
  type RowsOf,
  seconds,
  sequence,
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
      /** Of the row as the source had it, and of what became of it. */
      source_hash: slug,
      hash: slug,
    },
    key: ["kind", "id"],
    indexes: { connect_row_event: ["event_id", "kind"] },
  }),
  /** Rows that could not be taken over, as of the last comparison. */
  connect_refusal: table({
    privileges: ["select", "insert", "update", "delete"],
    columns: {
      number: sequence,
      origin: slug,
      kind: slug,
      source_key: text(191),
      reason: slug,
      column_name: slug,
      /** 1 if partners have a copy from before, which stays as it was. */
      has_copy: flag,
    },
    indexes: { connect_refusal_kind: ["origin", "kind"] },
  }),
  /** One row: who takes over now, and what came of it last. */
  connect_state: table({
    privileges: ["select", "insert", "update"],
    columns: {
      id: integer,
      /** The process that takes over, until a time, unless it goes on. */
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
      refused: long,
      /** The last attempt that failed, if none has succeeded since. */
      failed_at: nullable(seconds),
      failure: nullable(longText),
      /** What would be deleted, and is not: JSON of `HeldDeletions`. */
      held: json,
      /** JSON: the names of the triggers that are missing in the source; null if it has none. */
      watching: json,
      /** What the source's tables were like before `connect apply`; empty before it. */
      source_schema: slug,
    },
    key: ["id"],
  }),
} as const

declare module "../../../core/data/schema.ts" {
  interface Schema extends RowsOf<typeof connectTables> {}
}
