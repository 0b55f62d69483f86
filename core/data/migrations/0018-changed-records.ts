import type { ColumnBuilderCallback, Kysely } from "kysely"
import type { Dialect } from "../dialect.ts"
import { addColumns } from "./add-columns.ts"

/** Lets the log say which record has changed. Rows of before do not: anything may have changed then. */
export async function up(db: Kysely<unknown>, { types }: Dialect): Promise<void> {
  await addColumns(db, "event_change", { category: types.slug, record_id: types.id })
  const isZero: ColumnBuilderCallback = (column) => column.notNull().defaultTo(0)
  await addColumns(db, "event_change", { deleted: types.flag }, isZero)
}
