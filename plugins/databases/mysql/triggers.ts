import { appendToLog, type Trigger, type TriggerSyntax } from "../../../core/driver.ts"

/**
 * Trigger statements that assign the real time, in Unix seconds, to `stamp`. `now()` and `unix_timestamp()` return the
 * start of the statement, which may have waited for a lock since then, and obey `set timestamp`; `sysdate()` is
 * ambiguous for an hour when summer time ends. A version 1 UUID contains the real time, in UTC, in its first 60 bits:
 * units of 100 ns since 15 October 1582.
 */
const realClock = `set clock = uuid();
  set stamp = floor(conv(concat(substr(clock, 16, 3), substr(clock, 10, 4), left(clock, 8)), 16, 10)
    / 10000000) - 12219292800;`

/** A random number of 52 bits. */
export const mark = "conv(left(hex(random_bytes(7)), 13), 16, 10)"

/**
 * If this session variable is 1, an `updated` that a writer sets to a past time is kept. Do not test it for null: if
 * another connection has set it before, triggers in MySQL 9.7 may read 0.
 */
export const keepHistory = "@event_export_history"

/**
 * The triggers in the syntax of MySQL and MariaDB. Each runs before the change. It first appends to the log and then
 * takes the time: until other connections can see the log's row, no record can get a stamp.
 */
export function mysqlTriggers(clock = realClock): TriggerSyntax {
  const trigger = (table: string, operation: Operation, body: string): Trigger => ({
    name: `${table}_${operation}`,
    table,
    definition: `before ${operation} on ${table} for each row
      begin
        declare clock char(36);
        declare stamp bigint;
        declare mark bigint;
        ${body}
      end`,
  })
  const log = (row: "new" | "old", category: string, id?: string) =>
    `${clock}
     set mark = ${mark};
     ${appendToLog(row, category, { at: "stamp", mark: "mark", ...id !== undefined && { id } })}
     ${clock}`
  const isHistory = `${keepHistory} = 1`
  // It may be in milliseconds, a time that no later change would ever exceed.
  const isFarAhead = (row: "new" | "old") => `${row}.updated > stamp + 86400`
  const noLater = `if ${isFarAhead("new")} then set new.updated = stamp; end if;`
  const stampInserted =
    `${noLater} set new.updated = if(${isHistory}, new.updated, greatest(new.updated, stamp));`
  const stampUpdated = `${noLater} set new.updated = greatest(if(${
    isFarAhead("old")
  }, 0, old.updated), if(${isHistory} and new.updated <> old.updated,
      new.updated, greatest(new.updated, stamp)));`

  // The guest is locked and logged before the time is taken, and its `updated` is read before it changes.
  const leaving = (table: string, condition: string) =>
    table !== "consent" ? touch("old") : `begin
      declare place bigint;
      declare leaves int default old.status = 'active' and (${condition});
      if leaves then
        set place = (select updated from guest
          where event_id = old.event_id and id = old.guest_id for update);
      end if;
      ${touch("old")}
      if leaves then
        ${clock}
        insert into departure (event_id, record_id, at, updated, kind, channels, scope)
          values (old.event_id, old.guest_id, stamp, place, 'left', old.channels, '');
      end if;
    end;`

  const renewVersion = "set new.export_version = mark;"

  return {
    record: (table, category) => [
      trigger(
        table,
        "insert",
        `${log("new", category)} ${stampInserted} ${renewVersion}
         ${noteStart(category, "least(new.updated, stamp)")}`,
      ),
      trigger(
        table,
        "update",
        `if new.event_id <> old.event_id or new.id <> old.id then
           signal sqlstate '45000' set message_text = '${table}: event_id and id never change: delete and insert';
         end if;
         ${log("new", category)} ${stampUpdated} ${renewVersion}
         ${noteStart(category, "least(old.created, old.updated)")}`,
      ),
      trigger(
        table,
        "delete",
        `${log("old", category)}
         insert into deletion (event_id, category, record_id, at, created, updated)
           values (old.event_id, '${category}', old.id, stamp, old.created, old.updated)
           on duplicate key update at = stamp, created = least(created, old.created),
             updated = greatest(updated, old.updated);
         insert into vacant_position (event_id, category, record_id, updated, at)
           values (old.event_id, '${category}', old.id, old.updated, stamp);
         ${category === "guests" ? noteGone : ""}`,
      ),
    ],
    event: (table) => [
      trigger(table, "insert", `${log("new", "events")} ${stampInserted}`),
      trigger(table, "update", `${log("new", "events")} ${stampUpdated}`),
    ],
    stamp: (table) => [trigger(table, "update", `${clock} ${stampUpdated}`)],
    // Before, not after: this locks the guest's row for writing before the foreign key locks it for reading. In the
    // other order, two writers of the same guest would deadlock. A writer that locks the guest first and one that only
    // changes a part of it still do: MySQL ignores `skip locked` and `nowait` in triggers.
    touchGuest: (table) => [
      trigger(table, "insert", touch("new")),
      trigger(
        table,
        "update",
        `${leaving(table, isOther)}
         if new.guest_id <> old.guest_id or new.event_id <> old.event_id then ${
          touch("new")
        } end if;`,
      ),
      // If deleting a guest fires the triggers of its parts (`enable_cascade_triggers`), this one may not write to the
      // guest (error 1442), whose own trigger has just logged the deletion.
      trigger(
        table,
        "delete",
        `declare continue handler for 1442 begin end;
        ${leaving(table, "true")}`,
      ),
    ],
    departure: (table) => [
      trigger(
        table,
        "insert",
        `if new.kind = 'gained' then
           update guest set updated = updated where event_id = new.event_id and id = new.record_id;
           ${clock}
           set new.at = stamp;
         elseif new.at = 0 then
           ${log("new", "guests", "record_id")}
           set new.at = stamp;
         end if;`,
      ),
    ],
  }
}

type Operation = "insert" | "update" | "delete"

/** Notes a time of a record, unless an earlier one is noted. */
function noteStart(category: string, time: string): string {
  return `if new.created > ${time} then
       insert into record_start (event_id, category, record_id, time)
         values (new.event_id, '${category}', new.id, ${time})
         on duplicate key update time = least(time, ${time});
     end if;`
}

/** True if an update of a consent may remove a guest from a list. */
const isOther = `new.status <> old.status or new.channels <> old.channels
  or new.guest_id <> old.guest_id or new.event_id <> old.event_id`

/**
 * Foreign keys delete the consent after this, without firing a trigger. It is read with a lock, since the snapshot may
 * be old.
 */
const noteGone = `insert into departure (event_id, record_id, at, updated, kind, channels, scope)
  values (old.event_id, old.id, stamp, old.updated, 'gone', (select channels from consent
    where event_id = old.event_id and guest_id = old.id and status = 'active' lock in share mode), '');`

/** The guest's own trigger stamps it and appends to the log. */
function touch(row: "new" | "old"): string {
  return `update guest set updated = updated
    where event_id = ${row}.event_id and id = ${row}.guest_id;`
}
