import { Counter, Gauge, type Registry } from "prom-client"
import type { ChangeLogNumbers } from "../../change-log/change-log.ts"
import type { BatchNumbers } from "../../data/batch.ts"
import type { ConnectionNumbers } from "../../data/database.ts"
import type { RecordCacheNumbers } from "../../records/record-cache.ts"
import type { WaitingNumbers } from "../../request/waiting/waiting.ts"
import type { ReloadOutcome } from "../../routes/contract.ts"
import { ChangeLogMetrics } from "./change-log-metrics.ts"
import { ErasureMetrics } from "./erasure-metrics.ts"
import type { NodeNumbers } from "./node-metrics.ts"

/** The numbers of a service at the time of a reading of its metrics. */
export interface ServiceNumbers {
  readonly ready: boolean
  /** `away`: no server is fit to answer. `cut off`: the one that takes writes cannot be reached. */
  readonly databaseState: "ok" | "away" | "cut off"
  /** The current configuration, and if the one in the file has been refused. */
  readonly config: {
    readonly hash: string
    /** Unix seconds. */
    readonly since: number
    readonly refused: boolean
  }
  /** The database's name and version. */
  readonly database: string
  readonly connections: ConnectionNumbers
  /** By the name of the batch. */
  readonly batches: Readonly<Record<string, BatchNumbers>>
  readonly changes: ChangeLogNumbers
  /** Undefined if the database is a single server. */
  readonly nodes: NodeNumbers | undefined
  /** Undefined if no records are kept. */
  readonly records: RecordCacheNumbers | undefined
  readonly waiting: WaitingNumbers
  /** When the sessions of unattended programs end, by account; undefined if they cannot be read now. */
  readonly sessionEnds: ReadonlyMap<string, number> | undefined
  /** Guests whose erasure is overdue, by account. */
  readonly overdue: ReadonlyMap<string, number>
  /** Lines of the log that standard output did not take. */
  readonly lostLines: number
}

/** Metrics of the service itself, updated at each reading. */
export class ServiceMetrics {
  readonly #ready
  readonly #databaseState
  readonly #info
  readonly #since
  readonly #refused
  readonly #reloads
  readonly #connections
  readonly #waits
  readonly #waiting
  readonly #age
  readonly #dropped
  readonly #lostLines
  readonly #cacheBytes
  readonly #pageRecords
  readonly #held
  readonly #wakes
  readonly #changes
  readonly #erasures

  constructor(registry: Registry) {
    const registers = [registry]
    this.#ready = new Gauge({
      name: "event_export_ready",
      help: "1 if the service can answer requests, as /readyz says.",
      registers,
    })
    this.#databaseState = new Gauge({
      name: "event_export_database_state",
      help: "1 for the state that the database is in for this process: ok, away or cut off.",
      labelNames: ["state"],
      registers,
    })
    this.#info = new Gauge({
      name: "event_export_info",
      help: "1, with the hash of the current configuration and the database as labels.",
      labelNames: ["config", "database"],
      registers,
    })
    this.#since = new Gauge({
      name: "event_export_config_applied_timestamp_seconds",
      help: "Time since when the configuration applies, in Unix seconds.",
      registers,
    })
    this.#refused = new Gauge({
      name: "event_export_config_refused",
      help: "1 while the configuration in the file is refused, and an older one applies.",
      registers,
    })
    this.#reloads = new Counter({
      name: "event_export_reloads_total",
      help: "Reloads of the configuration, by result.",
      labelNames: ["result"],
      registers,
    })
    this.#connections = new Gauge({
      name: "event_export_database_connections",
      help: "Connections for reading: used, waited for, and the upper bound.",
      labelNames: ["state"],
      registers,
    })
    this.#waits = new Counter({
      name: "event_export_database_connection_waits_total",
      help: "Reads that found all connections in use.",
      registers,
    })
    this.#waiting = new Gauge({
      name: "event_export_batch_waiting",
      help: "Entries waiting to be written.",
      labelNames: ["batch"],
      registers,
    })
    this.#age = new Gauge({
      name: "event_export_batch_age_seconds",
      help: "Time that the oldest entry has been waiting to be written.",
      labelNames: ["batch"],
      registers,
    })
    this.#dropped = new Counter({
      name: "event_export_batch_dropped_total",
      help: "Entries that were not written, and are lost.",
      labelNames: ["batch"],
      registers,
    })
    this.#lostLines = new Counter({
      name: "event_export_log_dropped_total",
      help: "Lines of the log that are lost because standard output did not take them.",
      registers,
    })
    this.#cacheBytes = new Gauge({
      name: "event_export_record_cache_bytes",
      help: "Memory in use for encoded records.",
      registers,
    })
    this.#pageRecords = new Counter({
      name: "event_export_page_records_total",
      help: "Records of pages that were put together: from the cache, or read for it.",
      labelNames: ["from"],
      registers,
    })
    this.#held = new Gauge({
      name: "event_export_requests_held",
      help: "Requests that wait for something new, as their clients prefer.",
      registers,
    })
    this.#wakes = new Counter({
      name: "event_export_wakes_total",
      help: "How often a change of an event ended the wait of a request.",
      registers,
    })
    this.#changes = new ChangeLogMetrics(registry)
    this.#erasures = new ErasureMetrics(registry)
    for (const result of ["applied", "refused"] as const) this.#reloads.inc({ result }, 0)
  }

  /** Counts a reload. */
  reloaded({ result }: ReloadOutcome): void {
    this.#reloads.inc({ result })
  }

  /** Takes over the numbers. Waits for connections are counted anew with each configuration. */
  update(numbers: ServiceNumbers): void {
    const { ready, config, database, connections, batches, changes, records, lostLines } = numbers
    this.#changes.update(changes)
    this.#erasures.update(numbers.overdue)
    this.#ready.set(Number(ready))
    for (const state of ["ok", "away", "cut off"] as const) {
      this.#databaseState.set({ state }, Number(state === numbers.databaseState))
    }
    this.#info.reset()
    this.#info.set({ config: config.hash, database }, 1)
    this.#since.set(config.since)
    this.#refused.set(Number(config.refused))
    for (const state of ["used", "waiting", "most"] as const) {
      this.#connections.set({ state }, connections[state])
    }
    this.#waits.reset()
    this.#waits.inc(connections.waits)
    this.#lostLines.reset()
    this.#lostLines.inc(lostLines)
    this.#cacheBytes.set(records?.bytes ?? 0)
    this.#pageRecords.reset()
    this.#pageRecords.inc({ from: "cache" }, records?.known ?? 0)
    this.#pageRecords.inc({ from: "database" }, records?.read ?? 0)
    this.#held.set(numbers.waiting.held)
    this.#wakes.reset()
    this.#wakes.inc(numbers.waiting.wakes)
    this.#dropped.reset()
    for (const [batch, { waiting, age, dropped }] of Object.entries(batches)) {
      this.#waiting.set({ batch }, waiting)
      this.#age.set({ batch }, age / 1000)
      this.#dropped.inc({ batch }, dropped)
    }
  }
}
