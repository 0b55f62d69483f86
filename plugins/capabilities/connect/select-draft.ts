import type { TableChoice } from "./choose-tables.ts"
import type { SourceKind } from "./kinds.ts"
import type { SourceColumn, SourceTable } from "./schema.ts"
import { quoteName } from "./sources/quote.ts"
import { allRows, type SourceName, type SourceReader } from "./sources/source.ts"
import { plainText } from "./values.ts"

/** What SELECTs are guessed from. */
export interface Findings {
  readonly tables: readonly SourceTable[]
  readonly choices: ReadonlyMap<SourceKind, TableChoice>
  readonly source: SourceName
  readonly reader: SourceReader
}

/** A table that a SELECT reads; the first has no column by which it is joined. */
export interface JoinedTable {
  readonly table: SourceTable
  readonly by?: { readonly column: string; readonly other: JoinedTable; readonly to: string }
  /**
   * `person` may be missing, but not deleted; `path` only leads on, and `label` says what a value is called; `first`
   * takes one of several rows.
   */
  readonly form: "inner" | "person" | "path" | "left" | "label" | "first"
  /** The column that tells the rows of `first` apart, and the order in which the first comes first. */
  readonly first?: { readonly key: string; readonly order: string }
}

/** A column of a table that a SELECT reads. */
export interface JoinedColumn {
  readonly joined: JoinedTable
  readonly column: SourceColumn
}

/** A SELECT while it is guessed: the tables that it reads, and what the operator should look at. */
export class SelectDraft {
  readonly kind: SourceKind
  readonly findings: Findings
  readonly own: JoinedTable
  /** A line for each guess. */
  readonly notes: string[] = []
  readonly #joined: JoinedTable[]
  readonly #used = new Set<string>()

  constructor(kind: SourceKind, table: SourceTable, findings: Findings) {
    this.kind = kind
    this.findings = findings
    this.own = { table, form: "inner" }
    this.#joined = [this.own]
    this.#use(this.own, this.key)
  }

  get joined(): readonly JoinedTable[] {
    return this.#joined
  }

  /** The key of the rows that the SELECT returns. */
  get key(): string {
    return this.own.table.key[0] ?? "id"
  }

  /** The columns that may hold a field, and hold none yet. */
  get freeColumns(): readonly JoinedColumn[] {
    return this.#joined.filter(({ form }) => /inner|person|left|first/.test(form))
      .flatMap((joined) => joined.table.columns.map((column) => ({ joined, column })))
      .filter(({ joined, column }) => !this.#used.has(`${joined.table.name}.${column.name}`))
  }

  /** Reads rows of the source, as texts. @throws as the source does. */
  async read(sql: string): Promise<readonly string[][]> {
    return (await allRows(this.findings.reader, sql)).map((row) => row.map(plainText))
  }

  quote(name: string): string {
    return quoteName(this.findings.source, name)
  }

  place({ table }: JoinedTable, column: string): string {
    return `${this.quote(table.name)}.${this.quote(column)}`
  }

  /** Adds a table; a table that is there already stays as it was joined. Returns the one that is there. */
  join(joined: JoinedTable): JoinedTable {
    const known = this.#joined.find(({ table }) => table === joined.table)
    if (known) return known
    this.#joined.push(joined)
    if (joined.by) this.#use(joined.by.other, joined.by.to)
    return joined
  }

  /** Notes that a column holds a field, and returns its place. */
  take({ joined, column }: JoinedColumn): string {
    this.#use(joined, column.name)
    return this.place(joined, column.name)
  }

  /** Returns the lines of the SELECT that begin with `from` and `join`. */
  lines(): readonly string[] {
    return this.#joined.flatMap((joined) => this.#lineOf(joined))
  }

  /** Returns the lines of the mapping that say which columns lead to these records. */
  keyLines(): readonly string[] {
    // Comparisons find changes of lists such as those of currencies, which are rare.
    return this.#joined.filter(({ form }) => form !== "label").map((joined) =>
      this.#keyLine(joined)
    )
  }

  #use({ table }: JoinedTable, column: string): void {
    this.#used.add(`${table.name}.${column}`)
  }

  #lineOf(joined: JoinedTable): readonly string[] {
    const { by, form, first, table: { name, key } } = joined
    const table = this.quote(name)
    if (!by) return [`from ${table}`]
    const match = `${this.place(joined, by.column)} = ${this.place(by.other, by.to)}`
    if (form === "inner" || form === "path") return [`join ${table} on ${match}`]
    if (!first) return [`left join ${table} on ${match}`]
    const own = this.quote(first.key)
    const one = `select ${own} from ${table} one where one.${this.quote(by.column)} = ` +
      `${this.place(by.other, by.to)} order by ${first.order} limit 1`
    const isFirst = `${table}.${own} = (${one})`
    return [`left join ${table} on ${key.length > 1 ? `${match} and ` : ""}${isFirst}`]
  }

  /** Says which column of a table leads to these records; with a SELECT if that is not their key. */
  #keyLine({ table, by }: JoinedTable): string {
    const name = inYaml(/[."`]/.test(table.name) ? this.quote(table.name) : table.name)
    if (!by) return `${name}: ${inYaml(this.key)}`
    let { other, to } = by
    while (other.by && other.by.column === to) ({ other, to } = other.by)
    if (other === this.own && to === this.key) return `${name}: ${inYaml(by.column)}`
    const joins: string[] = []
    for (let each: JoinedTable = other; each.by; each = each.by.other) {
      joins.unshift(...this.#lineOf({ ...each, form: "inner" }))
    }
    const of = [
      `select ${joins.length > 0 ? this.place(this.own, this.key) : this.quote(this.key)}`,
      `from ${this.quote(this.own.table.name)}`,
      ...joins,
      `where ${joins.length > 0 ? this.place(other, to) : this.quote(to)} = ?`,
    ].join(" ")
    return `${name}: { column: ${inYaml(by.column)}, of: ${JSON.stringify(of)} }`
  }
}

/** Returns a name as YAML has it. */
function inYaml(name: string): string {
  return /^[a-z_][\w$]*$/i.test(name) && !/^(true|false|null)$/i.test(name)
    ? name
    : JSON.stringify(name)
}
