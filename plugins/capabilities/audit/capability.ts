import * as v from "valibot"
import { type Capability, wholeNumber } from "../../../core/capability.ts"
import { pruneAudit, recordChange } from "./audit-log.ts"
import { AuditTrail } from "./audit-trail.ts"
import { auditCommand } from "./command.ts"
import { auditStorage } from "./storage.ts"

/** Who requested and who changed what, when and from where. */
const audit: Capability<{ readonly retention: number; readonly required: boolean }> = {
  name: "audit",
  summary: "Records who requested and changed what",
  storage: auditStorage,
  settings: {
    group: "audit",
    schema: v.optional(
      v.strictObject({
        retention: v.optional(wholeNumber(1, 36_500), 365),
        required: v.optional(v.boolean("must be true or false"), false),
      }),
      {},
    ),
  },
  additions: { console: async () => (await import("./pages.ts")).pages },
  commands: [auditCommand],
  record: recordChange,
  open({ database, settings: { retention, required }, batch }) {
    const { record } = new AuditTrail(database, { batch, required })
    return {
      observe: record,
      cleanUp: (signal) => pruneAudit(database, retention, signal),
    }
  },
}

export default audit
