import { type AuditChange, findAccount } from "../../../core/accounts.ts"
import type { Database } from "../../../core/capability.ts"
import { partnersTables } from "./tables.ts"

/** Deletes the progress of an account, in the transaction that removes the account. */
export async function forgetAccount(
  { writer }: Pick<Database, "writer">,
  { action, account }: AuditChange,
): Promise<void> {
  if (action !== "account-remove" || account === null) return
  const { id } = await findAccount(writer, account)
  for (const name of Object.keys(partnersTables)) {
    await writer.deleteFrom(name as "sync_state").where("account_id", "=", id).execute()
  }
}
