import { formatMoment } from "../../../core/plugin.ts"
import { printableLine } from "../../../core/commands.ts"
import type { Difference, RefusedRow } from "./comparison.ts"
import type { HeldDeletions } from "./protection.ts"
import type { ConnectState } from "./state.ts"
import type { Outcome } from "./take-over.ts"

/** Keys of refused rows that are named of each problem. */
const mostNamed = 3

/** Describes what came of a takeover, for people. */
export function describeOutcome({ difference, removed, milliseconds }: Outcome): string {
  const { rows, added, changed } = difference
  const time = (milliseconds / 1000).toFixed(1)
  const counts =
    `${rows} rows in ${time} s: ${added} added, ${changed} changed, ${removed} deleted.`
  return `${counts}\n${describeRows(difference)}`
}

/** Describes the rows that are not taken over. */
export function describeRows(
  { refused, refusedCount, leftOut }: Pick<Difference, "refused" | "refusedCount" | "leftOut">,
): string {
  const counts = [...leftOut].map(([kind, count]) => `${count} ${kind}`).join(", ")
  const left = counts === ""
    ? ""
    : `Left out, as no SELECT returns their event or organization, or it is refused: ${counts}.\n`
  return left + describeRefused(refused, refusedCount)
}

/** Describes deletions that wait, and what to do if they are meant. */
export function describeHeld(
  held: readonly HeldDeletions[],
  command = `event-export connect run --accept-deletions ${held[0]?.event || "all"}` +
    (new Set(held.map(({ event }) => event)).size > 1 ? ", or all" : ""),
): string {
  const lines = held.map(({ event, kind, gone, known }) =>
    `  ${event || "all events"}: ${gone} of ${known} in ${kind}\n`
  )
  return "Too much is gone at once, so nothing of these events was deleted:\n" +
    `${lines.join("")}If it is meant: ${command}`
}

/** Describes rows that cannot be taken over, by their problems. */
function describeRefused(refused: readonly RefusedRow[], count: number): string {
  if (count === 0) return "Every row can be taken over."
  const groups = Map.groupBy(refused, (row) => `${row.kind}: ${problemOf(row)}`)
  const lines = [...groups].map(([problem, rows]) => {
    const named = rows.slice(0, mostNamed).map(({ key }) => printableLine(key)).join(", ")
    const copies = rows.filter(({ hasCopy }) => hasCopy).length
    const kept = copies > 0 ? `; partners keep their copies of ${copies}` : ""
    return `  ${rows.length} ${problem} (${named}${rows.length > mostNamed ? ", …" : ""})${kept}`
  })
  const shown = count > refused.length ? `; the first ${refused.length}` : ""
  return `${count} rows cannot be taken over${shown}:\n${lines.join("\n")}`
}

/** Says what is wrong with a row. */
export function problemOf({ column, reason }: RefusedRow): string {
  return column ? `${column} is ${reason}` : reason
}

/** Says what partners have of a row that cannot be taken over. */
export function copyOf({ hasCopy }: RefusedRow): string {
  return hasCopy ? "a copy from before" : "nothing"
}

/** Describes the last comparison in sentences. */
export function summarize(state: ConnectState): readonly string[] {
  const { compared_at, milliseconds, rows, changed, removed, refused, drift, failure } = state
  return [
    compared_at === null
      ? "Nothing has been taken over yet."
      : `Compared as a whole at ${formatMoment(compared_at)}, in ${
        (milliseconds / 1000).toFixed(1)
      } s: ${rows} rows, ${changed} written, ${removed} deleted, ${refused} refused.`,
    ...drift === null ? [] : [`Of these, no trigger had told of ${drift}.`],
    ...state.watching?.length
      ? [
        `${state.watching.length} triggers are missing, or this user may not see them ` +
        `(${
          state.watching.slice(0, mostNamed).join(", ")
        }, …): "event-export connect plan" says what it needs.`,
      ]
      : [],
    ...state.failed_at === null
      ? []
      : [`Fails since then, last at ${formatMoment(state.failed_at)}: ${failure}`],
  ]
}

/** Describes the last comparison, what was refused, and what waits. */
export function describeStatus(state: ConnectState): string {
  const { held, refusals, refused } = state
  return [
    ...summarize(state),
    ...held.length > 0 ? [describeHeld(held)] : [],
    ...refused > 0
      ? [`${describeRefused(refusals, refused)}\n--json has the keys of all of them.`]
      : [],
  ].join("\n")
}
