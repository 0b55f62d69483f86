import type { Database } from "../data/database.ts"

/** Number of rows deleted per transaction. */
const batch = 1000

/**
 * Deletes the change-log rows that are older than `retention` seconds, and returns their number.
 *
 * First moves the horizon up, so that no reader takes a partly deleted time for a complete one. Then
 * deletes the oldest rows, a few at a time and by key, until it meets a batch without an expired row.
 * Writers append after the newest row, so they never wait for this.
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

  let deleted = 0
  for (let last = -1;;) {
    const oldest = await writer
      .selectFrom("change_log")
      .select(["seq", "at"])
      .where("seq", ">", last)
      .orderBy("seq")
      .limit(batch)
      .execute()
    const expired = oldest.filter(({ at }) => at < until).map((row) => row.seq)
    if (expired.length === 0) return deleted
    await writer.transaction().execute(async (db) => {
      // One by one: for a list, planners may scan the whole log and wait for what writers add to it.
      for (const seq of expired) {
        await db.deleteFrom("change_log").where("seq", "=", seq).execute()
      }
    })
    deleted += expired.length
    last = oldest.at(-1)?.seq ?? last
  }
}
