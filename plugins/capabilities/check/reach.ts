import { type Role, roleOf } from "../../../core/accounts.ts"
import type { Database } from "../../../core/capability.ts"

/** An account, and how far its grants reach. */
export interface AccountReach {
  readonly role: Role
  readonly disabled: boolean
  /** Slugs of the organizations with at least one event that it may read. */
  readonly organizations: readonly string[]
}

/** Returns how far the accounts with these names reach, or all accounts, by name and in its order. */
export async function findReach(
  { writer, dialect }: Database,
  usernames?: readonly string[],
): Promise<Map<string, AccountReach>> {
  if (usernames?.length === 0) return new Map()
  const rows = await writer
    .selectFrom("account")
    .leftJoin("access_grant as g", (join) =>
      join
        .onRef("g.account_id", "=", "account.id")
        .on((eb) => eb.or([eb("g.ends", "is", null), eb("g.ends", ">", dialect.now)])))
    .leftJoin("event", "event.id", "g.event_id")
    .leftJoin(
      "organization",
      (join) =>
        join.on((eb) =>
          eb("organization.id", "=", eb.fn.coalesce("g.organization_id", "event.organization_id"))
        ),
    )
    .select(["account.username", roleOf.as("role"), "account.disabled", "organization.slug"])
    .distinct()
    .$if(usernames !== undefined, (query) => query.where("account.username", "in", usernames ?? []))
    .orderBy("account.username")
    .execute()
  const byName = Map.groupBy(rows, ({ username }) => username)
  return new Map(
    [...byName].map(([username, rows]) => {
      const [{ role, disabled }] = rows as [(typeof rows)[number]]
      const organizations = rows.flatMap(({ slug }) => slug ?? [])
      return [username, { role, disabled: Boolean(disabled), organizations }]
    }),
  )
}
