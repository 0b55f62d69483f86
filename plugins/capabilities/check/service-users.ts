import type { Database, Policy, Role } from "../../../core/capability.ts"

/** What the database knows of an account that a configuration names as a service user. */
export interface ServiceUser {
  readonly role: Role
  readonly disabled: boolean
  /** Slugs of the organizations of which it may read at least one event. */
  readonly organizations: ReadonlySet<string>
}

/** Returns the accounts with these names, by name. */
export async function findServiceUsers(
  { writer, dialect }: Database,
  usernames: readonly string[],
): Promise<Map<string, ServiceUser>> {
  if (usernames.length === 0) return new Map()
  const rows = await writer
    .selectFrom("account")
    .leftJoin("access_grant", (join) =>
      join
        .onRef("access_grant.account_id", "=", "account.id")
        .on((eb) =>
          eb.or([
            eb("access_grant.ends", "is", null),
            eb("access_grant.ends", ">", dialect.now),
          ])
        ))
    .leftJoin("event", "event.id", "access_grant.event_id")
    .leftJoin("organization", (join) =>
      join.on((eb) =>
        eb(
          "organization.id",
          "=",
          eb.fn.coalesce("access_grant.organization_id", "event.organization_id"),
        )
      ))
    .select(["account.username", "account.role", "account.disabled", "organization.slug"])
    .distinct()
    .where("account.username", "in", usernames)
    .execute()
  const byName = Map.groupBy(rows, ({ username }) => username)
  return new Map(
    [...byName].map(([username, rows]) => {
      const [{ role, disabled }] = rows as [(typeof rows)[number]]
      const slugs = rows.flatMap(({ slug }) => slug ?? [])
      return [username, { role, disabled: Boolean(disabled), organizations: new Set(slugs) }]
    }),
  )
}

/** Returns the organizations (slugs, sorted) that each service user of these policies is for. */
export function serviceUsersOf(policies: readonly Policy[]): ReadonlyMap<string, string[]> {
  const own = policies.filter((policy) => policy.kind === "service-user")
  const byName = Map.groupBy(own, ({ username }) => username)
  return new Map(
    [...byName].map(([username, same]) => [
      username,
      [...new Set(same.map(({ organization }) => organization))].sort(),
    ]),
  )
}
