/** A merge of the steps of two actors on MySQL, played by a design. */
export interface PlayedMerge {
  readonly design: string
  readonly index: number
}

/** Returns the command that replays a merge. */
export function commandOf({ design, index }: PlayedMerge): string {
  return `node test/soak/interleavings/play.ts --design "${design}" --index ${index}`
}

/** Returns a failure as text: what is wrong, a table of the steps, and the command to replay them. */
export function explain(problem: string, table: string, command: string): string {
  return `${problem}\n\n${table}\n\nreplay it: ${command}`
}

/** Writes a number with commas: 1,201,200. */
export function format(number: number): string {
  return new Intl.NumberFormat("en").format(number)
}
