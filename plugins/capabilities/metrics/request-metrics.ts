import { Counter, Histogram, type Registry } from "prom-client"
import type { ConnectionLimit, Facts } from "../../../core/capability.ts"

/** The labels of requests without a route, whatever their path. */
const unmatched = { family: "none", route: "unmatched" }

const knownMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Metrics of requests. The labels are the names of plugins and the patterns of mounted routes. */
export class RequestMetrics {
  readonly #requests
  readonly #duration
  readonly #database
  readonly #bytes
  readonly #rows
  readonly #leftOut
  readonly #problems
  readonly #logIns
  readonly #delayed
  readonly #connections

  constructor(registry: Registry) {
    const counter = <Label extends string = never>(
      name: string,
      help: string,
      labelNames: readonly Label[] = [],
    ) => new Counter({ name: `event_export_${name}`, help, labelNames, registers: [registry] })
    const ofRoute = ["family", "route"] as const
    const times = { labelNames: ofRoute, buckets: seconds, registers: [registry] }
    this.#requests = counter(
      "requests_total",
      "Requests by route, method and status.",
      [...ofRoute, "method", "status"],
    )
    this.#duration = new Histogram({
      name: "event_export_request_seconds",
      help: "Time from a request to its response, without that which it preferred to wait.",
      ...times,
    })
    this.#database = new Histogram({
      name: "event_export_database_seconds",
      help: "Time that requests waited for the database.",
      ...times,
    })
    this.#bytes = counter("response_bytes_total", "Bytes of the bodies sent.", ofRoute)
    this.#rows = counter("rows_total", "Records sent.", ofRoute)
    this.#leftOut = counter(
      "rows_left_out_total",
      "Records that were left out of responses because their ids are no UUIDs.",
      ofRoute,
    )
    this.#problems = counter("problems_total", "Responses with an error, by code.", [
      "family",
      "code",
    ])
    this.#logIns = counter(
      "log_ins_total",
      "Log-in attempts: accepted, refused, limited or failed.",
      ["result"],
    )
    this.#delayed = counter(
      "requests_delayed_total",
      "Requests that waited because of the limit per second.",
    )
    this.#connections = counter(
      "connections_refused_total",
      "Connections that got nothing but health checks, by the setting that they were beyond.",
      ["limit"],
    )
    for (const limit of connectionLimits) this.#connections.inc({ limit }, 0)
    for (const result of Object.values(logInResults)) this.#logIns.inc({ result }, 0)
    this.#logIns.inc({ result: "failed" }, 0)
  }

  /** Counts an answered request. */
  record({ line, page }: Facts): void {
    const { family, route, method, status, code, rows, bytes, delayMs, action } = line
    const { ms, dbMs, beginMs, waitedMs = 0 } = line
    const labels = family !== undefined && route !== undefined ? { family, route } : unmatched
    const known = method !== undefined && knownMethods.has(method) ? method : "other"
    this.#requests.inc({ ...labels, method: known, status })
    // How long an export takes depends on its client.
    this.#duration.observe(labels, Math.max(0, (beginMs ?? ms) - waitedMs) / 1000)
    if (dbMs > 0 && beginMs === undefined) this.#database.observe(labels, dbMs / 1000)
    if (bytes > 0) this.#bytes.inc(labels, bytes)
    if (rows !== undefined && rows > 0) this.#rows.inc(labels, rows)
    if (page && page.leftOut > 0) this.#leftOut.inc(labels, page.leftOut)
    if (code !== undefined) this.#problems.inc({ family: labels.family, code })
    if (delayMs !== undefined) this.#delayed.inc()
    if (action === "log-in") this.#logIns.inc({ result: logInResults[status] ?? "failed" })
  }

  /** Counts a request that was refused before it was routed. */
  refuse(code: string): void {
    this.#problems.inc({ family: unmatched.family, code })
  }

  /** Counts a connection beyond the limit of this setting. */
  refuseConnection(limit: ConnectionLimit): void {
    this.#connections.inc({ limit })
  }
}

const connectionLimits = ["connections", "connections_per_address"] satisfies ConnectionLimit[]

const logInResults: Readonly<Record<number, string>> = {
  204: "accepted",
  401: "refused",
  429: "limited",
}
