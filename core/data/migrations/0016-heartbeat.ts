import type { Kysely } from "kysely"
import type { Dialect } from "../dialect.ts"
import { addColumns } from "./add-columns.ts"

/**
 * Adds the watermark to the row that says how far the log is settled, and one that is older. With the row's `clock` it
 * is a heartbeat, which is copied to other servers like any data. They are null until a service has written
 * them, and so is the server that wrote them. Also adds the server on which a
 * table was made at that time: on the others it was made at another one.
 */
export async function up(db: Kysely<unknown>, { types }: Dialect): Promise<void> {
  await addColumns(db, "change_state", {
    watermark: types.long,
    floor: types.long,
    server: types.slug,
  })
  await addColumns(db, "watched_table", { server: types.slug })
}
