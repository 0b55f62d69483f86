import type { Field, FieldKind } from "./model.ts"

/** How a database writes what the generated statements need. */
export interface SqlDialect {
  /** The name of the file, without `.sql`. */
  readonly name: string
  readonly title: string
  readonly types: Readonly<Record<FieldKind, string>>
  /** The type of a text that is a key. */
  readonly key: string
  quote(name: string): string
  /** Writes the parameter of this number. The body of a response is the first. */
  parameter(number: 1 | 2 | 3): string
  /** Returns the source of rows `r` from a JSON body, for the part that the path leads to. */
  rows(fields: readonly Field[], part: string | undefined): string
  /** Returns the value of a field of such a row. */
  value(field: Field): string
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

/** Writes a path of JSON: `$."firstName"`. */
function pathTo(name: string): string {
  return `$.${JSON.stringify(name)}`
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
  key: "text",
  quote: double,
  parameter: (number) => `$${number}`,
  rows(fields, part) {
    const body = `$1::jsonb${part === undefined ? "" : ` -> ${literal(part)}`}`
    const columns = fields.map(({ name, kind }) => `${double(name)} ${this.types[kind]}`)
    return `jsonb_to_recordset(${body}) as r(${columns.join(", ")})`
  },
  value: ({ name }) => `r.${double(name)}`,
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
  key: "text",
  quote: double,
  parameter: (number) => `?${number}`,
  rows: (_fields, part) =>
    `json_each(?1${part === undefined ? "" : `, ${literal(pathTo(part))}`}) as r`,
  value({ name, kind }) {
    const path = literal(pathTo(name))
    return kind === "json" ? `nullif(r.value -> ${path}, 'null')` : `r.value ->> ${path}`
  },
  // Without "where true", the parser takes "on" for part of the join.
  replace: (keys, columns) => `where true\n${onConflict(keys, columns)}`,
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
  key: "varchar",
  quote: double,
  parameter: (number) => `$${number}`,
  rows(fields, part) {
    const shape = Object.fromEntries(
      fields.map(({ name, kind }) => [name, this.types[kind].toUpperCase()]),
    )
    const body = part === undefined
      ? "$1::json"
      : `json_extract($1::json, ${literal(pathTo(part))})`
    const rows = `from_json(${body}, ${literal(JSON.stringify([shape]))})`
    return `(select unnest(${rows}) as r)`
  },
  value: ({ name, kind }) =>
    kind === "json" ? `nullif(r.${double(name)}, 'null')` : `r.${double(name)}`,
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
  key: "varchar(255)",
  quote: backtick,
  parameter: () => "?",
  rows(fields, part) {
    const columns = fields.map(({ name, kind }) =>
      `${backtick(name)} ${this.types[kind]} path ${mysqlLiteral(pathTo(name))}`
    )
    const path = `$${part === undefined ? "" : `.${JSON.stringify(part)}`}[*]`
    return `json_table(?, ${mysqlLiteral(path)} columns (\n  ${columns.join(",\n  ")}\n)) as r`
  },
  value({ name, kind }) {
    const value = `r.${backtick(name)}`
    return kind === "json" ? `nullif(${value}, cast('null' as json))` : value
  },
  replace(_keys, columns) {
    const changes = columns.map((name) => `${backtick(name)} = values(${backtick(name)})`)
    // Else the parser takes "on" for part of a join, as the parser of SQLite does.
    return `where true\non duplicate key update\n  ${changes.join(",\n  ")}`
  },
}

/** The databases that there is a file of statements for. */
export const dialects: readonly SqlDialect[] = [mysql, postgresql, sqlite, duckdb]
