import type { Database } from "../data/database.ts"

/** Rows that are deleted in one transaction. */
const batch = 1000

/**
 * Forgets what the change log says about the time before the last `retention` seconds, and answers
 * how many rows that were.
 *
 * First the horizon moves up, so that no reader takes a half-forgotten time for a complete one. Then
 * the oldest rows go, few at a time and by their key, until some are met of which all are younger:
 * writers add behind the newest row, and never wait for it.
 */
export async function pruneChangeLog(database: Database, retention: number): Promise<number> {
  const { writer, dialect } = database
  const { cutoff } = await writer
    .selectNoFrom((eb) => eb(dialect.now, "-", retention).as("cutoff"))
    .executeTakeFirstOrThrow()
  const until = Number(cutoff)
  await writer
    .updateTable("change_log_horizon")
    .set({ complete_since: until })
    .where("complete_since", "<", until)
    .execute()

  let forgotten = 0
  for (let seq = -1;;) {
    const oldest = await writer
      .selectFrom("change_log")
      .select(["seq", "at"])
      .where("seq", ">", seq)
      .orderBy("seq")
      .limit(batch)
      .execute()
    const expired = oldest.filter(({ at }) => at < until).map((row) => row.seq)
    if (expired.length === 0) return forgotten
    await writer.transaction().execute(async (db) => {
      // One by one: for a list, planners may scan all the log and wait for what writers add to it.
      for (const seq of expired) {
        await db.deleteFrom("change_log").where("seq", "=", seq).execute()
      }
    })
    forgotten += expired.length
    seq = oldest.at(-1)?.seq ?? seq
  }
}
