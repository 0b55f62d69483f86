import { type RawBuilder, sql } from "kysely"
import type { TriggerSyntax } from "../dialect.ts"

/** The triggers in the syntax of MySQL and MariaDB. */
export const mysqlTriggers: TriggerSyntax = {
  record: (table, category) => [
    before(
      table,
      "update",
      `if new.event_id <> old.event_id or new.id <> old.id then
         signal sqlstate '45000' set message_text = '${table}: event_id and id never change: delete and insert';
       end if;
       ${moveOn}`,
    ),
    ...(["insert", "update", "delete"] as const).map((operation) =>
      sql.raw(
        `create trigger if not exists ${table}_log_${operation} after ${operation} on ${table} for each row
         insert into change_log (event_id, category, record_id, operation, updated, at)
         values (${rowOf(operation)}.event_id, '${category}', ${
          rowOf(operation)
        }.id, '${operation}',
           ${rowOf(operation)}.updated, unix_timestamp())`,
      )
    ),
  ],
  stamp: (table) => [before(table, "update", moveOn)],
  // Before, not after: this locks the guest's row for writing before the foreign key locks it for
  // reading. In the other order two writers of one guest would deadlock.
  touchGuest: (table) => [
    before(table, "insert", touch("new")),
    before(
      table,
      "update",
      `${touch("old")} if new.guest_id <> old.guest_id then ${touch("new")} end if;`,
    ),
    before(table, "delete", touch("old")),
  ],
}

const moveOn =
  `set new.updated = greatest(old.updated, if(new.updated = old.updated, unix_timestamp(), new.updated));`

function touch(row: "new" | "old"): string {
  return `update guest set updated = greatest(updated, unix_timestamp())
    where event_id = ${row}.event_id and id = ${row}.guest_id;`
}

function before(table: string, operation: string, body: string): RawBuilder<unknown> {
  return sql.raw(
    `create trigger if not exists ${table}_before_${operation} before ${operation} on ${table} for each row
     begin ${body} end`,
  )
}

function rowOf(operation: "insert" | "update" | "delete"): "new" | "old" {
  return operation === "delete" ? "old" : "new"
}
