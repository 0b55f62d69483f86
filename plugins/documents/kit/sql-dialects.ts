import type { FieldKind } from "./model.ts"

/** A value in a row of JSON: where it is, and what it becomes. */
export interface Value {
  /** The names that lead to it. */
  readonly path: readonly string[]
  readonly kind: FieldKind
}

/** How a database writes what the generated statements need. */
export interface SqlDialect {
  /** The name of the file, without `.sql`. */
  readonly name: string
  readonly title: string
  readonly types: Readonly<Record<FieldKind, string>>
  quote(name: string): string
  /** Writes the parameter of this number: the body of a response, and the id of the event. */
  parameter(number: 1 | 2): string
  /** Returns the rows `r` of a body: of its array `changes`, or of the body that is an array. They have these values. */
  rows(array: "changes" | undefined, values: readonly Value[]): string
  /** Returns a value of such a row. */
  value(value: Value): string
  /** Returns the text of this name in the body. */
  text(name: string): string
  /** Returns the end of an insertion, which replaces the row with the same key. */
  replace(keys: readonly string[], columns: readonly string[]): string
}

const double = (name: string) => `"${name.replaceAll('"', '""')}"`
const backtick = (name: string) => `\`${name.replaceAll("`", "``")}\``

/** Writes a text as a literal of standard SQL. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** Writes a text as a literal of MySQL, in which a backslash escapes. */
function mysqlLiteral(text: string): string {
  return literal(text.replaceAll("\\", "\\\\"))
}

/** Writes a path of JSON: `$.record.firstName`. */
function pathTo(...names: readonly string[]): string {
  return ["$", ...names.map((name) => /^\w+$/.test(name) ? name : JSON.stringify(name))].join(".")
}

function onConflict(keys: readonly string[], columns: readonly string[]): string {
  const changes = columns.map((name) => `${double(name)} = excluded.${double(name)}`)
  return `on conflict (${keys.map(double).join(", ")}) do update set\n  ${changes.join(",\n  ")}`
}

const postgresql: SqlDialect = {
  name: "postgresql",
  title: "PostgreSQL 12 or later",
  types: {
    uuid: "uuid",
    text: "text",
    integer: "bigint",
    decimal: "numeric",
    flag: "boolean",
    json: "jsonb",
  },
  quote: double,
  parameter: (number) => `$${number}`,
  rows: (array) =>
    `jsonb_array_elements($1::jsonb${array === undefined ? "" : ` -> '${array}'`}) as r(value)`,
  value({ path, kind }) {
    const names = path.map(literal)
    if (kind === "json") return `nullif(${["r.value", ...names].join(" -> ")}, 'null')`
    const text = `${["r.value", ...names.slice(0, -1)].join(" -> ")} ->> ${names.at(-1)}`
    return kind === "text" ? text : `(${text})::${this.types[kind]}`
  },
  text: (name) => `$1::jsonb ->> ${literal(name)}`,
  replace: onConflict,
}

const sqlite: SqlDialect = {
  name: "sqlite",
  title: "SQLite 3.38 or later",
  types: {
    uuid: "text",
    text: "text",
    integer: "integer",
    decimal: "real",
    flag: "integer",
    json: "text",
  },
  quote: double,
  parameter: (number) => `?${number}`,
  rows: (array) => `json_each(?1${array === undefined ? "" : `, '$.${array}'`}) as r`,
  value({ path, kind }) {
    const place = literal(pathTo(...path))
    return kind === "json" ? `nullif(r.value -> ${place}, 'null')` : `r.value ->> ${place}`
  },
  text: (name) => `?1 ->> ${literal(pathTo(name))}`,
  replace: onConflict,
}

const duckdb: SqlDialect = {
  name: "duckdb",
  title: "DuckDB 1.1 or later",
  types: {
    uuid: "uuid",
    text: "varchar",
    integer: "bigint",
    decimal: "double",
    flag: "boolean",
    json: "json",
  },
  quote: double,
  parameter: (number) => `$${number}`,
  rows: (array) =>
    `(select unnest(json_extract($1::json, '$${
      array === undefined ? "" : `.${array}`
    }[*]')) as value) as r`,
  value({ path, kind }) {
    const place = literal(pathTo(...path))
    if (kind === "json") return `nullif(r.value -> ${place}, 'null')`
    const text = `(r.value ->> ${place})`
    return kind === "text" ? text : `${text}::${this.types[kind]}`
  },
  text: (name) => `$1::json ->> ${literal(pathTo(name))}`,
  replace: onConflict,
}

const mysql: SqlDialect = {
  name: "mysql",
  title: "MySQL 8.0.19 or later",
  types: {
    // Columns of tables and of json_table may have different collations, which cannot be compared.
    uuid: "char(36) character set ascii",
    text: "text",
    integer: "bigint",
    decimal: "double",
    flag: "boolean",
    json: "json",
  },
  quote: backtick,
  parameter: () => "?",
  rows(array, values) {
    const columns = values.map(({ path, kind }) =>
      `${backtick(path.join("_"))} ${this.types[kind]} path ${mysqlLiteral(pathTo(...path))}`
    )
    const rows = `$${array === undefined ? "" : `.${array}`}[*]`
    return `json_table(?, '${rows}' columns (\n  ${columns.join(",\n  ")}\n)) as r`
  },
  value({ path, kind }) {
    const value = `r.${backtick(path.join("_"))}`
    return kind === "json" ? `nullif(${value}, cast('null' as json))` : value
  },
  text: (name) => `json_unquote(json_extract(?, ${mysqlLiteral(pathTo(name))}))`,
  replace(_keys, columns) {
    const changes = columns.map((name) => `${backtick(name)} = values(${backtick(name)})`)
    return `on duplicate key update\n  ${changes.join(",\n  ")}`
  },
}

/** The databases that there is a file of statements for. */
export const dialects: readonly SqlDialect[] = [mysql, postgresql, sqlite, duckdb]
