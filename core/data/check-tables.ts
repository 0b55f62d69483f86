import type { Database } from "./database.ts"
import { migrationState } from "./migration-state.ts"
import { tablesOf } from "./storage.ts"
import { type ColumnKind, columnsRead } from "./table.ts"

/**
 * Lists what the database lacks: tables (or views) as `guest`, columns as `guest.mobile`, and, if migrations made it,
 * pending ones.
 */
export async function findMissing(database: Database): Promise<string[]> {
  const tables = await database.writer.introspection.getTables()
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
  const { applied, pending } = await migrationState(database)
  return applied.length > 0 ? [...pending.map((name) => `migration ${name}`), ...missing] : missing
}

/**
 * Describes the columns that cannot be read because they have another type than the service expects:
 * a `datetime` instead of Unix seconds, say. Accepts what views compute from `null` (but not for an id), and on SQLite
 * columns without a type.
 */
export async function findUnusable({ writer, storages, dialect }: Database): Promise<string[]> {
  const needed = tablesOf(storages)
  const tables = await writer.introspection.getTables()
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
