import { Registry } from "prom-client"
import t from "tap"
import { PartnerMetrics } from "../../../../core/observe/metrics/partner-metrics.ts"
import { continueTrace, Stopwatch } from "../../../../core/request/incoming-request.ts"
import { samplesOf } from "../../../support/samples.ts"

const aDay = 86_400_000

t.test("PartnerMetrics forgets everything about the series that gives way to a new one", async (t) => {
  const registry = new Registry()
  const metrics = new PartnerMetrics(registry)
  let now = 1_700_000_000_000
  t.intercept(Date, "now", { value: () => now })
  const poll = (event: string) =>
    metrics.record({
      line: {
        ...{ id: "", traceId: "", spanId: "", method: "GET", address: "", status: 200 },
        ...{ bytes: 0, ms: 1, dbMs: 1, rows: 0, since: 0, family: "f" },
        ...{ account: "partner", role: "partner", event },
      },
      page: { list: "guests", rows: 0, cursor: undefined, pollInterval: 60, hasNext: false },
      isQuiet: false,
      trace: continueTrace(null),
      watch: new Stopwatch(),
    })
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
  now += aDay
  poll("event-new")
  t.strictSame(await ofEvent("event-new"), all)
  t.strictSame(await ofEvent("event-0"), [])
  t.strictSame(await ofEvent("event-1"), all, "the others stay until their place is needed")
})
