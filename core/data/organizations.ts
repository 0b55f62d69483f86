import type { Database } from "./database.ts"

/** True where there is any organization: such a database is never filled with a demonstration. */
export async function hasOrganizations({ writer }: Database): Promise<boolean> {
  const found = await writer.selectFrom("organization").select("id").limit(1).execute()
  return found.length > 0
}
