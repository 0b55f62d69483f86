import { appendToLog, type Trigger, type TriggerSyntax } from "../../../core/driver.ts"

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
      `update ${table} set export_version = -1 - (${mark}), updated = ${inserted}
       where event_id = new.event_id and id = new.id;
       ${noteStart(category, "min(new.updated, unixepoch())")}
       ${log("new", category)}`,
    ),
    trigger(
      table,
      "after update",
      `update ${table} set updated = ${movedOn}, export_version = ${mark}
       where event_id = new.event_id and id = new.id;
       ${noteStart(category, "min(old.created, old.updated)")}
       ${log("new", category)}`,
      // Not when the trigger above gives the record its first version, which is negative.
      "new.export_version = old.export_version or new.export_version >= 0",
    ),
    trigger(
      table,
      "after delete",
      `${log("old", category)}
       insert into deletion (event_id, category, record_id, at, created, updated)
         values (old.event_id, '${category}', old.id, unixepoch(), old.created, old.updated)
         on conflict do update set at = excluded.at, created = min(created, excluded.created),
           updated = max(updated, excluded.updated);
       insert into vacant_position (event_id, category, record_id, updated, at)
         values (old.event_id, '${category}', old.id, old.updated, unixepoch());
       ${category === "guests" ? noteGone : ""}`,
    ),
  ],
  event: (table) => [
    trigger(table, "after insert", log("new", "events")),
    trigger(table, "after update", `${stamp(table)} ${log("new", "events")}`),
  ],
  stamp: (table) => [trigger(table, "after update", stamp(table))],
  touchGuest: (table) => [
    trigger(table, "after insert", touch("new")),
    trigger(
      table,
      "after update",
      touch("old") +
        touch("new", isMoved),
    ),
    trigger(table, "after delete", touch("old")),
    ...table !== "consent" ? [] : [
      // Replacing a row deletes it without firing a trigger.
      trigger(table, "before insert", noteLeft("new")),
      trigger(
        table,
        "before update",
        noteLeft("old") + noteLeft("new", isMoved),
        `new.status <> old.status or new.channels <> old.channels or ${isMoved}`,
      ),
      trigger(table, "before delete", noteLeft("old")),
    ],
  ],
  departure: (table) => [
    trigger(
      table,
      "after insert",
      `update guest set updated = max(updated, unixepoch())
         where event_id = new.event_id and id = new.record_id and new.kind = 'gained';
       ${log("new", "guests", "record_id")}
       update departure set at = unixepoch() where seq = new.seq;`,
      "new.at = 0",
    ),
  ],
}

const isMoved = "(new.guest_id <> old.guest_id or new.event_id <> old.event_id)"

/** Notes the consent with a row's key before it changes. */
function noteLeft(row: "new" | "old", condition = "true"): string {
  return `insert into departure (event_id, record_id, at, updated, kind, channels, scope)
    select event_id, guest_id, ${now}, (select updated from guest
      where guest.event_id = consent.event_id and guest.id = consent.guest_id), 'left', channels, ''
    from consent where event_id = ${row}.event_id and guest_id = ${row}.guest_id
      and status = 'active' and ${condition};`
}

const now = "unixepoch()"

/** The consent was deleted before this, and its trigger noted its channels. */
const noteGone = `insert into departure (event_id, record_id, at, updated, kind, scope)
  values (old.event_id, old.id, ${now}, old.updated, 'gone', '');`

/** It may be in milliseconds, a time that no later change would ever exceed. */
const isFarAhead = (row: "new" | "old") => `${row}.updated > ${now} + 86400`

const inserted = `case when ${isFarAhead("new")} then ${now} else new.updated end`

const movedOn = `max(case when ${isFarAhead("old")} then 0 else old.updated end,
  case when new.updated = old.updated or ${isFarAhead("new")} then ${now} else new.updated end)`

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
function log(row: "new" | "old", category: string, id = "id"): string {
  return appendToLog(row, category, { at: "unixepoch()", mark, id })
}

/** Notes a time of a record, unless an earlier one is noted. */
function noteStart(category: string, time: string): string {
  return `insert into record_start (event_id, category, record_id, time)
    select new.event_id, '${category}', new.id, ${time} where new.created > ${time}
    on conflict do update set time = min(time, excluded.time);`
}

function trigger(table: string, time: string, body: string, condition = "true"): Trigger {
  return {
    name: `${table}_${time.replace(" ", "_")}`,
    table,
    definition: `${time} on ${table} for each row when ${condition} begin ${body} end`,
  }
}
