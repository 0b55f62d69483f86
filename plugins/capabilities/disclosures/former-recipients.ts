import { type AuditChange, findAccount } from "../../../core/accounts.ts"
import type { Database } from "../../../core/capability.ts"

/** Keeps the name of an account that is being removed, for what it was sent. Runs in the transaction that does it. */
export async function keepName(
  { writer }: Pick<Database, "writer">,
  { action, account: username }: AuditChange,
): Promise<void> {
  if (action !== "account-remove" || username === null) return
  const { id: account_id } = await findAccount(writer, username)
  await writer.insertInto("former_recipient").values({ account_id, username }).execute()
}
