import type { InsertQueryBuilder, InsertResult } from "kysely"
import type { UpdateObject } from "kysely"
import type { Dialect } from "./dialect.ts"
import type { Schema } from "./schema.ts"

/** Has an insert change the row with the same primary key, where there is one. */
export function orUpdate<Table extends keyof Schema>(
  { name }: Dialect,
  insert: InsertQueryBuilder<Schema, Table, InsertResult>,
  key: keyof Schema[Table] & string,
  changes: UpdateObject<Schema, Table, Table>,
): InsertQueryBuilder<Schema, Table, InsertResult> {
  return name === "mysql"
    ? insert.onDuplicateKeyUpdate(changes)
    : insert.onConflict((conflict) => conflict.column(key as never).doUpdateSet(changes as never))
}
