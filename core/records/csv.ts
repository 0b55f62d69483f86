/** A value of a cell. Null is an empty cell; empty text is a pair of quotes. */
export type Cell = string | number | boolean | null

/**
 * Makes CSV of rows (RFC 4180). Text that a spreadsheet would compute gets an apostrophe, unless cells have to be exactly
 * the values: then whoever opens them in a spreadsheet has to import them as text.
 */
export function csv(rows: readonly (readonly Cell[])[], { isExact = false } = {}): string {
  let text = ""
  for (const cells of rows) {
    for (let at = 0; at < cells.length; at++) {
      text += `${at > 0 ? "," : ""}${cellOf(cells[at] as Cell, isExact)}`
    }
    text += "\r\n"
  }
  return text
}

/**
 * What a spreadsheet would compute, in ASCII and in full width, behind spaces as well. Text that begins with
 * apostrophes and then the same gets one more, so that taking one away always restores the text.
 */
const formula = /^(?:[\s']*[=+\-@＝＋－＠]|'*[\t\r\n])/

/**
 * The same within a text, behind what may begin a new cell, whatever is in quotes: a semicolon, which separates lists
 * in Germany and France, a tab or a line break. It gets an apostrophe.
 */
const innerFormula = /[;\t\r\n](?=[\s'"]*[=+\-@＝＋－＠])/g

/** What has to be in quotes. */
const special = /[",\r\n]|^$/

function cellOf(value: Cell, isExact: boolean): string {
  if (value === null) return ""
  if (typeof value !== "string") return String(value)
  const text = isExact ? value : guard(value)
  return special.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function guard(text: string): string {
  return `${formula.test(text) ? "'" : ""}${text.replace(innerFormula, "$&'")}`
}
