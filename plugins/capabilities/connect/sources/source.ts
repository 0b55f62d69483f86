import type { SourceValue } from "../values.ts"

/** A row of a SELECT, its values in the order of the columns. */
export type SourceRow = readonly SourceValue[]

/** What a SELECT returns. */
export interface Selection {
  readonly columns: readonly string[]
  /** Portions of rows, in the order of the source. */
  readonly rows: AsyncIterable<readonly SourceRow[]>
}

/** A database that records come from. Reads only. */
export interface Source {
  /** What kind of database it is. */
  readonly name: SourceName
  /** Runs `work` in one snapshot of the source. @throws what `work` throws, and as the source does. */
  snapshot<T>(work: (reader: SourceReader) => Promise<T>): Promise<T>
  /** Runs statements that change the source, one after the other: for what the operator applies. */
  change(statements: readonly string[]): Promise<void>
}

export type SourceName = "mysql" | "sqlite" | "postgres"

/** One snapshot of a source. */
export interface SourceReader {
  /** Sends a SELECT. One at a time: read it to its end before the next. @throws as the source does. */
  select(sql: string, values?: readonly (string | number)[]): Promise<Selection>
}

/** Rows of a portion: few enough that requests have their turn, many enough that it costs little. */
export const portionOfRows = 500

/** Returns all rows of a SELECT, for those that have few. */
export async function allRows(
  reader: SourceReader,
  sql: string,
  values: readonly (string | number)[] = [],
): Promise<SourceRow[]> {
  const all: SourceRow[] = []
  for await (const rows of (await reader.select(sql, values)).rows) all.push(...rows)
  return all
}
