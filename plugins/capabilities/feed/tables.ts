import { flag, type RowsOf, slug, table } from "../../../core/tables.ts"

/** What the feed keeps. */
export const feedTables = {
  /** One row: the key that signs cursors. Secrets of sessions change, and cursors are to be good for years. */
  feed_key: table({
    privileges: ["select", "insert", "update"],
    columns: {
      /** 1. */
      id: flag,
      /** 32 random bytes, in base64url. */
      secret: slug,
    },
    key: ["id"],
  }),
} as const

declare module "../../../core/data/schema.ts" {
  interface Schema extends RowsOf<typeof feedTables> {}
}
