import { randomUUID } from "node:crypto"
import { sql } from "kysely"
import type { Random } from "../../support/random.ts"
import { type Db, RecordPlatform } from "../../support/record-platform.ts"

/** Returns the platform of two events, whose writers share it. */
export function platformOf(eventIds: readonly string[]): RecordPlatform {
  return new RecordPlatform({
    events: () => eventIds,
    // The database's clock.
    ago: (seconds) => sql`unix_timestamp() - ${sql.lit(seconds)}` as unknown as number,
    newId: () => randomUUID(),
    most: 400,
  })
}

/** Makes a random change, also by statements that only MySQL has. */
export async function applyChange(db: Db, platform: RecordPlatform, random: Random): Promise<void> {
  const what = random.below(14)
  if (what === 0) await platform.insertAgain(db, random)
  else if (what < 4) await platform.update(db, random)
  else if (what < 7) await platform.touch(db, random)
  else if (what < 12) await platform.change(db, random)
  else await write(db, platform, { random, isReplaced: what === 12 })
}

/** Writes a guest who is there, by a statement that inserts one who is not. */
async function write(
  db: Db,
  platform: RecordPlatform,
  { random, isReplaced }: { readonly random: Random; readonly isReplaced: boolean },
): Promise<void> {
  const { event } = platform.place(random)
  const ids = await platform.ids(db, { event, category: "guests" })
  if (ids.length === 0) return
  const number = random.below(1e9)
  const row = {
    event_id: event,
    id: random.pick(ids),
    first_name: `Ada ${number}`,
    last_name: "Lovelace",
    email: `guest${number}@example.org`,
    mobile: `+44 20 7946 ${number}`,
    external_id: `crm-${number}`,
    sms_opt_in: number % 2,
  }
  if (isReplaced) await db.replaceInto("guest").values(row as never).execute()
  else {
    await db.insertInto("guest").values(row as never)
      .onDuplicateKeyUpdate({ email: row.email }).execute()
  }
}
