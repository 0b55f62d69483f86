import type { Selectable } from "kysely"
import { sql } from "kysely"
import t from "tap"
import { findMissing, findUnusable } from "../../../core/data/check-tables.ts"
import { migrate } from "../../../core/data/migrate.ts"
import type { Schema } from "../../../core/data/schema.ts"
import { loggedTables } from "../../../core/data/triggers.ts"
import type { recordTables } from "../../../core/data/record-tables.ts"
import type { Field } from "../../../core/records/fields.ts"
import type { event } from "../../../core/records/kinds/event.ts"
import type { address, guest } from "../../../core/records/kinds/guest.ts"
import type { itemKinds } from "../../../core/records/kinds/items.ts"
import { tablesOf } from "../../../core/data/storage.ts"
import { allStorages } from "../../support/storages.ts"
import { findUnloggedViews } from "../../../core/records/tables.ts"
import { freshUrl, onEveryEngine, openFor } from "../../support/database.ts"

const tables = tablesOf(allStorages)

type Records =
  | typeof event
  | typeof guest
  | typeof address
  | (typeof itemKinds)[keyof typeof itemKinds]

/** The path of each column that a record declares, with the type of its stored value. */
type DeclarationColumns = {
  [R in Records as R["table"]]: {
    [F in R["fields"][keyof R["fields"]] as PathIn<R["table"], F>]: F extends
      Field<infer Value, string> ? Value : never
  }
}

/** `guest.first_name` for `record.first_name`; never for an object, which has several columns. */
type PathIn<Table extends string, F> = F extends Field<unknown, infer Path>
  ? Path extends `record.${infer Column}` ? `${Table}.${Column}`
  : Path extends `${string}.${string}` ? Path
  : never
  : never

type RecordColumns = Union<DeclarationColumns[keyof DeclarationColumns]>
type Union<T> = {
  [K in T extends T ? keyof T : never]: T extends { [P in K]: infer V } ? V : never
}

/** The columns of the schema's records, without keys, stamps and versions. */
type SchemaColumns = {
  [P in SchemaPath]: P extends `${infer T extends keyof Schema}.${infer C}`
    ? C extends keyof Selectable<Schema[T]> ? Selectable<Schema[T]>[C] : never
    : never
}
type RecordTable = keyof typeof recordTables
/** Columns that no field is read from: queries join tables by them, or nobody reads them. */
interface Keys {
  organization: "id" | "slug" | "name" | "created" | "updated"
  event: "organization_id"
  consent: "event_id" | "guest_id"
  address: "event_id" | "guest_id" | "kind"
}
type SchemaPath = {
  [T in RecordTable]: `${T}.${Exclude<keyof Schema[T] & string, Key<T> | "export_version">}`
}[RecordTable]
type Key<T> = T extends keyof Keys ? Keys[T] : never

/** The paths that differ between two sets of columns. */
type Difference<A, B> =
  | Exclude<keyof A, keyof B>
  | Exclude<keyof B, keyof A>
  | { [P in keyof A & keyof B]: Same<A[P], B[P]> extends true ? never : P }[keyof A & keyof B]
type Same<A, B> = [A] extends [B] ? [B] extends [A] ? true : false : false

t.test("the schema and the declarations of records have the same columns with the same types", (t) => {
  // A compile error here names the columns that differ, or that only one of the two has.
  const differences: readonly Difference<Omit<RecordColumns, "latest.changed">, SchemaColumns>[] =
    []
  const none: readonly never[] = differences
  t.strictSame(none, [])
  t.end()
})

/** Columns that the database computes: nobody writes them. */
const computed = ["sync_state.watched", "sync_state.acknowledged_hour"]

await onEveryEngine(t, async (t, engine) => {
  const database = await openFor(t, await freshUrl(t, engine))
  await migrate(database)

  await t.test("the tables of the migrations have all required columns, with the right types", async (t) => {
    t.strictSame(await findMissing(database), [])
    t.strictSame(await findUnusable(database), [])
  })

  await t.test("the declarations have every column of the migrations", async (t) => {
    const found = await database.writer.introspection.getTables()
    t.strictSame(
      found.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`))
        .filter((name) => !computed.includes(name)).sort(),
      Object.entries(tables).flatMap(([name, { columns }]) =>
        Object.keys(columns).map((column) => `${name}.${column}`)
      ).sort(),
    )
  })

  await t.test("views need no column that the service does not read", (t) => {
    const unread = Object.entries(tables).flatMap(([name, { columns }]) =>
      Object.keys(columns).flatMap((column) =>
        columns[column]?.isUnread ? [`${name}.${column}`] : []
      )
    )
    const stamps = ["organization", "account"].flatMap((table) => [
      `${table}.created`,
      `${table}.updated`,
    ])
    const versions = Object.keys(loggedTables).map((table) => `${table}.export_version`)
    t.strictSame(unread.sort(), ["access_grant.created", ...stamps, ...versions].sort())
    t.end()
  })

  await t.test("a column is nullable exactly if its field is", async (t) => {
    const { recordTypes } = await import("../../../core/records/categories.ts")
    const metadata = await database.writer.introspection.getTables()
    for (const { table: name, fields } of recordTypes.values()) {
      const table = metadata.find((each) => each.name === name)
      for (const { relation, column, isNullable } of Object.values(fields)) {
        if (relation !== "record" || !table) continue
        const found = table.columns.find((each) => each.name === column)
        t.equal(found?.isNullable, isNullable, `${name}.${column}`)
      }
    }
  })

  await t.test("a view in the place of any table that records are read from is found", async (t) => {
    const { writer } = database
    const settings = { url: "", connections: 1, time_limit: 1 }
    const find = (own_triggers = false) =>
      findUnloggedViews(database, { database: { ...settings, own_triggers } })
    t.strictSame(await find(), [])
    for (const table of ["address", "consent", "ticket"] as const) {
      await writer.schema.alterTable(table).renameTo(`own_${table}`).execute()
      await writer.schema.createView(table)
        .as(writer.selectFrom(sql`${sql.table(`own_${table}`)}`.as("own")).selectAll()).execute()
      t.ok((await find()).includes(table), table)
    }
    t.strictSame(await find(true), [], "the operator's own triggers log the changes")
  })
})
