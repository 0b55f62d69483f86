import { type Content, number, state, time } from "../../../service/console/page.ts"
import type { ErrorGroup } from "../list-errors.ts"
import type { Look } from "./progress.ts"

/** Shows the status and the code of errors. */
export function errorState({ status, code }: Pick<ErrorGroup, "status" | "code">): Content {
  return state(status >= 500 ? "bad" : "warn", `${status} ${code}`)
}

/** The columns about how often and when errors occurred. */
export const occurrenceColumns = [
  { name: "Count", isNumber: true },
  "First",
  "Last",
  "Last request",
] as const

/** Returns the cells of `occurrenceColumns`. */
export function occurrenceCells(
  { count, first, last, lastRequestId }: Pick<
    ErrorGroup,
    "count" | "first" | "last" | "lastRequestId"
  >,
  { link, now }: Look,
): Content[] {
  return [number(count), time(first, now), time(last, now), link.request(lastRequestId)]
}
