import { Registry } from "prom-client"
import t from "tap"
import { wrongId } from "../../../../core/records/kinds/values.ts"
import {
  type RequestMetrics,
  requestMetrics,
} from "../../../../plugins/capabilities/metrics/request-metrics.ts"
import { exchangeOf, sentPageOf } from "../../../support/exchange.ts"
import { samplesOf, valueOf } from "../../../support/samples.ts"

const names = { family: "a-family", route: "/a/route" }
const logIn = { action: "log-in" } as const

interface Case {
  readonly name: string
  readonly requests?: readonly Parameters<typeof exchangeOf>[]
  readonly also?: (metrics: RequestMetrics) => void
  /** By the metric's name and its labels. */
  readonly shows:
    readonly (readonly [string, Readonly<Record<string, string>>, number | undefined])[]
}

const cases: readonly Case[] = [
  {
    name: "times in seconds, and none of a database that a request did not wait for",
    requests: [[{ ...names, ms: 1500, dbMs: 250 }], [{ ...names, ms: 500, dbMs: 0 }]],
    shows: [
      ["request_seconds_sum", names, 2],
      ["request_seconds_count", names, 2],
      ["database_seconds_sum", names, 0.25],
      ["database_seconds_count", names, 1],
    ],
  },
  {
    name: "the time until an export began, not its client's",
    requests: [[{ ...names, ms: 90_000, dbMs: 40_000, began: 500, ending: "complete" }]],
    shows: [
      ["request_seconds_sum", names, 0.5],
      ["database_seconds_count", names, undefined],
    ],
  },
  {
    name: "no time that a request preferred to wait",
    requests: [
      [{ ...names, ms: 5000, waited: 4500 }],
      // Clocks of different resolutions.
      [{ ...names, ms: 100, waited: 101 }],
    ],
    shows: [["request_seconds_sum", names, 0.5], ["request_seconds_count", names, 2]],
  },
  {
    name: "log-ins by their result, by program and by browser",
    requests: [
      ...[200, 204, 303, 401, 401, 429, 503].map((status) => [{ ...logIn, status }] as [object]),
      // A page may word a refusal with a status of its own.
      [{ ...logIn, status: 200, code: "unavailable" }],
      [{ action: "list", status: 401 }],
    ],
    shows: [
      ["log_ins_total", { result: "accepted" }, 3],
      ["log_ins_total", { result: "refused" }, 2],
      ["log_ins_total", { result: "limited" }, 1],
      ["log_ins_total", { result: "failed" }, 2],
    ],
  },
  {
    name: "a problem under its family, and one before routing under none",
    requests: [
      [{ ...names, status: 404, code: "event_not_found" }],
      [{ status: 404, code: "not_found" }],
    ],
    also: (metrics) => metrics.refuse("url_too_long"),
    shows: [
      ["problems_total", { family: "a-family", code: "event_not_found" }, 1],
      ["problems_total", { family: "none", code: "not_found" }, 1],
      ["problems_total", { family: "none", code: "url_too_long" }, 1],
      ["requests_total", { family: "none", route: "unmatched", status: "404" }, 1],
    ],
  },
  {
    name: "delayed requests and refused connections",
    requests: [[{ ...names, delay: 30 }], [names]],
    also: (metrics) => metrics.refuseConnection("connections_per_address"),
    shows: [
      ["requests_delayed_total", {}, 1],
      ["connections_refused_total", { limit: "connections_per_address" }, 1],
      ["connections_refused_total", { limit: "connections" }, 0],
    ],
  },
  {
    name: "records that were left out",
    requests: [0, 2, 3].map((count) => [
      names,
      sentPageOf({ leftOut: Array(count).fill(wrongId) }),
    ]),
    shows: [["rows_left_out_total", names, 5]],
  },
]

for (const { name, requests = [], also, shows } of cases) {
  t.test(`RequestMetrics counts ${name}`, async (t) => {
    const registry = new Registry()
    const metrics = requestMetrics(registry)
    for (const request of requests) metrics.record(exchangeOf(...request))
    also?.(metrics)
    const samples = samplesOf(await registry.metrics())
    for (const [metric, labels, value] of shows) {
      t.equal(valueOf(samples, `event_export_${metric}`, labels), value, metric)
    }
  })
}
