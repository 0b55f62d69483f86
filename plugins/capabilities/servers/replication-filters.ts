import type { Filter } from "./server-state.ts"

/** The tables that must reach a replica. */
export interface NeededTables {
  /** The name of the database. */
  readonly database: string
  readonly tables: readonly string[]
}

/**
 * Returns the tables whose changes the filters of one channel leave out, by MySQL's rules for row-based replication:
 * the database decides first, then the table.
 */
export function findOmitted(
  filters: readonly Filter[],
  { database, tables }: NeededTables,
): string[] {
  const rules = (name: string) =>
    // A filter that was removed remains as an empty one.
    filters.filter((filter) => filter.name === `REPLICATE_${name}` && filter.rule !== "")
      .flatMap(({ rule }) => rule.split(","))
  const isRewritten = filters.some(({ name, rule }) =>
    name === "REPLICATE_REWRITE_DB" && rule.includes(`(${database},`)
  )
  const only = rules("DO_DB")
  const isDatabaseOmitted = only.length > 0
    ? !only.includes(database)
    : rules("IGNORE_DB").includes(database)
  if (isRewritten || isDatabaseOmitted) return [...tables]
  const [chosen, ignored] = [rules("DO_TABLE"), rules("IGNORE_TABLE")]
  const [wild, wildIgnored] = [rules("WILD_DO_TABLE"), rules("WILD_IGNORE_TABLE")]
  return tables.filter((table) => {
    const name = `${database}.${table}`
    const isLike = (pattern: string) => likeness(pattern).test(name)
    if (chosen.includes(name)) return false
    if (ignored.includes(name)) return true
    if (wild.some(isLike)) return false
    return wildIgnored.some(isLike) || chosen.length + wild.length > 0
  })
}

/** Translates a pattern of MySQL: `%` matches any text, `_` any character, and a backslash escapes both. */
function likeness(pattern: string): RegExp {
  const parts = pattern.match(/\\[^]|[^]/g) ?? []
  const source = parts.map((part) =>
    part === "%" ? "[^]*" : part === "_" ? "[^]" : RegExp.escape(part.at(-1) ?? "")
  )
  return new RegExp(`^${source.join("")}$`)
}
