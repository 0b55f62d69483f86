import { creating, type Storage } from "../../../core/capability.ts"
import { auditTables } from "./tables.ts"

/** The audit log. */
export const auditStorage: Storage = {
  name: "audit",
  tables: auditTables,
  migrations: { "audit-0001": creating(auditTables) },
  former: ["0005-access", "0008-long-cursors", "0013-operators"],
}
