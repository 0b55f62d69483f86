import { creating, type Storage } from "../../../core/capability.ts"
import { presenceTables } from "./tables.ts"

/** The running processes. */
export const presenceStorage: Storage = {
  name: "presence",
  tables: presenceTables,
  migrations: { "presence-0001": creating(presenceTables) },
  former: ["0014-sync-health"],
}
