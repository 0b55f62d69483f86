import { setTimeout } from "node:timers/promises"
import type { Database } from "../data/database.ts"

/**
 * Finds a change-log row of an event below which no transaction is open any more: anything
 * committed later has a larger `seq`. Returns undefined if the event has no row above `baseline`.
 *
 * If the database has several writers, requests a lock on the rows up to it. The lock is granted
 * once the transactions that wrote the rows have ended. Nobody ever waits for this lock, because
 * rows of the log never change. A row gets its number a moment before its transaction locks it:
 * hence the pause, in milliseconds.
 *
 * @throws if a transaction stays open longer than a statement waits for locks, or on `signal`.
 */
export async function findBaseline(
  { writer, dialect }: Database,
  { eventId, baseline, pause, signal }: {
    readonly eventId: string
    readonly baseline: number
    readonly pause: number
    readonly signal: AbortSignal
  },
): Promise<number | undefined> {
  const { top } = await writer
    .selectFrom("change_log")
    .select((eb) => eb.fn.max("seq").as("top"))
    .where("event_id", "=", eventId)
    .where("seq", ">", baseline)
    .executeTakeFirstOrThrow()
  const { waitForWriters } = dialect
  if (!top || !waitForWriters) return top ?? undefined
  await setTimeout(pause, undefined, { signal, ref: false })
  await writer.transaction().setIsolationLevel("read committed").execute(async (db) => {
    await db
      .selectFrom("change_log")
      .select((eb) => eb.fn.countAll().as("passed"))
      .where("event_id", "=", eventId)
      .where("seq", ">", baseline)
      .where("seq", "<=", top)
      .modifyEnd(waitForWriters)
      .execute()
  })
  return top
}
