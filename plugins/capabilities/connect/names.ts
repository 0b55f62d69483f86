import { plainName } from "./kinds.ts"
import type { SourceColumn, SourceTable } from "./schema.ts"
import { columnPatterns, columnWords } from "./words.ts"

/** Lower is likelier: the place of the word that a name is, or ends with; infinite if none is in it. */
export function rankOf(name: string, words: readonly string[]): number {
  const plain = singular(name)
  const exact = words.indexOf(plain)
  if (exact >= 0) return exact
  const ending = words.findIndex((word) => word.length > 2 && plain.endsWith(word))
  return ending >= 0 ? 100 + ending : Infinity
}

/** Returns a name in lower case, without anything but letters and digits. */
function bare(name: string): string {
  return plainName(name).replace(/[^a-z\d]+/g, "")
}

/** Returns a name in lower case and in the singular, without anything but letters and digits. */
export function singular(name: string): string {
  return bare(name).replace(/people$/, "person").replace(/ies$/, "y")
    .replace(/(?<=ss|sh|ch|x)es$/, "").replace(/(?<!s)s$/, "")
}

/**
 * Returns the columns that have one of these names, in the order of the names. `EventName` of a table `tblEvents` is its
 * `name`, and `price_pence` a `price`.
 */
export function columnsNamed(
  { name: table, columns }: SourceTable,
  words: readonly string[],
): readonly SourceColumn[] {
  return words.flatMap((word) =>
    columns.filter(({ name }) => {
      const plain = bare(name).replace(/(?<=.)(pence|cents|gbp|usd|eur)$/, "")
      return plain === word || plain.endsWith(word) &&
          singular(table).endsWith(plain.slice(0, -word.length)) && plain.length > word.length + 2
    })
  )
}

/** Returns the column of a field, by its name, another that it often has, or one that is like it. */
export function columnOf(table: SourceTable, field: string): SourceColumn | undefined {
  return columnsNamed(table, [plainName(field), ...columnWords[field] ?? []])[0] ??
    table.columns.find((column) => isLike(column, field))
}

const numbers = /rice$|amount|increments|estimate|quantity|capacity|maxTickets|taxRate|lotNumber/
const times = /^(starts|ends|created|draws|closes|consentAsked)$/

/** True for a column whose name is like those of a field, and whose type can hold it. */
export function isLike(column: SourceColumn, field: string): boolean {
  if (!columnPatterns[field]?.test(bare(column.name))) return false
  if (times.test(field)) return isTime(column)
  return numbers.test(field) === /int|dec|num|real|float|double|money/.test(column.type)
}

/** True for columns that may hold yes or no. */
export function isFlag({ type }: SourceColumn): boolean {
  return /bool|int|bit/.test(type) || isLetter({ type })
}

/** True for columns that hold `Y` or `N`. */
export function isLetter({ type }: Pick<SourceColumn, "type">): boolean {
  return /^((var)?char\(1\)|enum\('(y|n|yes|no)')/.test(type)
}

/** True for columns that hold a date or a time. */
export function isTime({ type }: SourceColumn): boolean {
  return /date|time/.test(type)
}
