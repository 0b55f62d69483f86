import type { Moment } from "../machine.ts"
import type { TableRow } from "../table.ts"
import type { PollingMachine, PollingState, WriterStep } from "./polling-machine.ts"
import { isPolling, type ReaderKind, show } from "./reader.ts"
import type { Answer } from "./service.ts"

/** Tells a merge from the side of the reader that loses, with the poll that follows. */
export function tellPolling(
  machine: PollingMachine,
  history: readonly Moment<PollingState>[],
): readonly TableRow[] {
  const { scenario: { writers, inParts, readers }, design: { parts } } = machine
  const last = history.at(-1)?.state ?? machine.start
  const reader = machine.losingReader(last)
  const kind = readers[reader] as ReaderKind
  const rows = history.map(({ actor, step, state }, index): TableRow => {
    const program = writers[actor]
    if (program) return { clock: state.clock, actor, does: doing(program[step]), got: "" }
    const part = inParts ? parts[step % parts.length] : undefined
    const before = (history[index - 1]?.state ?? machine.start).readers[reader]
    const got = state.readers[reader]
    return {
      clock: state.clock,
      actor,
      does: part ? `request: ${part}` : "request",
      got: got && got !== before && got.got ? tellAnswer(got.got) : "",
    }
  })
  const first = machine.start.readers[reader]
  return [
    {
      clock: machine.start.clock,
      actor: undefined,
      does: "before",
      got: `by ${kind.by}, limit ${kind.limit}, ${kind.tags ? "with" : "without"} tags` +
        `${kind.endsPolls ? ", no deletions after a 304" : ""}; ` +
        `has ${tellRecords(machine.start.tables.records)}, since ${first?.since}`,
    },
    ...rows,
    ...tellEnd(machine, last, reader),
  ]
}

function tellEnd(machine: PollingMachine, state: PollingState, reader: number): TableRow[] {
  const read = state.readers[reader]
  const copy = machine.finish(state, reader).copy
  const row = (does: string, got: string) => ({ clock: state.clock, actor: undefined, does, got })
  return [
    row("after", read && isPolling(read) ? "ends the walk, polls once more" : "polls once more"),
    row("copy", tellRecords(copy)),
    row("table", tellRecords(state.tables.records)),
  ]
}

function doing(step: WriterStep | undefined): string {
  if (!step) return ""
  if (step.do !== "change") return step.do
  return `${step.operation} ${step.id}${step.atOnce ? " at once" : ""}`
}

function tellAnswer({ list, place, unchanged, records, hasNext, nextSince }: Answer): string {
  const where = "offset" in place ? `offset ${place.offset}` : `after ${place.after.id}`
  const what = unchanged ? "304" : tellRecords(records) || "nothing"
  const next = hasNext && !unchanged ? ", and there are more" : ""
  const isFirst = "offset" in place && place.offset === 0
  const since = isFirst && nextSince !== undefined ? `; Next-Since ${nextSince}` : ""
  return `${list === "deletions" ? "deletions" : where}: ${what}${next}${since}`
}

function tellRecords(
  records: Iterable<{ id: number; updated: number; value: number } | undefined>,
) {
  return [...records].filter((record) => record !== undefined)
    .map((record) => `#${record.id} ${show(record)}`).join(", ")
}
