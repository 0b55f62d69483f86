import * as v from "valibot"
import { type Capability, groupOf, wholeNumber } from "../../../core/capability.ts"
import { pruneAudit, recordChange } from "./audit-log.ts"
import { auditTrail } from "./audit-trail.ts"
import { auditCommand } from "./command.ts"
import { auditTables } from "./tables.ts"

/** Who requested and who changed what, when and from where. */
const audit: Capability<{ readonly retention: number; readonly required: boolean }> = {
  name: "audit",
  summary: "Records who requested and changed what",
  storage: { name: "audit", tables: auditTables },
  settings: {
    group: "audit",
    schema: groupOf({
      retention: v.optional(wholeNumber(1, 36_500), 365),
      required: v.optional(v.boolean("must be true or false"), false),
    }),
  },
  additions: {
    console: async () => (await import("./pages.ts")).pages,
    me: async () => (await import("./own.ts")).own,
  },
  commands: [auditCommand],
  record: recordChange,
  open({ database, settings: { retention, required }, batch }) {
    return {
      observe: auditTrail(database, { batch, required }),
      cleanUp: (signal) => pruneAudit(database, retention, signal),
    }
  },
}

export default audit
