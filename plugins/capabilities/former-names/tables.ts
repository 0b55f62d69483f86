import { flag, generated, id, type RowsOf, seconds, slug, table } from "../../../core/capability.ts"

/** The names that accounts had. */
export const formerNamesTables = {
  /** A name that an account had: nobody else gets it, since entries of the audit log and the ledger are known by it. */
  former_name: table({
    privileges: ["select", "insert", "delete"],
    columns: {
      username: slug,
      account_id: id,
      /** When it was given up. */
      until: seconds,
      /** 1 if the account was removed. */
      removed: generated(flag),
    },
    key: ["username"],
  }),
} as const

declare module "../../../core/data/schema.ts" {
  interface Schema extends RowsOf<typeof formerNamesTables> {}
}
