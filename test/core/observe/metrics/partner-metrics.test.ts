import { Registry } from "prom-client"
import t from "tap"
import { PartnerMetrics } from "../../../../core/observe/metrics/partner-metrics.ts"
import type { PartnerHealth } from "../../../../core/partners/partner-health.ts"
import { samplesOf, valueOf } from "../../../support/samples.ts"

const well: PartnerHealth = {
  accountId: "id",
  account: "well",
  role: "partner",
  state: "in sync",
  reason: "",
  since: null,
  lastPoll: 1000,
  lastCompleted: 1000,
  lastLogIn: null,
  pollInterval: 60,
  lists: 1,
  stuck: 0,
  behind: 0,
  lag: 0,
  daysUntilResync: 89.5,
  deletionsWaiting: 3,
  moreDeletionsWaiting: false,
  records: 5,
  lastError: null,
  refused: null,
  sessionEnds: null,
  sessions: 1,
}
const refused = { at: 2000, code: null, requestId: null, session: null, address: null }

t.test("PartnerMetrics shows each partner's state and figures, and no others", async (t) => {
  const registry = new Registry()
  const metrics = new PartnerMetrics(registry)
  const late = [{ account: "bad", family: "f", eventId: "e", list: "guests", lag: 70 }]
  metrics.update({
    partners: [{ ...well, account: "bad", state: "locked out", lag: 70, refused }, well],
    late,
  })
  const samples = samplesOf(await registry.metrics())
  const of = (name: string, labels: Record<string, string>) =>
    valueOf(samples, `event_export_partner${name}`, labels)
  t.equal(of("s", { state: "locked out" }), 1)
  t.equal(of("s", { state: "silent" }), 0)
  t.equal(of("_state", { account: "bad", state: "locked out" }), 1)
  t.equal(of("_state", { account: "bad", state: "in sync" }), undefined)
  t.equal(of("_lag_seconds", { account: "bad" }), 70)
  t.equal(of("_lag_seconds", { account: "well" }), 0)
  t.equal(of("_refused_timestamp_seconds", { account: "bad" }), 2000)
  t.equal(of("_refused_timestamp_seconds", { account: "well" }), undefined)
  t.equal(of("_days_until_resync", { account: "well" }), 89.5)
  t.equal(of("_deletions_waiting", { account: "well" }), 3)
  t.equal(of("_last_poll_timestamp_seconds", { account: "well" }), 1000)
  t.equal(of("_list_lag_seconds", { account: "bad", event: "e", list: "guests" }), 70)

  metrics.update({ partners: [well], late: [] })
  t.notMatch(await registry.metrics(), /bad/, "nothing stays of what is no longer so")
  metrics.update(undefined)
  const left = samplesOf(await registry.metrics())
  t.strictSame(left.filter(({ name }) => name.startsWith("event_export_partner")), [])
})

t.test("PartnerMetrics shows the worst thousand of many partners, and counts all", async (t) => {
  const registry = new Registry()
  const metrics = new PartnerMetrics(registry)
  const many = Array.from({ length: 3000 }, (_, n) => ({ ...well, account: `partner-${n}` }))
  const bad = { ...well, account: "bad", state: "stuck" } as const
  metrics.update({ partners: [bad, ...many], late: [] })
  const samples = samplesOf(await registry.metrics())
  const states = samples.filter(({ name }) => name === "event_export_partner_state")
  t.equal(states.length, 1000)
  t.ok(states.some(({ labels }) => labels["account"] === "bad"))
  t.equal(valueOf(samples, "event_export_partners", { state: "in sync" }), 3000)
})
