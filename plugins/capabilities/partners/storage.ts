import type { Storage } from "../../../core/capability.ts"
import * as tables from "./migrations/partners-0001.ts"
import { partnersTables } from "./tables.ts"

/** How far each partner is. */
export const partnersStorage: Storage = {
  name: "partners",
  tables: partnersTables,
  migrations: { "partners-0001": tables },
  former: ["0014-sync-health"],
}
