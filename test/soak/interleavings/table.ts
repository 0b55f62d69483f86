/** One step in a table of steps. */
export interface TableRow {
  readonly clock: number
  /** The column; undefined for what happens after all steps. */
  readonly actor: number | undefined
  readonly does: string
  /** What the reader got. */
  readonly got: string
}

/** Prints steps as a table with the clock, a column per actor, and what the reader got. */
export function printTable(actors: readonly string[], rows: readonly TableRow[]): string {
  const lines = [
    ["clock", ...actors, "the reader gets"],
    ...rows.map(({ clock, actor, does, got }) => [
      String(clock),
      ...actors.map((_, column) => column === (actor ?? actors.length - 1) ? does : ""),
      got,
    ]),
  ]
  const widths =
    lines[0]?.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0))) ??
      []
  const print = (cells: readonly string[]) =>
    cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ").trimEnd()
  const rule = widths.map((width) => "-".repeat(width)).join("-|-")
  const [head = [], ...body] = lines
  return [print(head), rule, ...body.map(print)].join("\n")
}
