import type { Order, Report } from "./worker.ts"

/** The most lines that a failure is told in. */
const mostLines = 40
/** The lines of the story that are left of its beginning, if it is longer. */
const first = 6

/** Tells how a world failed, in at most 40 lines: what does not hold, what happened, and how to run it again. */
export function tellFailure(
  { violation = "", story, seed, plan }: Report,
  { days }: Order,
): string {
  const reason = violation.split("\n").slice(0, 8)
  const steps = plan.reduce((sum, { steps }) => sum + steps.length, 0)
  const head = [`seed ${seed} fails after ${steps} steps: ${reason[0]}`, ...reason.slice(1), ""]
  const tail = ["", `again: make simulate SEED=${seed} DAYS=${days}`]
  const room = mostLines - head.length - tail.length
  return [...head, ...shorten(story, room), ...tail].join("\n")
}

function shorten(lines: readonly string[], most: number): readonly string[] {
  const cut = lines.map((line) => line.length > 160 ? `${line.slice(0, 159)}…` : line)
  if (cut.length <= most) return cut
  const left = most - first - 1
  const gone = `… ${cut.length - first - left} more lines …`
  return [...cut.slice(0, first), gone, ...cut.slice(-left)]
}
