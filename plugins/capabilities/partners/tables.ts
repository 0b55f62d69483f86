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

/** What the records of a list are. */
export type ListKind = "guests" | "items" | "guest deletions" | "item deletions" | "other"

/** How far each partner is with each list. */
export const partnersTables = {
  /**
   * How far an account is with a list. Times are Unix seconds on the database's clock. `event_id` is empty for lists
   * that are of no event, and for errors about events that the account may not read.
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
      /** The `Poll-Interval` that was recommended then. */
      poll_interval: nullable(integer),
      /** The first page of the last walk, its `since` and its `Next-Since`. */
      walk_started: nullable(seconds),
      walk_since: nullable(seconds),
      walk_next: nullable(seconds),
      /** The first pages of the two walks before. */
      previous_started: nullable(seconds),
      third_started: nullable(seconds),
      /** The first page of the first walk of all, or when that of another list completed this one first. */
      first_started: nullable(seconds),
      /**
       * When a last page was sent in full, or a 304, and its `Next-Since`: the partner has been sent everything that
       * changed before. (Of a walk by offset, everything but what changed during the walk: the next poll returns that.)
       */
      walk_completed: nullable(seconds),
      completed_next: nullable(seconds),
      /** The `since` of the last walk, if it was not negative: what changed before has been applied. */
      acknowledged: nullable(seconds),
      acknowledged_at: nullable(seconds),
      /** Number of records sent so far. */
      records: generated(long),
      /** The first error since the last page or 304, and the last one. */
      first_error: nullable(seconds),
      error_at: nullable(seconds),
      error_status: nullable(integer),
      error_code: nullable(slug),
      error_request: nullable(slug),
      /** When the `since` of the last walk was sent first, though there was a later `Next-Since`. */
      since_from: nullable(seconds),
      /** Until when what was committed has been sent. Later than `completed_next` if a change was open then. */
      sent_until: nullable(seconds),
      /**
       * What walks have left out, because they began at a later `since` than what had been covered: from this time on,
       * and before that one. The widest, if there are several.
       */
      skipped_from: nullable(seconds),
      skipped_to: nullable(seconds),
      /** The parameters that the last error refused. */
      error_parameters: nullable(slug),
      /**
       * What follows from all of these, see `deadlines.ts`. A row of version 1.3 has no `silent_from`, until `judgeRows`
       * finds it.
       *
       * If nothing else happens, the list is silent after `silent_from`, and stuck from `stuck_from` on until then, since
       * `trouble_since`.
       */
      silent_from: nullable(seconds),
      stuck_from: nullable(seconds),
      trouble_since: nullable(seconds),
      /** From when on changes may be missing, and the time from which they are late. */
      covered_until: nullable(seconds),
      late_from: nullable(seconds),
      /** Changes from this time on and before that one may be missing as well. */
      gap_from: nullable(seconds),
      gap_to: nullable(seconds),
      /** The last second in which the list counts for its partner's state. */
      counted_until: nullable(seconds),
      /** 1 if any of `stuck_from`, `gap_to`, errors or a part that was read only needs a look, else null. */
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
