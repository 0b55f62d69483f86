import {
  flag,
  id,
  longText,
  oneOf,
  type RowsOf,
  seconds,
  sequence,
  slug,
  table,
} from "../../../core/tables.ts"

/** What an account may know of a deletion. */
export const noticeKinds = ["told", "acknowledged", "attested"] as const
export type NoticeKind = (typeof noticeKinds)[number]

/** Who was sent which records, and what each account knows of deletions. */
export const disclosuresTables = {
  /** The fields that a family let through, by a hash of their names. */
  field_set: table({
    privileges: ["select", "insert", "update"],
    columns: {
      id: slug,
      /** JSON: `["Guest.id", …]`. */
      fields: longText,
    },
    key: ["id"],
  }),
  /**
   * Records of a list that were sent to an account: those with `updated` from `from_time` to `to_time`, both
   * included, as it was at some time from `first_at` to `last_at`.
   */
  disclosure: table({
    privileges: ["select", "insert", "update", "delete"],
    columns: {
      seq: sequence,
      event_id: id,
      account_id: id,
      prefix: slug,
      list: slug,
      /** A row of `field_set`. */
      fields: slug,
      /** 1 if all records of the range were sent, 0 if only some were, such as those that `q` found. */
      whole: flag,
      from_time: seconds,
      to_time: seconds,
      first_at: seconds,
      last_at: seconds,
      /** The least `Next-Since` of the pages: whatever was deleted before it was on none of them. */
      first_next: seconds,
    },
    indexes: {
      disclosure_event: ["event_id", "list", "account_id", "prefix", "fields", "whole", "to_time"],
      disclosure_last: ["last_at"],
    },
  }),
  /**
   * Deletions in a family's list from `from_time` to `to_time`, both included, of which an account was told, or said that it
   * has applied them.
   */
  erasure_notice: table({
    privileges: ["select", "insert", "update", "delete"],
    columns: {
      seq: sequence,
      event_id: id,
      account_id: id,
      prefix: slug,
      /** `guests` or `items`. */
      list: slug,
      kind: oneOf<NoticeKind>(),
      from_time: seconds,
      to_time: seconds,
      at: seconds,
    },
    indexes: {
      erasure_notice_event: ["event_id", "list", "account_id", "kind", "to_time"],
      erasure_notice_at: ["at"],
    },
  }),
  /** The last names of accounts that were removed: the other tables have their ids only. */
  former_recipient: table({
    privileges: ["select", "insert"],
    columns: { account_id: id, username: slug },
    key: ["account_id"],
  }),
} as const

declare module "../../../core/data/schema.ts" {
  interface Schema extends RowsOf<typeof disclosuresTables> {}
}
