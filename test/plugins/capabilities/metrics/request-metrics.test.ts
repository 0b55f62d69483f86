import { Registry } from "prom-client"
import t from "tap"
import {
  type RequestMetrics,
  requestMetrics,
} from "../../../../plugins/capabilities/metrics/request-metrics.ts"
import { factsOf, pageFactsOf } from "../../../support/facts.ts"
import { samplesOf, valueOf } from "../../../support/samples.ts"

const names = { family: "a-family", route: "/a/route" }

async function measure(record: (metrics: RequestMetrics) => void) {
  const registry = new Registry()
  record(requestMetrics(registry))
  const samples = samplesOf(await registry.metrics())
  return (name: string, labels: Readonly<Record<string, string>> = {}) =>
    valueOf(samples, `event_export_${name}`, labels)
}

t.test("RequestMetrics.record counts times in seconds", async (t) => {
  const value = await measure((metrics) => {
    metrics.record(factsOf({ ...names, ms: 1500, dbMs: 250 }))
    metrics.record(factsOf({ ...names, ms: 500, dbMs: 0 }))
  })
  t.equal(value("request_seconds_sum", names), 2)
  t.equal(value("request_seconds_count", names), 2)
  t.equal(value("database_seconds_sum", names), 0.25)
  t.equal(value("database_seconds_count", names), 1, "a request that did not wait is not counted")
})

t.test("RequestMetrics.record counts the time until an export began, not its client's", async (t) => {
  const value = await measure((metrics) => {
    metrics.record(
      factsOf({ ...names, ms: 90_000, dbMs: 40_000, beginMs: 500, ending: "complete" }),
    )
  })
  t.equal(value("request_seconds_sum", names), 0.5)
  t.equal(value("database_seconds_count", names), undefined)
})

t.test("RequestMetrics.record counts no time that a request preferred to wait", async (t) => {
  const value = await measure((metrics) => {
    metrics.record(factsOf({ ...names, ms: 5000, waitedMs: 4500 }))
    // Clocks of different resolutions.
    metrics.record(factsOf({ ...names, ms: 100, waitedMs: 101 }))
  })
  t.equal(value("request_seconds_sum", names), 0.5)
  t.equal(value("request_seconds_count", names), 2)
})

t.test("RequestMetrics.record counts log-ins by their result, and shows each result from the start on", async (t) => {
  const results = { accepted: 204, refused: 401, limited: 429, failed: 503 }
  const before = await measure(() => {})
  const after = await measure((metrics) => {
    for (const [index, status] of Object.values(results).entries()) {
      for (let n = 0; n <= index; n++) metrics.record(factsOf({ action: "log-in", status }))
    }
    metrics.record(factsOf({ action: "list", status: 401 }))
  })
  for (const [index, result] of Object.keys(results).entries()) {
    t.equal(before("log_ins_total", { result }), 0)
    t.equal(after("log_ins_total", { result }), index + 1, result)
  }
})

t.test("RequestMetrics.record counts log-ins as accepted by program and by browser", async (t) => {
  const value = await measure((metrics) => {
    for (const status of [200, 204, 303]) metrics.record(factsOf({ action: "log-in", status }))
    // A page may word a refusal with a status of its own.
    metrics.record(factsOf({ action: "log-in", status: 200, code: "unavailable" }))
  })
  t.equal(value("log_ins_total", { result: "accepted" }), 3)
  t.equal(value("log_ins_total", { result: "failed" }), 1)
})

t.test("RequestMetrics.record counts a problem under its family, and one before routing under none", async (t) => {
  const value = await measure((metrics) => {
    metrics.record(factsOf({ ...names, status: 404, code: "event_not_found" }))
    metrics.record(factsOf({ status: 404, code: "not_found" }))
    metrics.refuse("url_too_long")
  })
  t.equal(value("problems_total", { family: "a-family", code: "event_not_found" }), 1)
  for (const code of ["not_found", "url_too_long"]) {
    t.equal(value("problems_total", { family: "none", code }), 1)
  }
  t.equal(value("requests_total", { family: "none", route: "unmatched", status: "404" }), 1)
})

t.test("RequestMetrics counts delayed requests and refused connections", async (t) => {
  const value = await measure((metrics) => {
    metrics.record(factsOf({ ...names, delayMs: 30 }))
    metrics.record(factsOf(names))
    metrics.refuseConnection("connections_per_address")
  })
  t.equal(value("requests_delayed_total"), 1)
  t.equal(value("connections_refused_total", { limit: "connections_per_address" }), 1)
  t.equal(value("connections_refused_total", { limit: "connections" }), 0)
})

t.test("RequestMetrics.record counts records that were left out", async (t) => {
  const value = await measure((metrics) => {
    for (const leftOut of [0, 2, 3]) metrics.record(factsOf(names, pageFactsOf({ leftOut })))
  })
  t.equal(value("rows_left_out_total", names), 5)
})
