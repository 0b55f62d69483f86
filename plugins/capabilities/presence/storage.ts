import type { Storage } from "../../../core/capability.ts"
import * as tables from "./migrations/presence-0001.ts"
import { presenceTables } from "./tables.ts"

/** The running processes. */
export const presenceStorage: Storage = {
  name: "presence",
  tables: presenceTables,
  migrations: { "presence-0001": tables },
  former: ["0014-sync-health"],
}
