import { setTimeout } from "node:timers/promises"
import { sql } from "kysely"
import type { Database } from "../data/database.ts"

/**
 * A row of the change log of an event up to which no transaction is open any more: whatever is
 * committed from here on has a larger number. Undefined where the event has no row behind `base`.
 *
 * Asks for a lock on what it passes over, which the database grants when those who wrote it have
 * ended; nobody ever waits for that lock, because rows of the log are not changed. A row has its
 * number a moment before its transaction has locked it: hence the pause, in milliseconds.
 *
 * @throws when a transaction stays open longer than statements wait for locks, or on `signal`.
 */
export async function settledChange(
  { writer, dialect }: Database,
  { eventId, base, pause, signal }: {
    readonly eventId: string
    readonly base: number
    readonly pause: number
    readonly signal: AbortSignal
  },
): Promise<number | undefined> {
  const { top } = await writer
    .selectFrom("change_log")
    .select((eb) => eb.fn.max("seq").as("top"))
    .where("event_id", "=", eventId)
    .where("seq", ">", base)
    .executeTakeFirstOrThrow()
  // SQLite has one writer at a time: its rows are committed in the order of their numbers.
  if (!top || dialect.name === "sqlite") return top ?? undefined
  await setTimeout(pause, undefined, { signal, ref: false })
  await writer.transaction().setIsolationLevel("read committed").execute(async (db) => {
    await db
      .selectFrom("change_log")
      .select((eb) => eb.fn.countAll().as("passed"))
      .where("event_id", "=", eventId)
      .where("seq", ">", base)
      .where("seq", "<=", top)
      .modifyEnd(sql`lock in share mode`)
      .execute()
  })
  return top
}
