import { lengthsOf, type Machine, type Moment } from "./machine.ts"
import { mergeAt } from "./merges.ts"
import { printTable } from "./table.ts"

/** Plays one merge. Returns a table of its steps, and what is wrong in the end. */
export function replay<State>(
  machine: Machine<State>,
  index: number,
): { readonly table: string; readonly problem: string | undefined } {
  const taken = machine.actors.map(() => 0)
  const history: Moment<State>[] = []
  let state = machine.start
  for (const actor of mergeAt(lengthsOf(machine), index)) {
    const step = taken[actor] as number
    taken[actor] = step + 1
    state = machine.next(state, actor, step)
    history.push({ actor, step, state })
  }
  const table = printTable(machine.actors.map(({ name }) => name), machine.tell(history))
  return { table, problem: machine.problemOf(state) }
}

/** A merge of the steps of a scenario, played by a design. */
export interface PlayedMerge {
  readonly design: string
  readonly scenario: string
  readonly index: number
}

/** Returns the command that replays a merge. */
export function commandOf({ design, scenario, index }: PlayedMerge): string {
  return `node test/interleavings.ts --design "${design}" --scenario "${scenario}" --index ${index}`
}

/** Returns the command that replays a merge on MySQL. */
export function mysqlCommandOf({ design, index }: Omit<PlayedMerge, "scenario">): string {
  return `node test/interleavings.ts --mysql --design "${design}" --index ${index}`
}

/** Returns a failure as text: what is wrong, a table of the steps, and the command to replay them. */
export function explain(problem: string, table: string, command: string): string {
  return `${problem}\n\n${table}\n\nreplay it: ${command}`
}
