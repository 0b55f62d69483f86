import { findByName } from "../../core/access/accounts.ts"
import type { Database } from "../../core/data/database.ts"

/** Returns the account that may log in under a name; undefined if there is none. */
export async function findCredentials({ writer }: Database, username: string) {
  const account = await findByName(writer, username)
  return account && !account.disabled ? account : undefined
}
