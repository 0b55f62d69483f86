import type { Database } from "../data/database.ts"
import { deleteInPortions } from "../data/delete-in-portions.ts"

/**
 * Deletes the change-log rows that are older than `retention` seconds, and returns their number.
 * Stops after the running statement when `signal` aborts.
 *
 * First moves the horizon up, so that no reader takes a partly deleted time for a complete one. Then
 * deletes the oldest rows, a few at a time and by key, until it meets a portion without an expired
 * row. Writers append after the newest row, so they never wait for this.
 */
export async function pruneChangeLog(
  { background, dialect }: Database,
  retention: number,
  signal?: AbortSignal,
): Promise<number> {
  const { cutoff } = await background
    .selectNoFrom((eb) => eb(dialect.now, "-", retention).as("cutoff"))
    .executeTakeFirstOrThrow()
  const until = Number(cutoff)
  await background
    .updateTable("change_log_horizon")
    .set({ complete_since: until })
    .where("complete_since", "<", until)
    .execute()

  let last = -1
  return await deleteInPortions(background, {
    find: async (limit) => {
      const oldest = await background
        .selectFrom("change_log")
        .select(["seq", "at"])
        .where("seq", ">", last)
        .orderBy("seq")
        .limit(limit)
        .execute()
      last = oldest.at(-1)?.seq ?? last
      return oldest.filter(({ at }) => at < until)
    },
    remove: (db, { seq }) => db.deleteFrom("change_log").where("seq", "=", seq).execute(),
  }, signal)
}
