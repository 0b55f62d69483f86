import { id, integer, nullable, type RowsOf, slug, table, text } from "../../../core/tables.ts"

import { longestScope } from "../../../core/accounts.ts"

/** The most characters of the name of a token. */
export const longestName = 40

/** What is kept of the tokens that partners make. */
export const sessionsTables = {
  /** A token: a session of its own, which ends, and is forgotten, like others. */
  account_token: table({
    privileges: ["select", "insert"],
    columns: {
      session_id: id,
      account_id: id,
      /** What the partner calls the program that uses it. */
      name: text(longestName),
      /** The SHA-256 of the token. */
      hash: slug,
      /** What the token is limited to, as it is written; null if it may read what its account may. */
      scope: nullable(text(longestScope)),
      /** The account's epoch when it was made. */
      epoch: integer,
    },
    key: ["session_id"],
    unique: { account_token_hash: ["hash"] },
    indexes: { account_token_account: ["account_id"] },
    references: {
      account_token_session: {
        columns: ["session_id"],
        table: "session",
        to: ["id"],
        cascades: true,
      },
    },
  }),
} as const

declare module "../../../core/data/schema.ts" {
  interface Schema extends RowsOf<typeof sessionsTables> {}
}
