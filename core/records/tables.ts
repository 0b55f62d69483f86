import type { Config } from "../config/read.ts"
import type { Database } from "../data/database.ts"
import { serviceTables } from "../data/service-tables.ts"
import type { ColumnKind, Table, Tables } from "../data/table.ts"
import { loggedTables, trackedTables } from "../data/triggers.ts"
import type { Kind } from "./fields.ts"
import { event } from "./kinds/event.ts"
import { address, guest } from "./kinds/guest.ts"
import { itemKinds } from "./kinds/items.ts"
import type { RecordType } from "./record-type.ts"

/** Every kind of record that has a table of its own. */
const stored: readonly RecordType[] = [event, guest, address, ...Object.values(itemKinds)]

/** Columns that no field is read from: queries join tables by them. */
export const keys = {
  organization: { id: "text", slug: "text", name: "text" },
  event: { organization_id: "text" },
  consent: { event_id: "text", guest_id: "text" },
  address: { event_id: "text", guest_id: "text", kind: "text" },
} as const satisfies Readonly<Record<string, Table["columns"]>>

/** The tables of the records. Serving only reads them. */
const recordTables: Tables = Object.fromEntries(
  [...columnsByTable()].map(([table, columns]) => [table, { columns, privileges: ["select"] }]),
)

/** All tables that the service needs. */
export const tables: Tables = { ...recordTables, ...serviceTables }

/**
 * Returns the views in the place of tables whose changes should be logged: views have no triggers. Returns none
 * if the operator's own triggers log the changes.
 */
export async function findUnloggedViews(
  { writer }: Database,
  { database: { own_triggers } }: Pick<Config, "database">,
): Promise<string[]> {
  if (own_triggers) return []
  const found = await writer.introspection.getTables()
  const views = found.filter(({ isView }) => isView).map(({ name }) => name)
  return views.filter((name) => trackedTables.includes(name))
}

/** Returns true if every record has a version: views may lack them. */
export async function haveVersions({ writer }: Database): Promise<boolean> {
  const found = await writer.introspection.getTables()
  const versioned = found.filter(({ columns }) =>
    columns.some(({ name }) => name === "export_version")
  )
  return Object.keys(loggedTables).every((table) => versioned.some(({ name }) => name === table))
}

/** By table, the columns that the fields of all records are read from, behind the keys. */
function columnsByTable(): Map<string, Record<string, ColumnKind>> {
  const found = new Map<string, Record<string, ColumnKind>>([["organization", keys.organization]])
  for (const { table = "", fields } of stored) {
    for (const { relation, column, kind, record, isComputed } of Object.values(fields)) {
      if (record || isComputed) continue
      const name = relation === "record" ? table : relation
      const columns = found.get(name) ?? { ...(keys as Readonly<Record<string, object>>)[name] }
      found.set(name, { ...columns, [column]: columnKind(kind) })
    }
  }
  return found
}

function columnKind(kind: Kind): ColumnKind {
  return kind === "number" || kind === "flag" ? "number" : "text"
}
