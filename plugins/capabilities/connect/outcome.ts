import { describeRefused } from "./preview.ts"
import type { HeldDeletions } from "./protection.ts"
import type { Outcome } from "./take-over.ts"

/** Describes what came of a takeover, for people. */
export function describeOutcome({ difference, removed, milliseconds }: Outcome): string {
  const { rows, added, changed, refused, refusedCount } = difference
  const time = (milliseconds / 1000).toFixed(1)
  const counts =
    `${rows} rows in ${time} s: ${added} added, ${changed} changed, ${removed} deleted.`
  return `${counts}\n${describeRefused(refused, refusedCount)}`
}

/** Describes deletions that wait, and what to do if they are meant. */
export function describeHeld(held: readonly HeldDeletions[], command: string): string {
  const lines = held.map(({ event, kind, gone, known }) =>
    `  ${event}: ${gone} of ${known} in ${kind}`
  )
  return `Too much is gone at once, so nothing of these events was deleted:\n${
    lines.join("\n")
  }\n` +
    `If it is meant: ${command}`
}
