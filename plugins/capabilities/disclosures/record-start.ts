import type { Storage } from "../../../core/capability.ts"

/**
 * Keeps when a record began whose `created` is later: the first `updated` that it had. Of two times of a record, the
 * earlier stays.
 */
export const recordStart: NonNullable<Storage["triggers"]> = {
  mysql: {
    insert: (category) => onMysql(category, "least(new.updated, stamp)"),
    update: (category) => onMysql(category, "least(old.created, old.updated)"),
  },
  sqlite: {
    insert: (category) => onSqlite(category, "min(new.updated, unixepoch())"),
    update: (category) => onSqlite(category, "min(old.created, old.updated)"),
  },
}

function onMysql(category: string, time: string): string {
  return `if new.created > ${time} then
       insert into record_start (event_id, category, record_id, time)
         values (new.event_id, '${category}', new.id, ${time})
         on duplicate key update time = least(time, ${time});
     end if;`
}

/** Frozen to the last space: the text of a trigger is compared with that in the database. */
function onSqlite(category: string, time: string): string {
  return `insert into record_start (event_id, category, record_id, time)
    select new.event_id, '${category}', new.id, ${time} where new.created > ${time}
    on conflict do update set time = min(time, excluded.time);`
}
