import { Counter, Histogram, type Registry } from "prom-client"
import type { Exchange, ServiceEvent } from "../../../core/capability.ts"

/** The labels of requests without a route, whatever their path. */
const unmatched = { family: "none", route: "unmatched" }

const knownMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

type ConnectionLimit = Extract<ServiceEvent, { readonly kind: "refused connection" }>["limit"]

/** Metrics of requests. The labels are the names of plugins and the patterns of mounted routes. */
export interface RequestMetrics {
  /** Counts an answered request. */
  record(exchange: Exchange): void
  /** Counts a request that was refused before it was routed. */
  refuse(code: string): void
  /** Counts a connection beyond the limit of this setting. */
  refuseConnection(limit: ConnectionLimit): void
}

/** Makes the metrics of requests. */
export function requestMetrics(registry: Registry): RequestMetrics {
  const ofRoute = ["family", "route"] as const
  const registers = [registry]
  const counter = <Label extends string = never>(
    name: string,
    help: string,
    labelNames: readonly Label[] = [],
  ) => new Counter({ name: `event_export_${name}`, help, labelNames, registers })
  const histogram = (name: string, help: string) =>
    new Histogram({
      name: `event_export_${name}`,
      help,
      labelNames: ofRoute,
      buckets: seconds,
      registers,
    })
  const requests = counter(
    "requests_total",
    "Requests by route, method and status.",
    [...ofRoute, "method", "status"],
  )
  const duration = histogram(
    "request_seconds",
    "Time from a request to its response, without the time that it preferred to wait.",
  )
  const database = histogram("database_seconds", "Time that requests waited for the database.")
  const sent = counter("response_bytes_total", "Bytes of the bodies sent.", ofRoute)
  const records = counter("rows_total", "Records sent.", ofRoute)
  const leftOut = counter(
    "rows_left_out_total",
    "Records that were left out of responses: an id is not a UUID, or a field cannot have the value of its column.",
    ofRoute,
  )
  const problems = counter("problems_total", "Responses with an error, by code.", [
    "family",
    "code",
  ])
  const logIns = counter(
    "log_ins_total",
    "Log-in attempts: accepted, refused, limited or failed.",
    ["result"],
  )
  const delayed = counter(
    "requests_delayed_total",
    "Requests that waited because of the limit per second.",
  )
  const connections = counter(
    "connections_refused_total",
    "Connections that got only health checks, by the setting whose limit they exceeded.",
    ["limit"],
  )
  for (const limit of connectionLimits) connections.inc({ limit }, 0)
  for (const result of logInResults) logIns.inc({ result }, 0)
  return {
    record({ asked, decided: { delay, waited = 0 }, sent: response }) {
      const { match, method, action, watch } = asked
      const { status, bytes, page, problem, began } = response
      const labels = match
        ? { family: match.route.plugin, route: match.route.pattern.text }
        : unmatched
      const known = knownMethods.has(method) ? method : "other"
      requests.inc({ ...labels, method: known, status })
      // The duration of an export depends on its client.
      duration.observe(labels, Math.max(0, (began ?? watch.elapsed) - waited) / 1000)
      const inDatabase = watch.inDatabase
      if (inDatabase > 0 && began === undefined) database.observe(labels, inDatabase / 1000)
      if (bytes > 0) sent.inc(labels, bytes)
      if (page && page.rows > 0) records.inc(labels, page.rows)
      if (page && page.leftOut.length > 0) leftOut.inc(labels, page.leftOut.length)
      if (problem) problems.inc({ family: labels.family, code: problem.code })
      if (delay) delayed.inc()
      if (action === "log-in") logIns.inc({ result: logInResultOf(response) })
    },
    refuse: (code) => problems.inc({ family: unmatched.family, code }),
    refuseConnection: (limit) => connections.inc({ limit }),
  }
}

const connectionLimits = ["connections", "connections_per_address"] satisfies ConnectionLimit[]

const logInResults = ["accepted", "refused", "limited", "failed"] as const

/** Returns how a log-in ended. An accepted one answers with a session, with nothing or with another page. */
function logInResultOf({ status, problem }: Exchange["sent"]): (typeof logInResults)[number] {
  if (status < 400 && !problem) return "accepted"
  return status === 401 ? "refused" : status === 429 ? "limited" : "failed"
}
