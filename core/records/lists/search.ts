import { type Expression, type ExpressionBuilder, sql, type SqlBool } from "kysely"
import type { Runnable } from "../../data/database.ts"
import type { Dialect } from "../../data/dialect.ts"
import { foldTerms, searchableText } from "../../data/fold-text.ts"
import type { Columns } from "../../data/table.ts"
import type { Position, PositionedRow } from "./page.ts"

/** Rows per statement of a search: the largest page, and one more to see whether the list continues. */
const portion = 1001

/** A query of a list's records, newest first. */
interface Rows<Row> extends Runnable<Row> {
  limit(most: number): Rows<Row>
  offset(skipped: number): Rows<Row>
}

/** Which of a list's records are read. Columns are `relation.column`. */
interface SearchRange {
  readonly terms: readonly string[]
  readonly searched: readonly string[]
  /** The list begins after it; left out, with its first record. */
  readonly position?: Position | undefined
  readonly offset: number
  readonly limit: number
}

/**
 * Prepares the reading of a list's records in which every term occurs: `limit` of them, from `offset`. `after` returns
 * the query of those after a position, with `id`, `updated` and the searched columns, filtered by `mayMatch`.
 *
 * What a database finds equal depends on its collations. So it only leaves out what cannot match, and `matcherOf`
 * decides.
 */
export function findRows<Row extends PositionedRow>(
  after: (position: Position | undefined) => Rows<Row>,
  { terms, searched, position, offset, limit }: SearchRange,
): Runnable<Row> {
  if (terms.length === 0) {
    const rows = after(position).limit(limit)
    return offset > 0 ? rows.offset(offset) : rows
  }
  const matches = matcherOf(terms)
  return {
    async execute(options) {
      const found: Row[] = []
      let skipped = 0
      for (let last = position;;) {
        const rows = await after(last).limit(portion).execute(options)
        for (const row of rows) {
          if (!matches(searchedText(row, searched))) continue
          if (skipped < offset) skipped++
          else if (found.push(row) === limit) return found
        }
        const end = rows.at(-1)
        if (!end || rows.length < portion) return found
        last = [end.updated, end.id]
      }
    },
  }
}

/** One condition per term, for `findRows`: it may occur in at least one of the columns. */
export function mayMatch<DB, T extends keyof DB>(
  eb: ExpressionBuilder<DB, T>,
  dialect: Dialect,
  { terms, searched }: Pick<SearchRange, "terms" | "searched">,
): Expression<SqlBool> {
  // A term that folds to nothing, such as an accent, matches everything.
  const folded = foldTerms(terms).filter((term) => term !== "")
  return eb.and(
    folded.map((term) =>
      eb.or(searched.map((column) => dialect.mayContain(sql.ref<string | null>(column), term)))
    ),
  )
}

/** Returns the text of a row that `q` searches: some columns (`relation.column`), folded. No term has a line feed. */
export function searchedText(row: Columns, searched: readonly string[]): string {
  return searched
    .map((column) => searchableText(String(row[column.slice(column.indexOf(".") + 1)] ?? "")))
    .join("\n")
}

/** Returns a function that is true for a searched text in which each term occurs. */
export function matcherOf(terms: readonly string[]): (text: string) => boolean {
  const folded = foldTerms(terms)
  return (text) => folded.every((term) => text.includes(term))
}
