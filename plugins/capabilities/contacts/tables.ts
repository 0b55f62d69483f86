import { id, nullable, type RowsOf, seconds, table, text } from "../../../core/capability.ts"

/** The most characters of what people write about a partner. */
export const longest = { contact: 500, notes: 4000, because: 500 } as const

/** What operators note about partners. */
export const contactsTables = {
  /** Whom to tell about an account, and whether anybody wants to be told of it now. */
  partner_contact: table({
    privileges: ["select", "insert", "update", "delete"],
    columns: {
      account_id: id,
      /** Names, addresses, numbers: free text. */
      contact: nullable(text(longest.contact)),
      notes: nullable(text(longest.notes)),
      /** Until when nobody wants to be told of its state, and why; null if somebody does. */
      muted_until: nullable(seconds),
      muted_because: nullable(text(longest.because)),
    },
    key: ["account_id"],
    references: {
      partner_contact_account: {
        columns: ["account_id"],
        table: "account",
        to: ["id"],
        cascades: true,
      },
    },
  }),
} as const

declare module "../../../core/data/schema.ts" {
  interface Schema extends RowsOf<typeof contactsTables> {}
}
