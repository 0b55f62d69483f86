import { Registry } from "prom-client"
import t from "tap"
import { PartnerMetrics } from "../../../../core/observe/metrics/partner-metrics.ts"
import { factsOf, pageFactsOf } from "../../../support/facts.ts"
import { samplesOf } from "../../../support/samples.ts"

const aDay = 86_400_000

t.test("PartnerMetrics forgets everything about the series that gives way to a new one", async (t) => {
  const registry = new Registry()
  const metrics = new PartnerMetrics(registry)
  let now = 1_700_000_000_000
  t.intercept(Date, "now", { value: () => now })
  const poll = (event: string) =>
    metrics.record(
      factsOf(
        { family: "f", account: "partner", role: "partner", event, rows: 0, since: 0 },
        pageFactsOf(),
      ),
    )
  const ofEvent = async (event: string) =>
    samplesOf(await registry.metrics()).filter(({ labels }) => labels["event"] === event)
      .map(({ name }) => name.replace("event_export_partner_", "")).sort()
  const all = [
    "last_poll_timestamp_seconds",
    "poll_interval_seconds",
    "since_age_seconds",
    "walks_begun_total",
    "walks_completed_total",
  ]

  for (let n = 0; n < 1000; n++) poll(`event-${n}`)
  t.strictSame(await ofEvent("event-0"), all)
  now += aDay - 1
  poll("event-early")
  t.strictSame(await ofEvent("event-early"), [], "no series has been idle for a day")
  t.strictSame(await ofEvent("other"), all)
  now += 1
  poll("event-new")
  t.strictSame(await ofEvent("event-new"), all)
  t.strictSame(await ofEvent("event-0"), [])
  t.strictSame(await ofEvent("event-1"), all, "the others stay until their place is needed")
})

t.test("PartnerMetrics tells how far back the since of a walk is, if it has one", async (t) => {
  const registry = new Registry()
  const metrics = new PartnerMetrics(registry)
  t.intercept(Date, "now", { value: () => 1_700_000_000_000 })
  const ages = async (line: { readonly since?: number; readonly offset?: number }) => {
    metrics.record(
      factsOf(
        { account: "partner", event: "e", ...line },
        pageFactsOf({ rows: 1, hasNext: true }),
      ),
    )
    return samplesOf(await registry.metrics())
      .filter(({ name }) => name === "event_export_partner_since_age_seconds")
      .map(({ value }) => value)
  }
  t.strictSame(await ages({ since: -1 }), [], "everything: there is no time to tell")
  t.strictSame(await ages({ since: 1_699_999_940 }), [60])
  t.strictSame(await ages({ since: 1_700_000_030 }), [0], "never negative")
  t.strictSame(await ages({ since: 1_600_000_000, offset: 10 }), [0], "only first pages count")
})
