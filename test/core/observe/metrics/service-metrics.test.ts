import { Registry } from "prom-client"
import t from "tap"
import {
  ServiceMetrics,
  type ServiceNumbers,
} from "../../../../core/observe/metrics/service-metrics.ts"
import { samplesOf, valueOf } from "../../../support/samples.ts"

const numbers: ServiceNumbers = {
  ready: true,
  databaseState: "ok",
  config: { hash: "a-hash", since: 1_700_000_000, refused: false },
  database: "SQLite 3.50",
  connections: { most: 16, used: 3, waiting: 2, waits: 40 },
  batches: {
    audit: { waiting: 7, age: 2500, dropped: 5 },
    activity: { waiting: 0, age: 0, dropped: 0 },
  },
  changes: { faults: ["one", "two"], age: 3.5, oldestOpen: 125, deadlocks: 6 },
  nodes: undefined,
  records: { bytes: 4000, known: 995, read: 5 },
  waiting: { held: 12, wakes: 34 },
  sessionEnds: undefined,
  overdue: new Map([["acme", 3]]),
  lostLines: 9,
}

/** Returns the samples after some readings, one after the other. */
async function after(...readings: readonly ServiceNumbers[]) {
  const registry = new Registry()
  const metrics = new ServiceMetrics(registry)
  for (const reading of readings) metrics.update(reading)
  const samples = samplesOf(await registry.metrics())
  return {
    samples,
    value: (name: string, labels: Readonly<Record<string, string>> = {}) =>
      valueOf(samples, `event_export_${name}`, labels),
  }
}

t.test("ServiceMetrics.update shows each number under its name, times in seconds", async (t) => {
  const { value } = await after(numbers)
  t.equal(value("ready"), 1)
  t.equal(value("config_applied_timestamp_seconds"), 1_700_000_000)
  t.equal(value("info", { config: "a-hash", database: "SQLite 3.50" }), 1)
  t.equal(value("database_connections", { state: "used" }), 3)
  t.equal(value("database_connections", { state: "waiting" }), 2)
  t.equal(value("database_connections", { state: "most" }), 16)
  t.equal(value("database_connection_waits_total"), 40)
  t.equal(value("batch_waiting", { batch: "audit" }), 7)
  t.equal(value("batch_age_seconds", { batch: "audit" }), 2.5)
  t.equal(value("batch_dropped_total", { batch: "audit" }), 5)
  t.equal(value("batch_dropped_total", { batch: "activity" }), 0)
  t.equal(value("log_dropped_total"), 9)
  t.equal(value("erasures_overdue", { account: "acme" }), 3)
  t.equal(value("requests_held"), 12)
  t.equal(value("wakes_total"), 34)
  t.equal(value("record_cache_bytes"), 4000)
  t.equal(value("page_records_total", { from: "cache" }), 995)
  t.equal(value("page_records_total", { from: "database" }), 5)
})

t.test("ServiceMetrics.update shows the latest numbers only, and adds nothing up", async (t) => {
  const next = {
    ...numbers,
    ready: false,
    config: { ...numbers.config, hash: "another" },
    connections: { ...numbers.connections, waits: 41 },
    batches: { ...numbers.batches, audit: { waiting: 0, age: 0, dropped: 6 } },
  }
  const { samples, value } = await after(numbers, next, next)
  t.equal(value("log_dropped_total"), 9)
  t.equal(value("wakes_total"), 34)
  t.equal(value("page_records_total", { from: "cache" }), 995)
  t.equal(value("ready"), 0)
  t.equal(value("database_connection_waits_total"), 41)
  t.equal(value("batch_dropped_total", { batch: "audit" }), 6)
  t.equal(value("batch_age_seconds", { batch: "audit" }), 0)
  t.strictSame(
    samples.filter(({ name }) => name === "event_export_info").map(({ labels }) =>
      labels["config"]
    ),
    ["another"],
  )
})

t.test("ServiceMetrics counts reloads by result, and shows each result from the start on", async (t) => {
  const registry = new Registry()
  const metrics = new ServiceMetrics(registry)
  const total = async (result: string) =>
    valueOf(samplesOf(await registry.metrics()), "event_export_reloads_total", { result })
  t.strictSame([await total("applied"), await total("refused")], [0, 0])
  metrics.reloaded({ at: 0, result: "refused", trigger: "SIGHUP", reason: "no", retrying: false })
  t.strictSame([await total("applied"), await total("refused")], [0, 1])
})

t.test("metrics show how the change log is followed", async (t) => {
  const { value, samples } = await after(numbers)
  t.equal(value("trigger_faults"), 2)
  t.equal(value("open_changes_look_age_seconds"), 3.5)
  t.equal(value("oldest_open_change_seconds"), 125)
  t.equal(value("database_deadlocks_total"), 6)
  t.ok(samples.length > 0)
  const unknown = { ...numbers.changes, age: undefined, deadlocks: undefined }
  const other = await after(numbers, { ...numbers, changes: unknown })
  t.equal(other.value("open_changes_look_age_seconds"), 0)
  t.equal(other.value("database_deadlocks_total"), 0)
})
