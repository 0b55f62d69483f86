import type { Kysely } from "kysely"
import type { Dialect } from "../dialect.ts"
import { addColumns } from "./add-columns.ts"

/** How long a counter of failed log-ins keeps further attempts waiting. */
export async function up(db: Kysely<unknown>, { types }: Dialect): Promise<void> {
  await addColumns(db, "rate_limit", { blocked_until: types.seconds })
}
