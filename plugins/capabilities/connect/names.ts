import { plainName } from "./kinds.ts"
import type { SourceColumn, SourceTable } from "./schema.ts"
import { columnWords } from "./words.ts"

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
 * `name`, as `func_title` is of `functions`, and `price_pence` a `price`.
 */
export function columnsNamed(
  { name: table, columns }: SourceTable,
  words: readonly string[],
): readonly SourceColumn[] {
  return words.flatMap((word) =>
    columns.filter(({ name }) => {
      const plain = bare(name).replace(/(?<=.)(pence|cents|gbp|usd|eur)$/, "")
      const before = plain.slice(0, -word.length)
      return plain === word || plain.endsWith(word) && before.length > 2 &&
          (singular(table).endsWith(before) || singular(table).startsWith(before))
    })
  )
}

/** Returns the names that a column of a field may have, the likeliest first. */
export function wordsFor(field: string): readonly string[] {
  return [plainName(field), ...columnWords[field] ?? []]
}

/** Returns the column of a field, by its name, another that it often has, or one that is like it. */
export function columnOf(table: SourceTable, field: string): SourceColumn | undefined {
  return columnsNamed(table, wordsFor(field))[0] ?? columnsLike(table.columns, field)[0]
}

/**
 * Returns the columns whose names begin or end with one of a field's, and whose types can hold it. Those that begin with it
 * come first: `price_in_pounds` is a likelier price than `start_price`.
 */
export function columnsLike(
  columns: readonly SourceColumn[],
  field: string,
): readonly SourceColumn[] {
  const words = wordsFor(field).filter((word, at) => at === 0 || word.length > 4)
  const fitting = columns.filter((column) => canHold(column, field))
  return [beginnings, endings].flatMap((partsOf) =>
    fitting.filter(({ name }) => partsOf(wordsIn(name)).some((part) => words.includes(part)))
  )
}

/** Returns the words of a name: `price`, `in`, `pounds`. */
function wordsIn(name: string): readonly string[] {
  return name.replace(/([a-z\d])([A-Z])/g, "$1_$2").toLowerCase().split(/[^a-z\d]+/)
}

function beginnings(words: readonly string[]): readonly string[] {
  return words.slice(1).map((_, at) => words.slice(0, at + 1).join(""))
}

function endings(words: readonly string[]): readonly string[] {
  return words.slice(1).map((_, at) => words.slice(at + 1).join(""))
}

const numbers = /rice$|amount|increments|estimate|quantity|capacity|maxTickets|taxRate|lotNumber/
const times = /^(starts|ends|created|draws|closes)$/

function canHold(column: SourceColumn, field: string): boolean {
  if (times.test(field)) return isTime(column)
  return !isLetter(column) &&
    numbers.test(field) === /int|dec|numeric|number|real|float|double|money/.test(column.type)
}

/** True for columns that may hold yes or no. */
export function isFlag({ type }: SourceColumn): boolean {
  return /bool|int|bit/.test(type) || isLetter({ type })
}

/** True for columns that hold `Y` or `N`. */
export function isLetter({ type }: Pick<SourceColumn, "type">): boolean {
  return /^((var)?char\(1\)|enum\('(y|n|yes|no)')/.test(type)
}

/** True for columns that hold a date, alone or with a time. SQLite has no type for them, so there the name decides. */
export function isTime({ name, type }: SourceColumn): boolean {
  return /date|timestamp/.test(type) ||
    type === "text" && /(_(at|on|date)|[a-z](At|On|Date))$/.test(name)
}

/** Returns an SQL condition that is true where a column says yes. */
export function saysYes(place: string, column: SourceColumn): string {
  if (isTime(column)) return `${place} > '1000-01-01'`
  if (isLetter(column)) return `coalesce(${place}, 'N') in ('Y', 'y', '1')`
  return column.type.includes("bool") ? `${place} is true` : `coalesce(${place}, 0) = 1`
}
