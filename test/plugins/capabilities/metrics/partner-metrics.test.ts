import t from "tap"
import {
  partnerMetrics,
  RejectedParameters,
} from "../../../../plugins/capabilities/partners/metrics.ts"
import { exchangeOf } from "../../../support/exchange.ts"
import { health } from "../../../support/partner-health.ts"
import type { PartnerHealth } from "../../../../plugins/capabilities/partners/partner-health.ts"

const well: PartnerHealth = {
  ...health,
  account: "well",
  lastPoll: 1000,
  daysUntilResync: 89.5,
  deletionsWaiting: 3,
}
const refused = { at: 2000, code: null, requestId: null, ended: undefined, address: null }

/** Returns what finds the value of a metric of partners. */
function shown(numbers: Parameters<typeof partnerMetrics>[0]) {
  const metrics = partnerMetrics(numbers)
  return (name: string, labels: Record<string, string>) =>
    metrics.find((each) => each.name === `event_export_partner${name}`)?.values.find((
      { labels: found = {} },
    ) => Object.entries(labels).every(([label, value]) => found[label] === value))?.value
}

t.test("partnerMetrics shows each partner's state and figures, and no others", async (t) => {
  const late = [{ account: "bad", family: "f", eventId: "e", list: "guests", lag: 70 }]
  const of = shown({
    partners: [{ ...well, account: "bad", state: "locked out", lag: 70, refused }, well],
    late,
  })
  const expected = [
    ["s", { state: "locked out" }, 1],
    ["s", { state: "silent" }, 0],
    ["_state", { account: "bad", state: "locked out" }, 1],
    ["_state", { account: "bad", state: "in sync" }, undefined],
    ["_lag_seconds", { account: "bad" }, 70],
    ["_lag_seconds", { account: "well" }, 0],
    ["_refused_timestamp_seconds", { account: "bad" }, 2000],
    ["_refused_timestamp_seconds", { account: "well" }, undefined],
    ["_days_until_resync", { account: "well" }, 89.5],
    ["_deletions_waiting", { account: "well" }, 3],
    ["_last_poll_timestamp_seconds", { account: "well" }, 1000],
    ["_list_lag_seconds", { account: "bad", event: "e", list: "guests" }, 70],
  ] as const
  for (const [name, labels, value] of expected) t.equal(of(name, { ...labels }), value, name)
  t.notMatch(JSON.stringify(partnerMetrics({ partners: [well], late: [] })), /bad/)
  t.strictSame(partnerMetrics(undefined).flatMap(({ values }) => values), [])
})

t.test("partnerMetrics shows the worst thousand of many partners, and counts all", async (t) => {
  const many = Array.from({ length: 3000 }, (_, n) => ({ ...well, account: `partner-${n}` }))
  const bad = { ...well, account: "bad", state: "stuck" } as const
  const metrics = partnerMetrics({ partners: [bad, ...many], late: [] })
  const states = metrics.find(({ name }) => name === "event_export_partner_state")?.values ?? []
  t.equal(states.length, 1000)
  t.ok(states.some(({ labels }) => labels?.["account"] === "bad"))
  t.equal(shown({ partners: [bad, ...many], late: [] })("s", { state: "in sync" }), 3000)
})

t.test("RejectedParameters counts the parameters of accounts beyond 200 together", async (t) => {
  const rejected = new RejectedParameters()
  for (let n = 0; n < 500; n++) {
    rejected.record(exchangeOf({ account: `partner-${n}`, role: "partner", rejected: ["q"] }))
  }
  const { values } = rejected.metric
  t.ok(values.length <= 201)
  t.equal(values.find(({ labels }) => labels?.["account"] === "other")?.value, 300)
})

t.test("RejectedParameters counts those of operators and viewers together, and of nobody not at all", async (t) => {
  const rejected = new RejectedParameters()
  const role = (role: "operator" | "viewer" | "service", account: string) => ({ role, account })
  for (const who of [role("operator", "ann"), role("viewer", "bob"), role("service", "acme"), {}]) {
    rejected.record(exchangeOf({ ...who, rejected: ["q"], code: "invalid_parameter" }))
  }
  const of = (account: string) => ({ account, parameter: "q", code: "invalid_parameter" })
  t.strictSame(rejected.metric.values, [
    { labels: of("operator"), value: 2 },
    { labels: of("acme"), value: 1 },
  ])
})
