import type { Database } from "../data/database.ts"
import { orUpdate } from "../data/or-update.ts"

/** A sign of life of an account: it logged in, or read something in a session. */
export interface Sign {
  readonly accountId: string
  readonly kind: "last_log_in" | "last_poll"
  readonly sessionId?: string
}

/** Writes down when accounts and sessions were last in use: now. */
export async function recordSigns(
  { writer, dialect }: Database,
  signs: readonly Sign[],
): Promise<void> {
  const sessions = new Set(signs.flatMap(({ sessionId }) => sessionId ?? []))
  if (sessions.size > 0) {
    await writer
      .updateTable("session")
      .set({ used: dialect.now })
      .where("id", "in", [...sessions])
      .execute()
  }
  for (const [kind, ofKind] of Map.groupBy(signs, ({ kind }) => kind)) {
    const accounts = [...new Set(ofKind.map(({ accountId }) => accountId))].sort()
    const insert = writer
      .insertInto("account_activity")
      .values(accounts.map((account_id) => ({ account_id, [kind]: dialect.now })))
    await orUpdate(dialect, insert, "account_id", { [kind]: dialect.now }).execute()
  }
}
