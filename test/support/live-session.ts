import { lookUpAdmission } from "../../core/access/admission.ts"
import type { Database } from "../../core/data/database.ts"
import type { SessionKey } from "../../core/access/sessions.ts"

/** True if a session is valid. `idle` is the setting of that name. */
export async function isLive(database: Database, key: SessionKey, idle = 0): Promise<boolean> {
  const question = { key, idle, address: "", eventId: undefined, tables: [] }
  return await database.readOnce((reader) => lookUpAdmission(reader, question)) !== undefined
}
