import { type RawBuilder, sql } from "kysely"
import type { TriggerSyntax } from "../dialect.ts"

/**
 * The triggers in the syntax of SQLite. A trigger cannot assign to `new` there, so a second update
 * stamps the row; triggers do not fire themselves (`recursive_triggers` is off).
 */
export const sqliteTriggers: TriggerSyntax = {
  record: (table, category) => [
    trigger(
      table,
      "before update",
      `select raise(abort, '${table}: event_id and id never change: delete and insert')
       where new.event_id <> old.event_id or new.id <> old.id;`,
    ),
    trigger(table, "after insert", log(category, "insert", "new", "new.updated")),
    trigger(
      table,
      "after update",
      `update ${table} set updated = ${movedOn} where event_id = new.event_id and id = new.id;
       ${log(category, "update", "new", movedOn)}`,
    ),
    trigger(table, "after delete", log(category, "delete", "old", "old.updated")),
  ],
  stamp: (table) => [
    trigger(table, "after update", `update ${table} set updated = ${movedOn} where id = new.id;`),
  ],
  touchGuest: (table) => [
    trigger(table, "after insert", touch("new")),
    trigger(table, "after update", touch("old") + touch("new", "new.guest_id <> old.guest_id")),
    trigger(table, "after delete", touch("old")),
  ],
}

const movedOn =
  "max(old.updated, case when new.updated = old.updated then unixepoch() else new.updated end)"

function touch(row: "new" | "old", condition = "true"): string {
  return `update guest set updated = max(updated, unixepoch())
    where event_id = ${row}.event_id and id = ${row}.guest_id and ${condition};`
}

function log(category: string, operation: string, row: "new" | "old", updated: string): string {
  return `insert into change_log (event_id, category, record_id, operation, updated, at)
    values (${row}.event_id, '${category}', ${row}.id, '${operation}', ${updated}, unixepoch());`
}

function trigger(table: string, when: string, body: string): RawBuilder<unknown> {
  const name = `${table}_${when.replace(" ", "_")}`
  return sql.raw(
    `create trigger if not exists ${name} ${when} on ${table} for each row begin ${body} end`,
  )
}
