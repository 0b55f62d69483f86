import {
  flag,
  id,
  integer,
  long,
  nullable,
  oneOf,
  type RowsOf,
  seconds,
  slug,
  table,
  text,
} from "../../../core/tables.ts"

/** The most characters of a receiver's URL. */
export const longestUrl = 500

/**
 * `unconfirmed` until it has answered a challenge, then `on`. When `off`, it gets nothing until it is challenged again.
 */
export type ReceiverState = "unconfirmed" | "on" | "off"

/**
 * Why a receiver is off: it answered 410, failed for eight days, did not answer a challenge for a day, or the sessions of
 * its account were ended.
 */
export type OffReason = "gone" | "failing" | "unconfirmed" | "revoked"

/** The tables of receivers of pings. Times are Unix seconds. */
export const pingTables = {
  /** A URL that an account has registered. */
  ping_receiver: table({
    privileges: ["select", "insert", "update", "delete"],
    columns: {
      id,
      account_id: id,
      url: text(longestUrl),
      /** `whsec_` and 32 random bytes in base64: signs what is sent. */
      secret: slug,
      /** The former secret, which signs as well until a time; null if there is none. */
      former_secret: nullable(slug),
      former_until: nullable(seconds),
      created: seconds,
      state: oneOf<ReceiverState>(),
      /** Why it is off; null if it is not. */
      reason: nullable(oneOf<OffReason>()),
      /** When it entered its state, or was challenged again. */
      since: seconds,
      /** When the first of its consecutive failures was; null if the last attempt succeeded. */
      failing_since: nullable(seconds),
      /** The number of consecutive failed attempts. */
      attempts: integer,
      /** No attempt is made before this time; 0 means now. */
      next_at: seconds,
      /** When it last accepted a request. */
      last_sent: nullable(seconds),
      /** The status of its last response; null if the last attempt got none. */
      last_status: nullable(integer),
      /** Why the last attempt failed; null if it succeeded. */
      last_error: nullable(slug),
      /**
       * Set when an attempt failed or it was challenged again: the number in the change log after which it has yet to
       * be told about changes. Negative if everything may have changed, 0 if the lease's note applies.
       */
      sent_seq: long,
    },
    key: ["id"],
    indexes: {
      ping_receiver_account: ["account_id"],
      ping_receiver_state: ["state", "since"],
    },
    references: {
      ping_receiver_account_of: {
        columns: ["account_id"],
        table: "account",
        to: ["id"],
        cascades: true,
      },
    },
  }),
  /** How many challenges an account has requested since a time: there is a limit. */
  ping_challenge: table({
    privileges: ["select", "insert", "update"],
    columns: { account_id: id, since: seconds, asked: integer },
    key: ["account_id"],
    references: {
      ping_challenge_account: {
        columns: ["account_id"],
        table: "account",
        to: ["id"],
        cascades: true,
      },
    },
  }),
  /** One row: which process sends, until when, and up to which change. */
  ping_sender: table({
    privileges: ["select", "insert", "update"],
    columns: {
      /** 1. */
      id: flag,
      owner: slug,
      until: seconds,
      /** Always 0. Version 1.3 counts with it. */
      looks: long,
      /** The number in the change log up to which everything has been pinged, except to receivers that are behind. */
      noted: nullable(long),
    },
    key: ["id"],
  }),
} as const

declare module "../../../core/data/schema.ts" {
  interface Schema extends RowsOf<typeof pingTables> {}
}
