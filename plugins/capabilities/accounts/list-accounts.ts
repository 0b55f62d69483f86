import { type Role, roleOf } from "../../../core/accounts.ts"
import type { Database } from "../../../core/capability.ts"

/** An account as the operator sees it. Times are Unix seconds; null means never. */
export interface AccountListing {
  readonly username: string
  readonly role: Role
  readonly disabled: boolean
  readonly sessions: number
  readonly lastLogIn: number | null
  readonly lastPoll: number | null
}

/** Returns all accounts, sorted by name. */
export async function listAccounts({ writer, dialect }: Database): Promise<AccountListing[]> {
  const rows = await writer
    .selectFrom("account")
    .leftJoin(
      "session",
      (join) =>
        join.onRef("session.account_id", "=", "account.id").on("session.expires", ">", dialect.now),
    )
    .leftJoin("account_activity as activity", "activity.account_id", "account.id")
    .select((eb) => [
      "username",
      roleOf.as("role"),
      "disabled",
      "last_log_in as lastLogIn",
      "last_poll as lastPoll",
      eb.fn.count<number>("session.id").as("sessions"),
    ])
    .groupBy(["username", "account.role", "viewer", "disabled", "last_log_in", "last_poll"])
    .orderBy("username")
    .execute()
  return rows.map((row) => ({ ...row, disabled: Boolean(row.disabled) }))
}
