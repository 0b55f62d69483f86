import type { EndReason } from "../data/service-tables.ts"
import type { Writer } from "./audit-changes.ts"

/** Ends a session by its id, unless it has ended. Its row stays, and says why. */
export async function endNow(
  { writer, dialect }: Writer,
  id: string,
  reason: EndReason,
): Promise<void> {
  await writer.updateTable("session").set({ expires: dialect.now, reason })
    .where("id", "=", id)
    .where("expires", ">", dialect.now)
    .execute()
}

/**
 * Ends the live sessions of an account, except some, now or after an overlap in seconds. A session that
 * would end earlier anyway is left as it is. Returns how many.
 */
export async function endSessionsOf(
  { writer, dialect }: Writer,
  accountId: string,
  { reason, overlap = 0, except = [] }: {
    readonly reason: EndReason
    readonly overlap?: number
    readonly except?: readonly string[]
  },
): Promise<number> {
  // By key: a statement for all may scan the table, and then deadlock with a log-in, which has locked
  // its new row and waits for the account.
  const sessions = await writer.selectFrom("session").select("id")
    .where("account_id", "=", accountId)
    .where("id", "not in", ["", ...except])
    .where("expires", ">", dialect.now)
    .orderBy("id").execute()
  let ended = 0
  for (const { id } of sessions) {
    const { numUpdatedRows } = await writer.updateTable("session")
      .set((eb) => ({ expires: eb(dialect.now, "+", overlap), reason }))
      .where("id", "=", id)
      .where((eb) => eb("expires", ">", eb(dialect.now, "+", overlap)))
      .executeTakeFirst()
    ended += Number(numUpdatedRows)
  }
  return ended
}
