import type { Kysely } from "kysely"
import type { Capability } from "../../../core/capability.ts"
import type { Schema } from "../../../core/tables.ts"
import { partnersCommand } from "./command.ts"
import { recordAddresses } from "./last-request.ts"
import { forgetAccount } from "./forget-account.ts"
import { partnerMetrics, RejectedParameters } from "./metrics.ts"
import { watchPartners } from "./partner-numbers.ts"
import { prunePartners } from "./prune-partners.ts"
import { recordRefusals } from "./refusal-trail.ts"
import { lowerTimes } from "./lower-times.ts"
import { SyncTrail } from "./sync-trail.ts"
import { judgeRows } from "./sync-rows.ts"
import { partnersTables } from "./tables.ts"

/** Partner health: who is in sync, who is not, and why. */
const partners: Capability = {
  name: "partners",
  summary: "Shows which partners are in sync, and why others are not",
  additions: {
    console: async () => (await import("./pages.ts")).pages,
    me: async () => (await import("./own/sections.ts")).own,
  },
  storage: {
    name: "partners",
    tables: partnersTables,
    // Version 1.3 wrote rows without deadlines.
    fill: (db, dialect) => judgeRows(db as Kysely<Schema>, dialect),
  },
  commands: [partnersCommand],
  record: forgetAccount,
  open({ database, plan, log, batch, keep }) {
    const { polling: { retention }, routes } = plan
    const trail = new SyncTrail(database, { batch, routes })
    const numbers = watchPartners(database, { retention, log })
    const recordRefusal = recordRefusals(database, { batch })
    const recordAddress = recordAddresses(database, { batch })
    const rejected = keep("rejected", () => new RejectedParameters())
    return {
      observe(exchange) {
        trail.record(exchange)
        recordRefusal(exchange)
        recordAddress(exchange)
        rejected.record(exchange)
      },
      async cleanUp(signal) {
        await lowerTimes(database.background, database.dialect, signal)
        await judgeRows(database.background, database.dialect, signal)
        return await prunePartners(database, signal)
      },
      metrics: async () => [...partnerMetrics(await numbers()), rejected.metric],
    }
  },
}

export default partners
