import { Registry } from "prom-client"
import t from "tap"
import { NodeMetrics, type NodeNumbers } from "../../../../core/observe/metrics/node-metrics.ts"
import { factsOf } from "../../../support/facts.ts"
import { samplesOf, valueOf } from "../../../support/samples.ts"

const primary = {
  name: "db1:3306",
  role: "primary",
  problem: null,
  behind: 0,
  stale: false,
  member: "ONLINE",
} as const
const replica = { ...primary, name: "db2:3306", role: "replica", behind: 70, stale: true } as const
const away = { ...primary, name: "db3:3306", role: "away", behind: null, member: null } as const

function fresh() {
  const registry = new Registry()
  const metrics = new NodeMetrics(registry)
  const read = async () => {
    const samples = samplesOf(await registry.metrics())
    return (name: string, node?: string) =>
      valueOf(samples, `event_export_${name}`, node === undefined ? {} : { node })
  }
  return { metrics, read }
}

t.test("NodeMetrics.update shows what each server is like at the moment", async (t) => {
  const { metrics, read } = fresh()
  const before: NodeNumbers = { all: [{ ...away, role: "primary", behind: 3 }], failovers: 4 }
  metrics.update(before)
  metrics.update({ all: [primary, replica, away], failovers: 5 })
  const value = await read()
  const each = (name: string) =>
    [primary, replica, away].map((node) => value(`node_${name}`, node.name))
  t.strictSame(each("up"), [1, 1, 0])
  t.strictSame(each("primary"), [1, 0, 0])
  t.strictSame(each("behind_seconds"), [0, 70, undefined])
  t.strictSame(each("stale"), [0, 1, 0])
  t.strictSame(each("requests_total"), [0, 0, 0], "from the first reading on")
  t.equal(value("failovers_total"), 5)
  t.equal(value("node_retries_total"), 0)
})

t.test("NodeMetrics.record counts requests by their server, and those that began again once", async (t) => {
  const { metrics, read } = fresh()
  metrics.record(factsOf({ node: primary.name }))
  metrics.record(factsOf({ node: replica.name, retries: 3 }))
  metrics.record(factsOf({ node: replica.name }))
  metrics.record(factsOf({}))
  const value = await read()
  t.equal(value("node_requests_total", primary.name), 1)
  t.equal(value("node_requests_total", replica.name), 2)
  t.equal(value("node_retries_total"), 1)
})
