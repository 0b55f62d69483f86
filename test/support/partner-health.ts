import type { ListHealth } from "../../plugins/capabilities/partners/list-health.ts"
import type { PartnerHealth } from "../../plugins/capabilities/partners/partner-health.ts"

/** The time at which a partner is looked at, in Unix seconds. */
export const now = 1_750_000_000

/** The health of a partner that is in sync. */
export const health: PartnerHealth = {
  ...{ accountId: "a", account: "acme", role: "service", state: "in sync", reason: "" },
  ...{
    since: null,
    lastPoll: now - 60,
    lastRequest: null,
    lastCompleted: null,
    lastLogIn: null,
    pollInterval: 60,
  },
  ...{ lists: 3, stuck: 0, behind: 0, partial: 0, causes: [], lag: 0 },
  ...{ daysUntilResync: null, deletionsWaiting: 0, moreDeletionsWaiting: false, records: 0 },
  ...{ lastError: null, noAccess: null, refused: null, sessionEnds: null, sessions: 0, tokens: 0 },
}

/** A list of a partner that is behind, and has never been read to its end. */
export const list: ListHealth = {
  ...{ accountId: "a", account: "acme", role: "service", eventId: "e", eventName: "Gala" },
  ...{ eventStatus: "running", organization: "o", family: "f", prefix: "/f/v1", list: "guests" },
  ...{
    kind: "guests",
    state: "behind",
    cause: "late",
    hasGrant: true,
    lastPoll: now - 180,
    pollInterval: 60,
  },
  ...{ actualInterval: null, walkStarted: now - 9, walkSince: null, walkCompleted: null },
  ...{ acknowledged: null, covered: null, skippedTo: null, asksSince: null, newest: now - 60 },
  ...{ lag: 0, daysUntilResync: null, deletionsWaiting: 0, moreDeletionsWaiting: false },
  ...{ records: 0, lastError: null },
}
