import type { Database } from "./database.ts"

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
