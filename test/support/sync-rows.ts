import type { SyncRow } from "../../core/partners/definitions.ts"

/** Returns a row of `sync_state` without any request. */
export function emptyRow(
  own: Partial<SyncRow> & Pick<SyncRow, "account_id" | "event_id">,
): SyncRow {
  return {
    prefix: "/f/v1",
    list: "guests",
    family: "family",
    kind: "guests",
    last_poll: null,
    poll_interval: null,
    walk_started: null,
    walk_since: null,
    walk_next: null,
    previous_started: null,
    third_started: null,
    first_started: null,
    walk_completed: null,
    completed_next: null,
    acknowledged: null,
    acknowledged_at: null,
    records: 0,
    first_error: null,
    error_at: null,
    error_status: null,
    error_code: null,
    error_request: null,
    ...own,
  }
}
