import { openMetrics } from "../../support/metrics.ts"
import { setTimeout } from "node:timers/promises"
import t from "tap"
import { migrate } from "../../../core/data/migrate.ts"
import { serve } from "../../../core/http/serve.ts"
import { listAudit } from "../../../plugins/capabilities/audit/audit-log.ts"
import { startReplicas } from "../support/cluster/replicas.ts"
import { ownMysql } from "../../support/mysql/own-server.ts"
import { runCommand } from "../../support/run-command.ts"
import { samplesOf, valueOf } from "../../support/samples.ts"
import { logInto, workshopOn } from "../../support/service.ts"

const program = await ownMysql()
const skip = typeof program === "string" && program
const { signal } = new AbortController()

t.test("operators see which servers there are, and what happens to them", { skip }, async (t) => {
  if (typeof program === "string") return
  const set = await startReplicas(t, {
    program,
    signal,
    replicas: [{ flags: ["--loose-innodb-native-foreign-keys=OFF"] }],
  })
  const [primary, replica] = [set.nodes[0], set.nodes[1]] as [
    typeof set.primary,
    typeof set.primary,
  ]
  await primary.run("create database events")
  const hosts = `${primary.name},${replica.name}`
  const url = primary.relay.url.replace(/@.*/, `@${hosts}/events`)
  const workshop = await workshopOn(t, url, { staleness: 3 })
  await migrate(workshop.database)
  const { build, entries, database } = workshop
  const event = await build.event(await build.organization("acme"))
  for (const [name, role] of [["partner", "partner"], ["op", "operator"]] as const) {
    await build.account(name, role)
    await build.grant(name, { organization: "acme" })
  }
  await set.untilCaughtUp()
  workshop.write(
    `  - use: console
  - use: connector-b
    with: { segment: b, organizations: [acme] }`,
  )
  const service = await workshop.start()
  const metrics = await openMetrics(t, service)
  const get = await logInto(service.fetch, "op")
  const list = `/b/v1/events/${event}/guests`
  const node = (index: number) => service.instance.status().nodes?.[index]
  const until = async (isSo: () => unknown) => {
    while (!await isSo()) await setTimeout(100)
  }
  const is = (index: number, role: string) => node(index)?.role === role
  /** Returns the server that a request of the operator was read from. */
  const nodeOf = async () => {
    const response = await get(list)
    t.equal(response.status, 200)
    await response.arrayBuffer()
    return line()?.["node"]
  }
  const line = () => entries.findLast(({ message }) => message === "request")
  const logged = (message: RegExp) => entries.filter((entry) => message.test(`${entry["message"]}`))
  const read = async () => {
    const samples = samplesOf((await metrics.read()).text)
    return (name: string, labels: Record<string, string> = {}) =>
      valueOf(samples, `event_export_${name}`, labels)
  }

  await t.test("a server whose cascades are in no binary log: a warning", async (t) => {
    // Older servers do not have the variable, and log them.
    const [variable] = await replica.run("show variables like 'innodb_native_foreign_keys'")
    const about = `server ${replica.name}`
    t.equal(
      logged(/innodb_native_foreign_keys is OFF/).map((each) => each["about"]).join(),
      variable ? about : "",
    )
  })

  await t.test("the server that a request was read from is in the log and the metrics", async (t) => {
    await until(async () => await nodeOf() === replica.name)
    t.match(line(), { node: replica.name, account: "op" })
    t.notOk("retries" in (line() ?? {}))
    const partner = await logInto(service.fetch, "partner")
    t.equal((await partner(list)).status, 200)
    await until(() => node(1)?.behind !== null)
    const value = await read()
    const [one, other] = [{ node: primary.name }, { node: replica.name }]
    // The partner's may have been the primary's, if the replica was behind.
    t.ok((value("node_requests_total", other) ?? 0) >= 1)
    t.strictSame([value("node_up", one), value("node_up", other)], [1, 1])
    t.strictSame([value("node_primary", one), value("node_primary", other)], [1, 0])
    t.ok((value("node_behind_seconds", other) ?? Infinity) <= 3)
    t.equal(value("failovers_total"), 0)
    const { connections } = service.instance.config.database
    t.equal(value("database_connections", { state: "most" }), 3 * connections)
  })

  await t.test("GET /status, event-export status and the console show the servers", async (t) => {
    t.match((await (await get("/status")).json()).nodes, [
      { name: primary.name, role: "primary", problem: null, stale: false, member: null },
      { name: replica.name, role: "replica", problem: null, stale: false, member: null },
    ])
    const page = await (await get("/console", { accept: "text/html" })).text()
    t.match(page, "Database servers")
    for (const { name } of [primary, replica]) t.match(page, `<code>${name}</code>`)
    const { log } = service
    const served = await serve(service.answer, {
      host: "127.0.0.1",
      port: 0,
      publicUrl: undefined,
      log,
    })
    t.teardown(() => served.close())
    const { out } = await runCommand(`status --config ${workshop.file} --url ${served.url}`)
    t.match(out, new RegExp(`DATABASE SERVER.*\n${primary.name} +primary +\\d s`))
  })

  await t.test("a failover is logged, counted, and in the audit log", async (t) => {
    await set.switchTo(replica)
    await until(() => is(1, "primary"))
    const change = { from: primary.name, to: replica.name }
    t.match(logged(/^failover/), [{ level: "warn", ...change }])
    const entries = () => listAudit(database, { action: "failover", limit: 10 })
    await until(async () => (await entries().catch(() => [])).length > 0)
    const detail = `${primary.name} to ${replica.name}`
    t.match(await entries(), [{ actor: "service", account: null, detail, code: null }])
    const value = await read()
    t.equal(value("failovers_total"), 1)
    t.equal(value("node_primary", { node: replica.name }), 1)
  })
})
