import t from "tap"
import {
  instanceMetrics,
  type Measured,
  processMetrics,
} from "../../../../plugins/capabilities/metrics/kernel-metrics.ts"
import { valueOf } from "../../../support/metrics.ts"

const readiness = { ready: true, database: "ok", primary: "ok", config: "ok" }
const numbers = {
  readiness: () => Promise.resolve(readiness),
  config: { hash: "a-hash" },
  since: 1_700_000_000,
  database: {
    dialect: { version: "SQLite 3.50" },
    connections: { most: 16, used: 3, waiting: 2, waits: 40 },
  },
  recorders: {
    numbers: {
      audit: { waiting: 7, age: 2500, dropped: 5 },
      activity: { waiting: 0, age: 0, dropped: 0 },
    },
  },
  nodes: {
    changes: { numbers: { faults: ["one", "two"], age: 3.5, oldestOpen: 125, deadlocks: 6 } },
  },
  records: { numbers: { bytes: 4000, known: 995, read: 5 } },
} as unknown as Measured

/** Returns what finds the value of a metric of an instance. */
function shown(measured: Measured) {
  return async (name: string, labels = {}) => valueOf(await instanceMetrics(measured), name, labels)
}

t.test("instanceMetrics shows each number under its name, times in seconds", async (t) => {
  const value = shown(numbers)
  t.equal(await value("ready"), 1)
  t.equal(await value("database_state", { state: "ok" }), 1)
  t.equal(await value("config_applied_timestamp_seconds"), 1_700_000_000)
  t.equal(await value("config_refused"), 0)
  t.equal(await value("info", { config: "a-hash", database: "SQLite 3.50" }), 1)
  t.equal(await value("database_connections", { state: "used" }), 3)
  t.equal(await value("database_connections", { state: "waiting" }), 2)
  t.equal(await value("database_connections", { state: "most" }), 16)
  t.equal(await value("database_connection_waits_total"), 40)
  t.equal(await value("batch_waiting", { batch: "audit" }), 7)
  t.equal(await value("batch_age_seconds", { batch: "audit" }), 2.5)
  t.equal(await value("batch_dropped_total", { batch: "audit" }), 5)
  t.equal(await value("batch_dropped_total", { batch: "activity" }), 0)
  t.equal(await value("record_cache_bytes"), 4000)
  t.equal(await value("page_records_total", { from: "cache" }), 995)
  t.equal(await value("page_records_total", { from: "database" }), 5)
  t.equal(await value("trigger_faults"), 2)
  t.equal(await value("open_changes_look_age_seconds"), 3.5)
  t.equal(await value("oldest_open_change_seconds"), 125)
  t.equal(await value("database_deadlocks_total"), 6)
})

t.test("instanceMetrics shows what is not known as nothing, and a refused configuration", async (t) => {
  const value = shown({
    ...numbers,
    readiness: () =>
      Promise.resolve({ ...readiness, ready: false, primary: "cut off", config: "refused" }),
    nodes: {
      changes: { numbers: { faults: [], age: undefined, oldestOpen: 0, deadlocks: undefined } },
    },
    records: undefined,
  } as unknown as Measured)
  t.equal(await value("ready"), 0)
  t.equal(await value("config_refused"), 1)
  t.equal(await value("database_state", { state: "cut off" }), 1)
  t.equal(await value("database_state", { state: "ok" }), 0)
  t.equal(await value("record_cache_bytes"), 0)
  t.equal(await value("open_changes_look_age_seconds"), 0)
  t.equal(await value("database_deadlocks_total"), 0)
})

t.test("processMetrics shows reloads by result, and lost lines", (t) => {
  const metrics = processMetrics({ reloads: { applied: 0, refused: 2 }, lostLines: 9 })
  t.equal(valueOf(metrics, "reloads_total", { result: "applied" }), 0)
  t.equal(valueOf(metrics, "reloads_total", { result: "refused" }), 2)
  t.equal(valueOf(metrics, "log_dropped_total"), 9)
  t.end()
})
