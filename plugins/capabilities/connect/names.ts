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

/** Returns a name without `_`, in lower case and in the singular. */
export function singular(name: string): string {
  return plainName(name).replace(/people$/, "person").replace(/ies$/, "y")
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
      const plain = plainName(name).replace(/(?<=.)(pence|cents|gbp|usd|eur)$/, "")
      return plain === word || plain.endsWith(word) &&
          singular(table).endsWith(plain.slice(0, -word.length)) && plain.length > word.length + 2
    })
  )
}

/** Returns the column of a field, by its name or another that it often has. */
export function columnOf(table: SourceTable, field: string): SourceColumn | undefined {
  return columnsNamed(table, [plainName(field), ...columnWords[field] ?? []])[0]
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
