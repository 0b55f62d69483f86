import { noteGap, recordStart } from "./record-start.ts"
import { creating, type Storage } from "../../../core/capability.ts"
import { disclosuresTables } from "./tables.ts"

/** Who was sent which records. */
export const disclosuresStorage: Storage = {
  name: "disclosures",
  tables: disclosuresTables,
  migrations: { "disclosures-0001": creating(disclosuresTables) },
  former: ["0015-disclosures"],
  triggers: recordStart,
  noteGap,
  prunedWithDeletions: ["record_start"],
}
