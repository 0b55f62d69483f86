import {
  flag,
  generated,
  id,
  integer,
  long,
  nullable,
  oneOf,
  type RowsOf,
  seconds,
  slug,
  table,
} from "../../../core/tables.ts"

/** The kind of records on a list. */
export type ListKind = "guests" | "items" | "guest deletions" | "item deletions" | "other"

/** Each partner's progress on each list. */
export const partnersTables = {
  /**
   * An account's progress on a list. Times are Unix seconds on the database's clock. `event_id` is empty for lists that
   * do not belong to an event, and for errors about events that the account may not read.
   */
  sync_state: table({
    privileges: ["select", "insert", "update", "delete"],
    columns: {
      account_id: id,
      event_id: id,
      /** The prefix of the family's paths. */
      prefix: slug,
      /** The list's name. */
      list: slug,
      /** The plugin. */
      family: slug,
      kind: oneOf<ListKind>(),
      /** The last page or 304. */
      last_poll: nullable(seconds),
      /** The `Poll-Interval` recommended then. */
      poll_interval: nullable(integer),
      /** The first page of the last walk, its `since` and its `Next-Since`. */
      walk_started: nullable(seconds),
      walk_since: nullable(seconds),
      walk_next: nullable(seconds),
      /** The first pages of the two walks before. */
      previous_started: nullable(seconds),
      third_started: nullable(seconds),
      /** The first page of the very first walk, or when another list's walk first completed this one. */
      first_started: nullable(seconds),
      /**
       * When a last page or a 304 was sent in full, and its `Next-Since`: the partner has been sent everything that
       * changed before. (A walk by offset may miss what changed during the walk; the next poll returns that.)
       */
      walk_completed: nullable(seconds),
      completed_next: nullable(seconds),
      /** The `since` of the last walk, unless negative: the partner has applied everything that changed before. */
      acknowledged: nullable(seconds),
      acknowledged_at: nullable(seconds),
      /** Number of records sent so far. */
      records: generated(long),
      /** The first error since the last page or 304; then the last error. */
      first_error: nullable(seconds),
      error_at: nullable(seconds),
      error_status: nullable(integer),
      error_code: nullable(slug),
      error_request: nullable(slug),
      /** When the last walk's `since` was first sent, though the partner had a later `Next-Since`. */
      since_from: nullable(seconds),
      /**
       * Everything committed by this time has been sent. Later than `completed_next` if a transaction was open then.
       */
      sent_until: nullable(seconds),
      /**
       * The changes that walks left out by beginning with a later `since` than what had been covered: from
       * `skipped_from` (inclusive) to `skipped_to`. If there are several such spans, the span around all.
       */
      skipped_from: nullable(seconds),
      skipped_to: nullable(seconds),
      /** The parameters that the last error rejected. */
      error_parameters: nullable(slug),
      /**
       * Derived from the columns above, see `deadlines.ts`. A row of version 1.3 has no `silent_from` until `judgeRows`
       * finds it.
       *
       * If nothing else happens, the list is stuck from `stuck_from` to `silent_from` and silent after that. Its
       * trouble began at `trouble_since`.
       */
      silent_from: nullable(seconds),
      stuck_from: nullable(seconds),
      trouble_since: nullable(seconds),
      /** The time from which changes may be missing; then the time from which these are late. */
      covered_until: nullable(seconds),
      late_from: nullable(seconds),
      /** Changes from `gap_from` (inclusive) to `gap_to` may be missing as well. */
      gap_from: nullable(seconds),
      gap_to: nullable(seconds),
      /** The last second in which the list counts for its partner's state. */
      counted_until: nullable(seconds),
      /**
       * 1 if the list is in doubt (because of `stuck_from`, `gap_to`, errors, or because only a part was read), else
       * null.
       */
      in_doubt: nullable(flag),
    },
    key: ["account_id", "event_id", "prefix", "list"],
    indexes: {
      sync_state_completed: ["event_id", "kind", "completed_next", "account_id"],
      sync_state_error: ["account_id", "error_at"],
      sync_state_poll: ["account_id", "last_poll"],
      sync_state_silent: ["account_id", "poll_interval", "silent_from"],
      sync_state_doubt: ["in_doubt", "account_id"],
      sync_state_kind: ["kind", "account_id", "acknowledged"],
    },
  }),
} as const

declare module "../../../core/data/schema.ts" {
  interface Schema extends RowsOf<typeof partnersTables> {}
}
