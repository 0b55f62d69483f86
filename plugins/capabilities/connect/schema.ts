import { allRows, currentSchema, type SourceName, type SourceReader } from "./sources/source.ts"
import { plainText } from "./values.ts"

/** A table of a source. */
export interface SourceTable {
  readonly name: string
  readonly columns: readonly SourceColumn[]
  /** The columns of the primary key. */
  readonly key: readonly string[]
  readonly references: readonly SourceReference[]
}

export interface SourceColumn {
  readonly name: string
  /** As the database writes it, in lower case. */
  readonly type: string
  readonly isNullable: boolean
}

/** A foreign key of one column. */
export interface SourceReference {
  readonly column: string
  readonly table: string
  readonly to: string
}

/** Reads the tables of a source: the current schema only. @throws as the source does. */
export async function readSchema(
  name: SourceName,
  reader: SourceReader,
): Promise<readonly SourceTable[]> {
  const read = async (sql: string) => (await allRows(reader, sql)).map((row) => row.map(plainText))
  const { columns, keys, references } = queries[name]
  const tables = new Map<
    string,
    { columns: SourceColumn[]; key: string[]; references: SourceReference[] }
  >()
  for (const [table = "", column = "", type = "", nullable] of await read(columns)) {
    const found = tables.get(table) ?? { columns: [], key: [], references: [] }
    tables.set(table, found)
    found.columns.push({
      name: column,
      type: type.toLowerCase(),
      isNullable: nullable === "YES" || nullable === "0",
    })
  }
  for (const [table = "", column = ""] of await read(keys)) tables.get(table)?.key.push(column)
  for (const [table = "", column = "", other = "", to = ""] of await read(references)) {
    tables.get(table)?.references.push({ column, table: other, to })
  }
  return [...tables].map(([name, table]) => ({ name, ...table }))
}

interface Queries {
  /** Table, column, type, and whether it may be null. */
  readonly columns: string
  /** Table and column of primary keys. */
  readonly keys: string
  /** Table and column, and what they refer to. */
  readonly references: string
}

/** Returns the queries of a database with `information_schema`, which differ in little. */
function standardQueries(
  schema: string,
  { type, references }: { readonly type: string; readonly references: string },
): Queries {
  return {
    columns: `
      select c.table_name, c.column_name, c.${type}, c.is_nullable from information_schema.columns c
      join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
      where c.table_schema = ${schema} and t.table_type = 'BASE TABLE' order by c.table_name, c.ordinal_position`,
    keys: `
      select tc.table_name, kcu.column_name from information_schema.table_constraints tc
      join information_schema.key_column_usage kcu
        on kcu.constraint_schema = tc.constraint_schema and kcu.constraint_name = tc.constraint_name
        and kcu.table_name = tc.table_name
      where tc.constraint_type = 'PRIMARY KEY' and tc.table_schema = ${schema}
      order by tc.table_name, kcu.ordinal_position`,
    references,
  }
}

const queries: Readonly<Record<SourceName, Queries>> = {
  mysql: standardQueries(currentSchema.mysql, {
    type: "column_type",
    references: `
      select table_name, column_name, referenced_table_name, referenced_column_name
      from information_schema.key_column_usage
      where table_schema = ${currentSchema.mysql} and referenced_table_name is not null`,
  }),
  postgres: standardQueries(currentSchema.postgres, {
    type: "data_type",
    references: `
      select kcu.table_name, kcu.column_name, ccu.table_name, ccu.column_name
      from information_schema.table_constraints tc
      join information_schema.key_column_usage kcu on kcu.constraint_name = tc.constraint_name
        and kcu.constraint_schema = tc.constraint_schema
      join information_schema.constraint_column_usage ccu on ccu.constraint_name = tc.constraint_name
        and ccu.constraint_schema = tc.constraint_schema
      where tc.constraint_type = 'FOREIGN KEY' and tc.table_schema = ${currentSchema.postgres}`,
  }),
  sqlite: {
    columns:
      `select m.name, p.name, p.type, p."notnull" from sqlite_schema m, pragma_table_info(m.name) p
      where m.type = 'table' and m.name not like 'sqlite_%' order by m.name, p.cid`,
    keys: `select m.name, p.name from sqlite_schema m, pragma_table_info(m.name) p
      where m.type = 'table' and p.pk > 0 order by m.name, p.pk`,
    references: `select m.name, p."from", p."table", coalesce(p."to", 'id')
      from sqlite_schema m, pragma_foreign_key_list(m.name) p where m.type = 'table'`,
  },
}
