import type { Database } from "./database.ts"
import { migrationState, readTables, type Tables } from "./migration-state.ts"
import { tablesOf } from "./storage.ts"
import { type ColumnKind, columnsRead } from "./table.ts"

/**
 * Lists what the database lacks: tables (or views) as `guest`, columns as `guest.mobile`, and, if migrations made it,
 * pending ones. Without `tables`, it reads them.
 */
export async function findMissing(database: Database, found?: Tables): Promise<string[]> {
  const tables = found ?? await readTables(database.writer)
  const present = new Map(
    tables.map((table) => [table.name, new Set(table.columns.map((column) => column.name))]),
  )
  const missing = Object.entries(tablesOf(database.storages)).flatMap(([name, table]) => {
    const existing = present.get(name)
    return existing
      ? columnsRead(table).filter((column) => !existing.has(column)).map((column) =>
        `${name}.${column}`
      )
      : [name]
  })
  const { applied, pending } = await migrationState(database, tables)
  return applied.length > 0 ? [...pending.map((name) => `migration ${name}`), ...missing] : missing
}

/**
 * Describes the columns that cannot be read because they have another type than the service expects:
 * a `datetime` instead of Unix seconds, say. Accepts what views compute from `null` (but not for an id), and on SQLite
 * columns without a type. Without `tables`, it reads them.
 */
export async function findUnusable(
  { writer, storages, dialect }: Database,
  found?: Tables,
): Promise<string[]> {
  const needed = tablesOf(storages)
  const tables = found ?? await readTables(writer)
  const nulls = await dialect.inspection.findNulls(writer)
  return tables.flatMap(({ name: table, columns }) =>
    columns.flatMap(({ name, dataType }) => {
      const column = needed[table]?.columns[name]
      if (!column || column.isUnread || passes(column.kind, dataType)) return []
      if (column.kind !== "id" && nulls.has(`${table}.${name}`)) return []
      const wanted = textKinds.includes(column.kind) ? "text" : "a number"
      return [`${table}.${name} is ${dataType}, and must be ${wanted}`]
    })
  )
}

const text = /^(var)?char$|^(tiny|medium|long)?text$|^json$|^enum$|^set$/i
const number = /^(tiny|small|medium|big)?int(eger)?$|^decimal$|^numeric$|^real$|^double$|^float$/i

const textKinds: readonly ColumnKind[] = ["id", "slug", "text", "longText", "json"]

function passes(kind: ColumnKind, type: string): boolean {
  if (type === "") return true
  return (textKinds.includes(kind) ? text : number).test(type.replace(/\(.*$/, ""))
}
