import { findCaller } from "../../core/access/admission.ts"
import type { Database } from "../../core/data/database.ts"
import type { SessionKey } from "../../core/access/session-rows.ts"

/** True while a session counts. */
export async function isLive(database: Database, key: SessionKey): Promise<boolean> {
  const question = { key, idle: 0, address: "", eventId: undefined, among: [], base: 0 }
  return await database.look((reader) => findCaller(reader, question)) !== undefined
}
