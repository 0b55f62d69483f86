import { creating, type Storage } from "../../../core/capability.ts"
import { partnersTables } from "./tables.ts"

/** How far each partner is. */
export const partnersStorage: Storage = {
  name: "partners",
  tables: partnersTables,
  migrations: { "partners-0001": creating(partnersTables) },
  former: ["0014-sync-health"],
}
