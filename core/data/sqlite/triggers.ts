import type { Trigger, TriggerSyntax } from "../dialect.ts"

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
    trigger(
      table,
      "after insert",
      `update ${table} set export_version = -1 - (${mark}) where event_id = new.event_id and id = new.id;
       ${keepStart(category, "min(new.updated, unixepoch())")}
       ${log("new.event_id")}`,
    ),
    trigger(
      table,
      "after update",
      `update ${table} set updated = ${movedOn}, export_version = ${mark}
       where event_id = new.event_id and id = new.id;
       ${keepStart(category, "min(old.created, old.updated)")}
       ${log("new.event_id")}`,
      // Not if the trigger above gives the record its first version, which is below 0.
      "new.export_version = old.export_version or new.export_version >= 0",
    ),
    trigger(
      table,
      "after delete",
      `${log("old.event_id")}
       insert into deletion (event_id, category, record_id, at, created, updated)
         values (old.event_id, '${category}', old.id, unixepoch(), old.created, old.updated)
         on conflict do update set at = excluded.at, created = min(created, excluded.created),
           updated = max(updated, excluded.updated);
       insert into vacant_position (event_id, category, record_id, updated, at)
         values (old.event_id, '${category}', old.id, old.updated, unixepoch());`,
    ),
  ],
  event: (table) => [
    trigger(table, "after insert", log("new.id")),
    trigger(table, "after update", `${stamp(table)} ${log("new.id")}`),
  ],
  stamp: (table) => [trigger(table, "after update", stamp(table))],
  touchGuest: (table) => [
    trigger(table, "after insert", touch("new")),
    trigger(
      table,
      "after update",
      touch("old") +
        touch("new", "(new.guest_id <> old.guest_id or new.event_id <> old.event_id)"),
    ),
    trigger(table, "after delete", touch("old")),
  ],
}

const movedOn =
  "max(old.updated, case when new.updated = old.updated then unixepoch() else new.updated end)"

function keepStart(category: string, time: string): string {
  return `insert into record_start (event_id, category, record_id, time)
    select new.event_id, '${category}', new.id, ${time} where new.created > ${time}
    on conflict do update set time = min(time, excluded.time);`
}

function stamp(table: string): string {
  return `update ${table} set updated = ${movedOn} where id = new.id;`
}

function touch(row: "new" | "old", condition = "true"): string {
  return `update guest set updated = max(updated, unixepoch())
    where event_id = ${row}.event_id and id = ${row}.guest_id and ${condition};`
}

/** A random number of 52 bits. */
export const mark = "random() & 4503599627370495"

/** Appends to the log. */
function log(eventId: string): string {
  return `insert into event_change (event_id, at, mark)
    values (${eventId}, unixepoch(), ${mark});`
}

function trigger(table: string, time: string, body: string, condition = "true"): Trigger {
  const name = `${table}_${time.replace(" ", "_")}`
  const definition = `${time} on ${table} for each row when ${condition} begin ${body} end`
  return { name, table, definition }
}
