import type { Database } from "./database.ts"
import { migrationState } from "./migration-state.ts"
import type { ColumnKind, Tables } from "./table.ts"

/**
 * Lists what the database lacks: tables (or views) as `guest`, columns as `guest.mobile`, and, if it
 * was made by migrations, those that are pending.
 */
export async function findMissing(database: Database, needed: Tables): Promise<string[]> {
  const tables = await database.writer.introspection.getTables()
  const found = new Map(
    tables.map((table) => [table.name, new Set(table.columns.map((column) => column.name))]),
  )
  const missing = Object.entries(needed).flatMap(([table, { columns }]) => {
    const existing = found.get(table)
    return existing
      ? Object.keys(columns).filter((name) => !existing.has(name)).map((name) => `${table}.${name}`)
      : [table]
  })
  const { applied, pending } = await migrationState(database)
  return applied.length > 0 ? [...pending.map((name) => `migration ${name}`), ...missing] : missing
}

/**
 * Describes the columns that cannot be read because they have another type than the service expects:
 * a `datetime` instead of Unix seconds, say. Accepts two types that views produce: none, for a
 * computed column on SQLite, and binary, for `null` on MySQL (but not for an id).
 */
export async function findUnusable({ writer }: Database, needed: Tables): Promise<string[]> {
  const tables = await writer.introspection.getTables()
  return tables.flatMap(({ name: table, columns }) =>
    columns.flatMap(({ name, dataType }) => {
      const kind = needed[table]?.columns[name]
      if (kind === undefined || passes(kind, name, dataType)) return []
      const wanted = kind === "number" ? "a number" : "text"
      return [`${table}.${name} is ${dataType}, and must be ${wanted}`]
    })
  )
}

const types: Readonly<Record<ColumnKind, RegExp>> = {
  number: /^(tiny|small|medium|big)?int(eger)?$|^decimal$|^numeric$|^real$|^double$|^float$/i,
  text: /^(var)?char$|^(tiny|medium|long)?text$|^json$|^enum$|^set$/i,
}

function passes(kind: ColumnKind, column: string, type: string): boolean {
  if (type === "") return true
  const isKey = /^(id|(event|guest|organization|account)_id)$/.test(column)
  if (/^(var)?binary$/.test(type) && !isKey) return true
  return types[kind].test(type.replace(/\(.*$/, ""))
}
