import { allRows, type SourceName, type SourceReader } from "./sources/source.ts"
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

/** Reads the tables of a source that SQL can name without a schema. @throws as the source does. */
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

/** Tables that a user of Postgres may read without naming their schema: those on the `search_path`. */
const isVisible = (oid: string) =>
  `pg_table_is_visible(${oid}) and has_table_privilege(${oid}, 'select')`

const queries: Readonly<Record<SourceName, Queries>> = {
  mysql: {
    columns: `
      select c.table_name, c.column_name, c.column_type, c.is_nullable from information_schema.columns c
      join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
      where c.table_schema = database() and t.table_type = 'BASE TABLE' order by c.table_name, c.ordinal_position`,
    keys: `
      select table_name, column_name from information_schema.key_column_usage
      where table_schema = database() and constraint_name = 'PRIMARY' order by table_name, ordinal_position`,
    references: `
      select table_name, column_name, referenced_table_name, referenced_column_name
      from information_schema.key_column_usage
      where table_schema = database() and referenced_table_name is not null`,
  },
  // Its information_schema has constraints only for users who may do more than SELECT.
  postgres: {
    columns: `
      select c.relname, a.attname, case t.typtype when 'e' then 'enum'
        when 'd' then format_type(t.typbasetype, t.typtypmod) else format_type(a.atttypid, a.atttypmod) end,
        case when a.attnotnull then 'NO' else 'YES' end
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      join pg_type t on t.oid = a.atttypid
      where c.relkind in ('r', 'p') and c.relnamespace <> 'pg_catalog'::regnamespace and ${
      isVisible("c.oid")
    }
      order by c.relname, a.attnum`,
    keys: `
      select c.relname, a.attname from pg_constraint k join pg_class c on c.oid = k.conrelid
      cross join lateral unnest(k.conkey) with ordinality as own(attnum, place)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = own.attnum
      where k.contype = 'p' and ${isVisible("c.oid")} order by c.relname, own.place`,
    references: `
      select c.relname, a.attname, other.relname, b.attname
      from pg_constraint f join pg_class c on c.oid = f.conrelid join pg_class other on other.oid = f.confrelid
      cross join lateral unnest(f.conkey, f.confkey) as pair(own, its)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = pair.own
      join pg_attribute b on b.attrelid = other.oid and b.attnum = pair.its
      where f.contype = 'f' and ${isVisible("c.oid")} and ${isVisible("other.oid")}
      order by c.relname, pair.own`,
  },
  sqlite: {
    columns:
      `select m.name, p.name, p.type, p."notnull" from sqlite_schema m, pragma_table_info(m.name) p
      where m.type = 'table' and m.name not like 'sqlite_%' order by m.name, p.cid`,
    keys: `select m.name, p.name from sqlite_schema m, pragma_table_info(m.name) p
      where m.type = 'table' and p.pk > 0 order by m.name, p.pk`,
    // Without a column, a reference is to the primary key. The last one has the number 0.
    references: `select m.name, p."from", other.name,
        coalesce(p."to", (select name from pragma_table_info(other.name) where pk = p.seq + 1))
      from sqlite_schema m, pragma_foreign_key_list(m.name) p
      join sqlite_schema other on other.type = 'table' and other.name = p."table" collate nocase
      where m.type = 'table' order by m.name, p.id desc, p.seq`,
  },
}
