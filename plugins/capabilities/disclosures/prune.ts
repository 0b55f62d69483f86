import { type Database, deleteInPortions } from "../../../core/capability.ts"

/**
 * Deletes ranges of records that were last sent before a number of days, and notices from before. Returns how
 * many. Stops after the running statement when `signal` aborts.
 */
export async function pruneDisclosures(
  { background, dialect }: Database,
  days: number,
  signal?: AbortSignal,
): Promise<number> {
  const { now } = await background.selectNoFrom(dialect.now.as("now")).executeTakeFirstOrThrow()
  const before = now - days * 86_400
  const disclosures = await deleteInPortions(background, {
    find: (limit) =>
      background.selectFrom("disclosure").select("seq").where("last_at", "<", before)
        .orderBy("last_at").limit(limit).execute(),
    remove: (db, { seq }) =>
      db.deleteFrom("disclosure").where("seq", "=", seq).where("last_at", "<", before).execute(),
  }, signal)
  return disclosures + await deleteInPortions(background, {
    find: (limit) =>
      background.selectFrom("erasure_notice").select("seq").where("at", "<", before)
        .orderBy("at").limit(limit).execute(),
    remove: (db, { seq }) => db.deleteFrom("erasure_notice").where("seq", "=", seq).execute(),
  }, signal)
}
