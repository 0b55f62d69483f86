import type { Database } from "../../../core/capability.ts"

/** Returns the slugs for which there is no organization. */
export async function findUnknownOrganizations(
  { writer }: Database,
  slugs: readonly string[],
): Promise<string[]> {
  if (slugs.length === 0) return []
  const rows = await writer
    .selectFrom("organization")
    .select("slug")
    .where("slug", "in", slugs)
    .execute()
  const known = new Set(rows.map((row) => row.slug))
  return slugs.filter((slug) => !known.has(slug))
}

/** Returns the slugs of the organizations with events that each account may read now, by its name. */
export async function findOrganizationsOfAccounts(
  { writer, dialect }: Database,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await writer
    .selectFrom("access_grant as g")
    .innerJoin("account", "account.id", "g.account_id")
    .leftJoin("event", "event.id", "g.event_id")
    .innerJoin(
      "organization",
      (join) =>
        join.on((eb) =>
          eb("organization.id", "=", eb.fn.coalesce("g.organization_id", "event.organization_id"))
        ),
    )
    .select(["account.username", "organization.slug"])
    .where((eb) => eb.or([eb("g.ends", "is", null), eb("g.ends", ">", dialect.now)]))
    .distinct()
    .execute()
  const byName = Map.groupBy(rows, ({ username }) => username)
  return new Map([...byName].map(([username, own]) => [username, own.map(({ slug }) => slug)]))
}
