import { judge } from "../../plugins/capabilities/partners/deadlines.ts"
import type { SyncRow } from "../../plugins/capabilities/partners/definitions.ts"
import { blankRow } from "../../plugins/capabilities/partners/progress.ts"

/** Returns a row of `sync_state` without any request, with its deadlines: of guests, unless it is given otherwise. */
export function emptyRow(
  own: Partial<SyncRow> & Pick<SyncRow, "account_id" | "event_id">,
): SyncRow {
  const list = { prefix: "/f/v1", list: "guests", family: "family", kind: "guests" } as const
  return judge({ ...blankRow({ ...list, ...own }), ...own })
}
