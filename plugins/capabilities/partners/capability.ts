import type { Capability } from "../../../core/capability.ts"
import { partnersCommand } from "./command.ts"
import { findLastFamily } from "./last-family.ts"
import { partnerMetrics, RejectedParameters } from "./metrics.ts"
import { watchPartners } from "./partner-watch.ts"
import { prunePartners } from "./prune-partners.ts"
import { RefusalTrail } from "./refusal-trail.ts"
import { SyncTrail } from "./sync-trail.ts"
import { partnersStorage } from "./storage.ts"

/** Partners' health: who is in sync, who is not, and why. */
const partners: Capability = {
  name: "partners",
  summary: "Says which partners are in sync, and why one is not",
  additions: { console: async () => (await import("./pages.ts")).pages },
  storage: partnersStorage,
  commands: [partnersCommand],
  open({ database, plan: { polling: { retention } }, log, batch, kept }) {
    const trail = new SyncTrail(database, { batch })
    const numbers = watchPartners(database, { retention, log })
    const refusals = new RefusalTrail(database, { batch })
    const rejected = kept("rejected", () => new RejectedParameters())
    return {
      observe(facts) {
        trail.record(facts)
        refusals.record(facts)
        rejected.record(facts)
      },
      findLastFamily,
      cleanUp: (signal) => prunePartners(database, signal),
      metrics: async () => [...partnerMetrics(await numbers()), rejected.metric],
    }
  },
}

export default partners
