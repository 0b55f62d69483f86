import type { Kysely, TableMetadata } from "kysely"
import { sql } from "kysely"
import type { Database } from "../../core/data/database.ts"
import type { Schema } from "../../core/data/schema.ts"

/** What a version of the service relies on in a database. */
export interface Structure {
  readonly tables: readonly Pick<TableMetadata, "name" | "columns">[]
  /** Unique indexes, as `table(column,column)`, by which a database may refuse a row. */
  readonly unique: readonly string[]
  /** Names of triggers with their tables. */
  readonly triggers: readonly string[]
}

export async function structureOf({ migrator, dialect }: Database): Promise<Structure> {
  const list = async (query: ReturnType<typeof sql<{ text: string }>>) =>
    (await query.execute(migrator)).rows.map(({ text }) => text).sort()
  const found = await migrator.introspection.getTables()
  const tables = found.map(({ name, columns }) => ({ name, columns }))
  return dialect.name === "sqlite"
    ? {
      tables,
      unique: await list(sql`
        select m.name || '(' || (select group_concat(i.name) from pragma_index_info(l.name) i) || ')' as text
        from sqlite_schema m, pragma_index_list(m.name) l where m.type = 'table' and l."unique"`),
      triggers: await list(sql`
        select name || ' on ' || tbl_name as text from sqlite_schema where type = 'trigger'`),
    }
    : {
      tables,
      unique: await list(sql`
        select concat(table_name, '(', group_concat(column_name order by seq_in_index), ')') as text
        from information_schema.statistics where table_schema = database() and not non_unique
        group by table_name, index_name`),
      triggers: await list(sql`
        select concat(trigger_name, ' on ', event_object_table) as text
        from information_schema.triggers where trigger_schema = database()`),
    }
}

/** Returns all that defines the tables and triggers of a database, columns in their order, as texts by name. */
export async function definitionsOf(
  { migrator, dialect }: Database,
): Promise<Record<string, string>> {
  const read = dialect.name === "sqlite" ? sqliteDefinitions : mysqlDefinitions
  const definitions = await read(migrator)
  return Object.fromEntries(
    // MySQL names another character set of the texts in a check once the table has been altered.
    definitions.map(([name, text]) => [
      name,
      text.replaceAll(/\s+/g, " ").replaceAll(/\b_(ascii|utf8mb4)'/g, "'"),
    ]).sort(),
  )
}

async function mysqlDefinitions(db: Kysely<Schema>): Promise<[name: string, text: string][]> {
  const { rows: triggers } = await sql<{ name: string; text: string }>`
    select trigger_name as name,
      concat(action_timing, event_manipulation, event_object_table, action_statement) as text
    from information_schema.triggers where trigger_schema = database()`.execute(db)
  const tables = await db.introspection.getTables()
  const created = await Promise.all(tables.map(async ({ name }): Promise<[string, string]> => {
    const { rows: [row] } = await sql<{ "Create Table": string }>`show create table ${
      sql.table(name)
    }`.execute(db)
    return [name, String(row?.["Create Table"]).replace(/ AUTO_INCREMENT=\d+/, "")]
  }))
  return [...created, ...triggers.map(({ name, text }): [string, string] => [name, text])]
}

/** A column that was added later stands behind the constraints there. */
async function sqliteDefinitions(db: Kysely<Schema>): Promise<[name: string, text: string][]> {
  const { rows } = await sql<{ name: string; text: string }>`
    select name, sql as text from sqlite_schema where sql is not null and type <> 'table'`.execute(
    db,
  )
  const columns = await sql<{ name: string; text: string }>`
    select m.name, group_concat(c.name || ' ' || c.type || ' ' || c."notnull" || ' ' ||
      coalesce(c.dflt_value, '') || ' ' || c.pk, ', ') as text
    from sqlite_schema m, pragma_table_xinfo(m.name) c where m.type = 'table' group by m.name`
    .execute(db)
  const keys = await sql<{ name: string; text: string }>`
    select m.name || ' keys' as name, group_concat(k."from" || k."table" || k."to" || k.on_delete) as text
    from sqlite_schema m, pragma_foreign_key_list(m.name) k where m.type = 'table' group by m.name`
    .execute(db)
  const tables = await sql<{ name: string; text: string }>`
    select name || ' checks' as name, sql as text from sqlite_schema where type = 'table'`.execute(
    db,
  )
  const checks = tables.rows.map(({ name, text }) => ({
    name,
    text: (text.match(/constraint "\w+" check .*?(?=, constraint|\)$)/g) ?? []).join(),
  }))
  return [...rows, ...columns.rows, ...keys.rows, ...checks].map(({ name, text }) => [name, text])
}

/**
 * Returns why processes of the version before cannot go on after a migration, a sentence each. A migration expands:
 * it takes nothing away that the version before reads, and demands nothing that it does not write.
 */
export function contractions(before: Structure, now: Structure): string[] {
  const former = new Map(before.tables.map((table) => [table.name, table]))
  return [
    ...before.tables.flatMap(({ name, columns }) => {
      const table = now.tables.find((each) => each.name === name)
      if (!table) return [`the table ${name} is gone`]
      return columns.flatMap((column) => {
        const present = table.columns.find((each) => each.name === column.name)
        const at = `${name}.${column.name}`
        if (!present) return [`${at} is gone`]
        return [
          ...typeOf(present.dataType) === typeOf(column.dataType)
            ? []
            : [`${at} was ${column.dataType}, and is ${present.dataType}`],
          ...column.isNullable && !present.isNullable ? [`${at} may not be null any more`] : [],
          ...column.hasDefaultValue && !present.hasDefaultValue
            ? [`${at} has no default any more`]
            : [],
        ]
      })
    }),
    ...now.tables.flatMap(({ name, columns }) => {
      const known = new Set(former.get(name)?.columns.map((column) => column.name))
      return columns.filter((column) =>
        known.size > 0 && !known.has(column.name) && !column.isNullable &&
        !column.hasDefaultValue &&
        !column.isAutoIncrementing
      ).map((column) => `${name}.${column.name} is new, and needs a value`)
    }),
    ...now.unique.filter((index) => !before.unique.includes(index))
      .filter((index) => former.has(index.replace(/\(.*/, "")))
      .map((index) => `${index} is unique now`),
    ...before.triggers.filter((trigger) => !now.triggers.includes(trigger))
      .map((trigger) => `the trigger ${trigger} is gone`),
  ]
}

/** MySQL and SQLite write types in several ways; a wider text is no other type. */
function typeOf(type: string): string {
  return type.toLowerCase().replace(/\(.*\)/, "").replace(
    /^(var|)char$|^(tiny|medium|long|)text$/,
    "text",
  )
    .replace(/^(tiny|small|medium|big|)int(eger)?$/, "integer")
}
