import type { Snapshot } from "../../../core/capability.ts"

/** Returns the prefix of the family that an account polled last; undefined if it has polled none. */
export async function findLastFamily(
  { db, run }: Pick<Snapshot, "db" | "run">,
  accountId: string,
): Promise<string | undefined> {
  const [last] = await run(
    db
      .selectFrom("sync_state")
      .select("prefix")
      .where("account_id", "=", accountId)
      .where("last_poll", "is not", null)
      .orderBy("last_poll", "desc")
      .limit(1),
  )
  return last?.prefix
}
