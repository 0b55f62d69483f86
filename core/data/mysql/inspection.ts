import { type RawBuilder, sql } from "kysely"
import type { Inspection, Trigger } from "../dialect.ts"
import type { Privilege } from "../table.ts"

/** Inspects MySQL and MariaDB. They check the privileges of a statement that is only explained, too. */
export const mysqlInspection: Inspection = {
  isOpenToOthers: () => false,
  async findDenied(db, tables) {
    const denied: string[] = []
    for (const [table, { privileges, columns }] of Object.entries(tables)) {
      for (const privilege of privileges) {
        const { words, probe } = probes[privilege]
        const error = await errorOf(probe(table, Object.keys(columns)).execute(db))
        if (refusals.has(error?.code)) denied.push(`${words} ${table}`)
      }
    }
    return denied
  },
  async findMissingTriggers(db, expected) {
    const { rows } = await sql<Trigger>`
      select trigger_name as name, event_object_table as ${sql.ref("table")}
      from information_schema.triggers where trigger_schema = database()`.execute(db)
    const visible = new Set(rows.map(({ name, table }) => `${name} ${table}`))
    const missing: Trigger[] = []
    for (const trigger of expected) {
      const { name, table } = trigger
      if (visible.has(`${name} ${table}`)) continue
      // Without the privilege TRIGGER one sees no trigger, but learns whether there is one of a name.
      const error = await errorOf(sql`show create trigger ${sql.table(name)}`.execute(db))
      if (error?.code === "ER_SPECIFIC_ACCESS_DENIED_ERROR") continue
      if (error && error.code !== "ER_TRG_DOES_NOT_EXIST") throw error
      missing.push(trigger)
    }
    return missing
  },
}

/** Statements that need one privilege, and the privilege in words. */
const probes: Readonly<
  Record<Privilege, {
    readonly words: string
    readonly probe: (table: string, columns: readonly string[]) => RawBuilder<unknown>
  }>
> = {
  select: {
    words: "select from",
    probe: (table, columns) =>
      sql`select ${sql.join(columns.map((name) => sql.ref(name)))} from ${
        sql.table(table)
      } where false`,
  },
  insert: {
    words: "insert into",
    probe: (table) => sql`explain insert into ${sql.table(table)} () values ()`,
  },
  update: {
    words: "update",
    probe: (table, [column = ""]) =>
      sql`explain update ${sql.table(table)} set ${sql.ref(column)} = ${
        sql.ref(column)
      } where false`,
  },
  delete: {
    words: "delete from",
    probe: (table) => sql`explain delete from ${sql.table(table)} where false`,
  },
}

/** The last one is that of a view whose definer may not read its tables. */
const refusals = new Set<unknown>([
  "ER_TABLEACCESS_DENIED_ERROR",
  "ER_COLUMNACCESS_DENIED_ERROR",
  "ER_DBACCESS_DENIED_ERROR",
  "ER_VIEW_INVALID",
])

type DriverError = Error & { readonly code?: unknown }

/** Returns the error that a statement ends with; undefined if it succeeds. */
async function errorOf(
  running: Promise<unknown>,
): Promise<{ readonly code?: unknown } | undefined> {
  try {
    await running
    return undefined
  } catch (error) {
    return error as DriverError
  }
}
