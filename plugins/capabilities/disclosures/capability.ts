import * as v from "valibot"
import { type Capability, gauge, groupOf, wholeNumber } from "../../../core/capability.ts"
import { disclosuresCommand } from "./command.ts"
import { disclosureTrail } from "./disclosure-trail.ts"
import { erasureTrail } from "./erasure-trail.ts"
import { keepName } from "./former-recipients.ts"
import { withdrawalsOf } from "./ends.ts"
import { overdueCounts } from "./overdue-counts.ts"
import { overdueDays } from "./overdue.ts"
import { pruneDisclosures } from "./prune.ts"
import { disclosuresTables } from "./tables.ts"

/** The ledger: who was sent which records, and what they know about deletions. */
const disclosures: Capability<{ readonly retention: number; readonly withdrawals: number }> = {
  name: "disclosures",
  summary: "Records who was sent which records, and what they know about deletions",
  storage: { name: "disclosures", tables: disclosuresTables },
  settings: {
    group: "disclosures",
    schema: groupOf({
      retention: v.optional(wholeNumber(1, 36_500), 2190),
      withdrawals: v.optional(wholeNumber(0, 8760), 24),
    }),
  },
  additions: {
    console: async () => (await import("./page.ts")).pages,
    me: async () => (await import("./own.ts")).own,
  },
  commands: [disclosuresCommand],
  record: keepName,
  open({ database, plan, settings, batch }) {
    const observeRecords = disclosureTrail(database, { batch })
    const observeDeletions = erasureTrail(database, { batch })
    const overdue = overdueCounts(database, overdueDays, withdrawalsOf(plan))
    return {
      observe(exchange) {
        observeRecords(exchange)
        observeDeletions(exchange)
      },
      onBegin: observeRecords,
      cleanUp: (signal) => pruneDisclosures(database, settings.retention, signal),
      metrics() {
        const { deleted, withdrawn } = overdue.latest()
        const valuesOf = (counts: typeof deleted) =>
          [...counts].map(([account, value]) => ({ labels: { account }, value }))
        return [
          gauge(
            "event_export_erasures_overdue",
            "Deleted guests that the account received and whose deletion it has not acknowledged in time.",
            valuesOf(deleted),
          ),
          gauge(
            "event_export_withdrawals_overdue",
            "Guests that have left the account's list by their consent and whose withdrawal it has not acknowledged in time.",
            valuesOf(withdrawn),
          ),
        ]
      },
    }
  },
}

export default disclosures
