/** A record as a row of a list in JSON: with its category if the list is a bundle. */
export type Row = Readonly<Record<string, unknown>>

/** Returns the records of a body as rows, in its order. */
export function rowsOfBody(body: unknown): Row[] {
  if (Array.isArray(body)) return body as Row[]
  return Object.entries(body as Record<string, Row[]>).flatMap(([category, records]) =>
    records.map((record) => ({ category, ...record }))
  )
}

/** Returns a row as the cells of CSV have it: the text of each value, by the name of its column. */
export function cellsOf(row: Row, prefix = ""): Record<string, string | null> {
  return Object.assign(
    {},
    ...Object.entries(row).map(([name, value]) => {
      const column = prefix + name
      if (value === null || value === undefined) return {}
      if (Array.isArray(value)) {
        const isPlain = value.every((each) => typeof each !== "object")
        return { [column]: isPlain ? value.join(", ") : JSON.stringify(value) }
      }
      return typeof value === "object"
        ? cellsOf(value as Row, `${column}.`)
        : { [column]: String(value) }
    }),
  )
}

/** Leaves out the empty cells, which are null or of another category. */
export function filled(cells: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(cells).filter((cell): cell is [string, string] => cell[1] !== null),
  )
}
