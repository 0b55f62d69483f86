import t from "tap"
import { NodeRequests } from "../../../../plugins/capabilities/servers/node-metrics.ts"
import type { NodeStatus } from "../../../../core/routes/contract.ts"
import { exchangeOf } from "../../../support/exchange.ts"
import { measure } from "../../../support/metrics.ts"

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

function reader(requests: NodeRequests, nodes: readonly NodeStatus[], failovers = 0) {
  const measured = { metrics: () => Promise.resolve(requests.metrics(nodes, failovers)) }
  return (name: string, node?: string) =>
    measure(measured, name, node === undefined ? {} : { node })
}

t.test("NodeRequests.metrics shows what each server is like at the moment", async (t) => {
  const requests = new NodeRequests()
  const value = reader(requests, [primary, replica, away], 5)
  const each = (name: string) =>
    Promise.all([primary, replica, away].map((node) => value(`node_${name}`, node.name)))
  t.strictSame(await each("up"), [1, 1, 0])
  t.strictSame(await each("primary"), [1, 0, 0])
  t.strictSame(await each("behind_seconds"), [0, 70, undefined])
  t.strictSame(await each("stale"), [0, 1, 0])
  t.strictSame(await each("requests_total"), [0, 0, 0], "from the first reading on")
  t.equal(await value("failovers_total"), 5)
  t.equal(await value("node_retries_total"), 0)
})

t.test("NodeRequests.record counts requests by their server, and those that began again once", async (t) => {
  const requests = new NodeRequests()
  requests.record(exchangeOf({ node: primary.name }))
  requests.record(exchangeOf({ node: replica.name, retries: 3 }))
  requests.record(exchangeOf({ node: replica.name }))
  requests.record(exchangeOf({}))
  const value = reader(requests, [primary, replica])
  t.equal(await value("node_requests_total", primary.name), 1)
  t.equal(await value("node_requests_total", replica.name), 2)
  t.equal(await value("node_retries_total"), 1)
})
