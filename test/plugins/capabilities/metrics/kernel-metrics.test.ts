import t from "tap"
import {
  instanceMetrics,
  type MeasuredInstance,
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
    changes: { numbers: { faults: ["one", "two"], age: 3.5, oldestOpen: 125 } },
  },
} as unknown as MeasuredInstance

const notKnown = {
  ...numbers,
  readiness: () =>
    Promise.resolve({ ...readiness, ready: false, primary: "cut off", config: "refused" }),
  nodes: {
    changes: { numbers: { faults: [], age: undefined, oldestOpen: 0 } },
  },
} as unknown as MeasuredInstance

type Shown = readonly (readonly [string, Readonly<Record<string, string>>, number])[]

const cases: Readonly<Record<string, readonly [MeasuredInstance, Shown]>> = {
  "each number under its name, times in seconds": [numbers, [
    ["ready", {}, 1],
    ["database_state", { state: "ok" }, 1],
    ["config_applied_timestamp_seconds", {}, 1_700_000_000],
    ["config_refused", {}, 0],
    ["info", { config: "a-hash", database: "SQLite 3.50" }, 1],
    ["database_connections", { state: "used" }, 3],
    ["database_connections", { state: "waiting" }, 2],
    ["database_connections", { state: "most" }, 16],
    ["database_connection_waits_total", {}, 40],
    ["batch_waiting", { batch: "audit" }, 7],
    ["batch_age_seconds", { batch: "audit" }, 2.5],
    ["batch_dropped_total", { batch: "audit" }, 5],
    ["batch_dropped_total", { batch: "activity" }, 0],
    ["trigger_faults", {}, 2],
    ["open_changes_look_age_seconds", {}, 3.5],
    ["oldest_open_change_seconds", {}, 125],
  ]],
  "what is not known as nothing, and a refused configuration": [notKnown, [
    ["ready", {}, 0],
    ["config_refused", {}, 1],
    ["database_state", { state: "cut off" }, 1],
    ["database_state", { state: "ok" }, 0],
    ["open_changes_look_age_seconds", {}, 0],
  ]],
}

for (const [name, [measured, shown]] of Object.entries(cases)) {
  t.test(`instanceMetrics shows ${name}`, async (t) => {
    const metrics = await instanceMetrics(measured)
    for (const [metric, labels, value] of shown) {
      t.equal(valueOf(metrics, metric, labels), value, `${metric} ${JSON.stringify(labels)}`)
    }
  })
}

t.test("processMetrics shows reloads by result, and lost lines", (t) => {
  const metrics = processMetrics({ reloads: { applied: 0, refused: 2 }, lostLines: 9 })
  t.equal(valueOf(metrics, "reloads_total", { result: "applied" }), 0)
  t.equal(valueOf(metrics, "reloads_total", { result: "refused" }), 2)
  t.equal(valueOf(metrics, "log_dropped_total"), 9)
  t.end()
})
