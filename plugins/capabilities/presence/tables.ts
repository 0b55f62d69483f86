import {
  flag,
  id,
  nullable,
  number,
  type RowsOf,
  seconds,
  table,
  text,
} from "../../../core/capability.ts"

/** The running processes. */
export const presenceTables = {
  /** A running process, which renews `seen`. */
  instance: table({
    privileges: ["select", "insert", "update", "delete"],
    columns: {
      id,
      host: text,
      pid: number,
      /** The address that partners use. */
      url: nullable(text),
      /** The runtime and its version. */
      version: text,
      started: seconds,
      seen: seconds,
      ready: flag,
      config_file: text,
      config_hash: text,
      config_since: seconds,
      reload_at: nullable(seconds),
      reload_result: nullable(text),
      reload_reason: nullable(text),
    },
  }),
} as const

declare module "../../../core/data/schema.ts" {
  interface Schema extends RowsOf<typeof presenceTables> {}
}
