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
