import { type Kysely, sql } from "kysely"
import type { Schema, Trigger } from "../../../core/driver.ts"

/** The infix before the connection's number in the name of a stand-in trigger. */
const standIn = "_stand_in_"

/**
 * Replaces a trigger while others change its table. MySQL cannot do it in one step, and a change between two steps would
 * have no stamp. So a second trigger with the same statements stands in, until `removeStandIns`. A change that runs both is
 * logged twice, which does no harm.
 *
 * Locks no table: `lock tables` would also lock the tables that the triggers use, one after another, and cause deadlocks in
 * transactions of others.
 */
export async function replaceTrigger(
  db: Kysely<Schema>,
  { name, definition }: Trigger,
): Promise<void> {
  const { id } = await db.selectNoFrom(sql<number>`connection_id()`.as("id"))
    .executeTakeFirstOrThrow()
  const create = (name: string) =>
    sql.raw(`create trigger if not exists ${name} ${definition}`).execute(db)
  await create(`${name}${standIn}${id}`)
  await sql`drop trigger if exists ${sql.table(name)}`.execute(db)
  await create(name)
}

/** Removes the stand-ins that this connection created, and those that interrupted connections left behind. */
export async function removeStandIns(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select trigger_name as name from information_schema.triggers
    where trigger_schema = database() and locate(${standIn}, trigger_name) > 0
      and (created < now() - interval 5 minute
        or substring_index(trigger_name, ${standIn}, -1) = connection_id())`.execute(db)
  for (const { name } of rows) await sql`drop trigger if exists ${sql.table(name)}`.execute(db)
}
