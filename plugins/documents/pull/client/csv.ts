import { type Cell, csv } from "../../../../core/records/bytes/csv.ts"

/** Writes records as CSV (RFC 4180), with a column for each field, and for each field of an object. */
export function* csvLines(records: () => Iterable<string>, spreadsheet: boolean): Iterable<string> {
  const names = new Set<string>()
  for (const record of records()) for (const [name] of cellsOf(JSON.parse(record))) names.add(name)
  // Fields of an object stay together, wherever they were first seen.
  const groups = [...Map.groupBy(names, (name) => name.split(".", 1)[0]).values()]
  // An address that is null has one cell; any other has several.
  const columns = groups.flatMap((group) =>
    group.filter((name) => !group.some((other) => other.startsWith(`${name}.`)))
  )
  const form = spreadsheet ? { isText: true } : { isExact: true }
  if (columns.length > 0) yield csv([columns], form)
  for (const record of records()) {
    const cells = new Map(cellsOf(JSON.parse(record)))
    yield csv([columns.map((name) => cells.get(name) ?? null)], form)
  }
}

function cellsOf(record: Record<string, unknown>, prefix = ""): [name: string, value: Cell][] {
  return Object.entries(record).flatMap(([key, value]) => {
    const name = prefix + key
    if (value === null || typeof value === "number" || typeof value === "boolean") {
      return [[name, value]]
    }
    if (Array.isArray(value)) {
      const isSimple = value.every((each) => typeof each !== "object")
      return [[name, isSimple ? value.join(", ") : JSON.stringify(value)]]
    }
    if (typeof value === "object") return cellsOf(value as Record<string, unknown>, `${name}.`)
    return [[name, String(value)]]
  })
}
