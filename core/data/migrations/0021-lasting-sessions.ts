import type { Kysely } from "kysely"
import type { Dialect } from "../dialect.ts"
import { addColumns } from "./add-columns.ts"

/** Adds whether a session ends at its time only, however long nobody uses it. */
export async function up(db: Kysely<unknown>, { types }: Dialect): Promise<void> {
  await addColumns(
    db,
    "session",
    { lasting: types.flag },
    (column) => column.notNull().defaultTo(0),
  )
}
