import type { Kysely } from "kysely"
import type { Schema, Storage } from "../../../core/capability.ts"

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

/** The key of a row that is of no record: its time is the end of the last gap, in which triggers wrote no rows. */
const ofGap = { event_id: "", category: "", record_id: "" }

/** Notes until when triggers wrote no rows. */
export const noteGap: NonNullable<Storage["noteGap"]> = async (db, dialect, until) => {
  const insert = db.insertInto("record_start").values({ ...ofGap, time: until })
  await dialect.orUpdate(insert, ["event_id", "category", "record_id"], { time: until }).execute()
}

/** Returns the end of the last gap: a record that seems to begin before it may have begun at any time. */
export async function findGapEnd(db: Kysely<Schema>): Promise<number> {
  const row = await db.selectFrom("record_start").select("time")
    .where((eb) => eb.and(ofGap)).executeTakeFirst()
  return row?.time ?? -Infinity
}

/**
 * Returns the time from which a record can have had an `updated`: the earliest of the `times` that are known of it. It may
 * have begun at any time if one of them is null, as they are in old deletions, or if it seems to begin before the end of a
 * gap.
 */
export function beginOf(times: readonly (number | null)[], gapEnd: number): number {
  const earliest = Math.min(...times.map((time) => time ?? -Infinity))
  return earliest > gapEnd ? earliest : -Infinity
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
