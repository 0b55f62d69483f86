import { lookUpAdmission } from "../../core/access/admission.ts"
import type { Database } from "../../core/data/database.ts"
import type { SessionKey } from "../../core/access/sessions.ts"

/** True if a session is valid. */
export async function isLive(database: Database, key: SessionKey): Promise<boolean> {
  const question = { key, idle: 0, address: "", eventId: undefined, tables: [] }
  return await database.readOnce((reader) => lookUpAdmission(reader, question)) !== undefined
}
