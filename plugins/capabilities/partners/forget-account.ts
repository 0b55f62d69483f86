import { type Change, type Database, findAccount } from "../../../core/capability.ts"
import { allTables } from "./tables.ts"

/** Forgets how far an account was that is being removed, and what it was like. Runs in the transaction that does it. */
export async function forgetAccount(
  { writer }: Pick<Database, "writer">,
  { action, account }: Change,
): Promise<void> {
  if (action !== "account-remove" || account === null) return
  const { id } = await findAccount(writer, account)
  for (const [name, { columns }] of Object.entries(allTables)) {
    if (!("account_id" in columns)) continue
    await writer.deleteFrom(name as "sync_state").where("account_id", "=", id).execute()
  }
}
