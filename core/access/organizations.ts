import type { Database, Snapshot } from "../data/database.ts"
import type { Access } from "./grants.ts"

/** True where there is any organization: such a database is never filled with a demonstration. */
export async function hasOrganizations({ writer }: Database): Promise<boolean> {
  const found = await writer.selectFrom("organization").select("id").limit(1).execute()
  return found.length > 0
}

/** Those of the slugs that no organization has. */
export async function unknownOrganizations(
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

/** The slugs of the organizations of which an account may read all events, or at least one. */
export async function grantedOrganizations(
  { db, run }: Pick<Snapshot, "db" | "run">,
  { organizationIds, eventIds }: Access,
): Promise<string[]> {
  const ofEvents = eventIds.length === 0
    ? []
    : await run(db.selectFrom("event").select("organization_id").where("id", "in", eventIds))
  const ids = [...organizationIds, ...ofEvents.map(({ organization_id }) => organization_id)]
  if (ids.length === 0) return []
  const rows = await run(db.selectFrom("organization").select("slug").where("id", "in", ids))
  return rows.map(({ slug }) => slug)
}
