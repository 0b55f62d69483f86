import type { Kysely } from "kysely"
import type { Dialect } from "../dialect.ts"
import { createAccounts } from "./baseline/accounts.ts"
import { createChangeLog } from "./baseline/change-log.ts"
import { createRecords } from "./baseline/records.ts"

/** The kernel's tables as version 1.1 had them. `migrate` creates the triggers once all tables are there. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await createRecords(db, dialect)
  await createAccounts(db, dialect)
  await createChangeLog(db, dialect)
}
