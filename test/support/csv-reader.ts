/**
 * Reads CSV as RFC 4180 defines it. Independent of the service's own writer. An empty cell is null, a pair of quotes is
 * empty text.
 *
 * @throws {Error} if a quote is not closed, or a line does not end with CR LF.
 */
export function readCsv(text: string): (string | null)[][] {
  const rows: (string | null)[][] = []
  let at = 0
  while (at < text.length) {
    const row: (string | null)[] = []
    for (;;) {
      const cell = text[at] === '"' ? readQuoted(text, at + 1) : readPlain(text, at)
      row.push(cell.value)
      at = cell.end
      if (text[at] !== ",") break
      at++
    }
    if (text.slice(at, at + 2) !== "\r\n") throw new Error(`no end of the line at ${at}`)
    rows.push(row)
    at += 2
  }
  return rows
}

/** Returns rows as records by the names in the first one. */
export function recordsOfCsv(text: string): Record<string, string | null>[] {
  const [names = [], ...rows] = readCsv(text)
  return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? null])))
}

function readQuoted(text: string, start: number): { value: string; end: number } {
  let value = ""
  for (let at = start;; at++) {
    if (at >= text.length) throw new Error("a quote is not closed")
    if (text[at] !== '"') value += text[at]
    else if (text[at + 1] === '"') value += text[at++]
    else return { value, end: at + 1 }
  }
}

function readPlain(text: string, start: number): { value: string | null; end: number } {
  let end = start
  while (end < text.length && text[end] !== "," && text[end] !== "\r") end++
  return { value: end === start ? null : text.slice(start, end), end }
}

/**
 * Returns a text of CSV for spreadsheets as it was: takes away one apostrophe at the beginning, and before what a
 * spreadsheet would compute where it may begin a cell.
 */
export function withoutGuard(text: string): string {
  let plain = ""
  for (let at = 0; at < text.length; at++) {
    const isGuard = text[at] === "'" &&
      (at === 0 || ";\t\r\n".includes(text[at - 1] ?? "") && isComputed(text.slice(at + 1), `"`))
    if (!isGuard) plain += text[at]
  }
  return plain
}

/** True if a text is a formula behind spaces, apostrophes and these characters. */
function isComputed(text: string, before: string): boolean {
  const first = [...text].find((each) => each.trim() !== "" && !`'${before}`.includes(each)) ?? ""
  return first !== "" && "=+-@＝＋－＠".includes(first)
}
