import type { PartnerHealth } from "../../plugins/capabilities/partners/partner-health.ts"

/** The time at which a partner is looked at, in Unix seconds. */
export const now = 1_750_000_000

/** The health of a partner that is in sync. */
export const health: PartnerHealth = {
  accountId: "a",
  account: "acme",
  role: "service",
  state: "in sync",
  reason: "",
  since: null,
  lastPoll: now - 60,
  lastCompleted: null,
  lastLogIn: null,
  pollInterval: 60,
  lists: 3,
  stuck: 0,
  behind: 0,
  skipping: 0,
  ahead: 0,
  partial: 0,
  unreadEvents: 0,
  lag: 0,
  daysUntilResync: null,
  deletionsWaiting: 0,
  moreDeletionsWaiting: false,
  records: 0,
  lastError: null,
  noAccess: null,
  refused: null,
  sessionEnds: null,
  sessions: 0,
  muted: null,
}
