import type { Kysely } from "kysely"
import type { Dialect } from "../dialect.ts"
import { addColumns } from "./add-columns.ts"

/** Adds whether an account may only look at the console. */
export async function up(db: Kysely<unknown>, { types }: Dialect): Promise<void> {
  await addColumns(db, "account", { viewer: types.flag }, (column) => column.notNull().defaultTo(0))
}
