import type { Database } from "../../../core/capability.ts"

/** Returns true if there is any organization: the demonstration never fills such a database. */
export async function hasOrganizations({ writer }: Database): Promise<boolean> {
  const found = await writer.selectFrom("organization").select("id").limit(1).execute()
  return found.length > 0
}
