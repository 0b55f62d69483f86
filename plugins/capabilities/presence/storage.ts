import {
  flag,
  id,
  integer,
  longText,
  nullable,
  type RowsOf,
  seconds,
  slug,
  type Storage,
  table,
  text,
} from "../../../core/tables.ts"

/** The running processes. */
const presenceTables = {
  /** A running process, which renews `seen`. */
  instance: table({
    privileges: ["select", "insert", "update", "delete"],
    columns: {
      id,
      host: text(200),
      pid: integer,
      /** The URL that partners use. */
      url: nullable(text(500)),
      /** The runtime and its version. */
      version: text(100),
      started: seconds,
      seen: seconds,
      ready: flag,
      config_file: text(1000),
      config_hash: slug,
      config_since: seconds,
      reload_at: nullable(seconds),
      reload_result: nullable(slug),
      reload_reason: nullable(longText),
    },
    key: ["id"],
  }),
} as const

declare module "../../../core/data/schema.ts" {
  interface Schema extends RowsOf<typeof presenceTables> {}
}

/** The table of running processes. */
export const presenceStorage: Storage = { name: "presence", tables: presenceTables }
