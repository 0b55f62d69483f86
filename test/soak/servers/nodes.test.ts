import { measure } from "../../support/metrics.ts"
import { setTimeout } from "node:timers/promises"
import t from "tap"
import { migrate } from "../../../core/data/migrate.ts"
import { startInstance } from "../../conformance/instance.ts"
import { findWatermark } from "../../../core/change-log/watermark.ts"
import type { Readiness } from "../../../core/routes/contract.ts"
import { testConfig } from "../../support/app.ts"
import { Builder, password } from "../../support/builder.ts"
import { type ClusterNode, urlOf } from "../support/cluster/node.ts"
import { startReplicas } from "../support/cluster/replicas.ts"
import { openServersFor } from "../../support/open-servers.ts"
import { openFor } from "../../support/database.ts"
import { ownMysql } from "../../support/mysql/own-server.ts"
import { scannedLog } from "../../support/scanned-log.ts"

const program = await ownMysql()
const { signal } = new AbortController()
const staleness = 3

t.test("a primary and two replicas", {
  skip: typeof program === "string" && program,
}, async (t) => {
  if (typeof program === "string") return
  const set = await startReplicas(t, { program, signal })
  const [primary, ahead, behind] = set.nodes as readonly [ClusterNode, ClusterNode, ClusterNode]
  await primary.run(
    "create database events",
    `create user app identified by '${password}'`,
    "grant all on *.* to app",
  )
  await set.untilCaughtUp()
  const url = urlOf(set.nodes, { database: "events", user: "app", password })
  const database = await openServersFor(t, url)
  await migrate(database)
  const build = new Builder(database)
  const event = await build.event(await build.organization("acme"))
  const guests = await build.guests(event, 5)
  await build.account("partner", "partner")
  await build.grant("partner", { organization: "acme" })
  await build.account("boss", "operator")
  await set.untilCaughtUp()
  const entries: Record<string, unknown>[] = []
  const config = await testConfig(url)
  const instance = await startInstance(
    { ...config, database: { ...config.database, replicas: { staleness, hosts: [] } } },
    { log: scannedLog(t, entries) },
  )
  t.teardown(() => instance.close())
  const logIn = async (username = "partner") => {
    const body = JSON.stringify({ username, password })
    const headers = { "content-type": "application/json" }
    const request = new Request("http://localhost/session", { method: "POST", headers, body })
    const response = await instance.fetch(request)
    return response.headers.get("set-cookie")?.split(";")[0] ?? ""
  }
  const cookie = await logIn()
  const operator = await logIn("boss")
  const list = `/connector-a/v1/events/${event}/guests`
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const request = new Request(`http://localhost${path}`, { headers: { cookie, ...headers } })
    const response = await instance.fetch(request)
    const { node } = entries.findLast(({ message }) => message === "request") ?? {}
    return { response, node: String(node), status: response.status, body: await response.text() }
  }
  /** Asks until each of these nodes has answered, and no other one does. */
  const untilFrom = async (path: string, names: readonly string[]) => {
    for (;;) {
      const answers = [await get(path), await get(path), await get(path), await get(path)]
      const from = [...new Set(answers.map(({ node }) => node))].sort()
      if (from.join() === [...names].sort().join()) return answers
      await setTimeout(100)
    }
  }
  const change = () =>
    database.writer.updateTable("guest").set({ mobile: String(Math.random()) })
      .where("event_id", "=", event).where("id", "=", guests[0] ?? "").execute()
  const stateAt = (node: ClusterNode) =>
    node.run("select clock, watermark, floor from events.change_state").then(([row]) =>
      row as Record<string, unknown>
    )

  await t.test("first pages are read on the replicas in turn, once there is a floor", async (t) => {
    const answers = await untilFrom(`${list}?since=-1`, [ahead.name, behind.name])
    for (const { status, body } of answers) {
      t.equal(status, 200)
      t.equal(JSON.parse(body).length, 5)
    }
  })

  await t.test("Next-Since is the floor, which is behind every watermark in use", async (t) => {
    const { response } = await get(`${list}?since=-1`)
    const given = Number(response.headers.get("next-since"))
    const { floor, watermark } = await stateAt(primary)
    t.ok(given <= Number(floor), `${given} ${floor}`)
    t.ok(given <= Number(watermark) - staleness, `${given} ${watermark}`)
  })

  await t.test("pages at an offset are read on the primary, and pages by cursor anywhere", async (t) => {
    for (let n = 0; n < 4; n++) {
      t.equal((await get(`${list}?since=-1&limit=2&offset=2`)).node, primary.name)
      const { response } = await get(`${list}?since=-1&limit=2`)
      const [, next = ""] =
        /<http:\/\/localhost([^>]*)>/.exec(response.headers.get("link") ?? "") ??
          []
      const page = await get(next)
      t.equal(page.status, 200)
      t.equal(page.response.headers.get("next-since"), response.headers.get("next-since"))
      t.not(page.node, primary.name)
    }
  })

  await t.test("what is read at a replica that is behind is never older than a Next-Since", async (t) => {
    await set.stopApplier(behind)
    const given: number[] = []
    for (let n = 0; n < 40; n++) {
      await change()
      const { response, node } = await get(`${list}?since=-1`)
      given.push(Number(response.headers.get("next-since")))
      if (node === behind.name) {
        const { watermark } = await stateAt(behind)
        t.ok(Number(watermark) >= Math.max(...given), `${watermark} ${Math.max(...given)}`)
      }
      await setTimeout(100)
    }
    t.not(entries.findLast(({ message }) => message === "request")?.["node"], behind.name)
    await set.startApplier(behind)
    await untilFrom(`${list}?since=-1`, [ahead.name, behind.name])
  })

  await t.test("a primary that answers and cannot commit is read from, and Next-Since stands still", async (t) => {
    const before = await get(`${list}?since=-1&limit=2`)
    const [, next = ""] =
      /<http:\/\/localhost([^>]*)>/.exec(before.response.headers.get("link") ?? "") ?? []
    t.match(await instance.readiness(), { ready: true })
    await primary.connected(async (connection) => {
      await connection.query("flush tables with read lock")
      const { clock, floor } = await stateAt(primary)
      while (Date.now() / 1000 - Number(clock) <= 7) await setTimeout(100)
      const now = Math.floor(Date.now() / 1000)
      for (
        const path of [
          `${list}?since=-1`,
          `${list}?since=${now}`,
          `${list}?since=-1&limit=2&offset=2`,
          `${list}/deletions?since=-1`,
          `${list}/digest`,
          `${list}/export`,
          next,
        ]
      ) {
        const { status, node, response } = await get(path)
        t.strictSame([path, status, node], [path, 200, primary.name])
        if (path !== next && !path.includes("digest")) {
          t.equal(response.headers.get("next-since"), String(floor), path)
        }
      }
      t.match(await instance.readiness(), { ready: true })

      // Nobody confirms now that no other server is the primary.
      ahead.relay.goAway()
      while ((await instance.readiness()).ready) await setTimeout(100)
      t.equal(await measure(instance, "ready"), 0)
      t.equal(await measure(instance, "database_state", { state: "away" }), 1)
      for (const path of ["/console", "/console/accounts", "/console/disclosures", "/status"]) {
        const { status, body } = await get(path, { cookie: operator })
        t.equal(status, 200, path)
        if (path === "/status") {
          t.match(JSON.parse(body).nodes, [{ role: "primary" }, { role: "away" }, { stale: true }])
        }
      }
    })
    await ahead.relay.comeBack()
    await change()
    await untilFrom(`${list}?since=-1`, [ahead.name, behind.name])
    // What it found out a moment ago is reused.
    while (!(await instance.readiness()).ready) await setTimeout(100)
    t.equal(await measure(instance, "database_state", { state: "ok" }), 1)
  })

  await t.test("it is not ready while others reach the primary, and it does not", async (t) => {
    const near = await openFor(t, primary.url("events"))
    primary.relay.goAway()
    let state: Readiness
    do {
      await findWatermark(near)
      state = await instance.readiness()
      await setTimeout(500)
    } while (state.primary === "ok")
    t.match(state, { ready: false, database: "ok" })
    t.equal(await measure(instance, "database_state", { state: "cut off" }), 1)
    t.equal((await get("/console/accounts", { cookie: operator })).status, 200)
    await primary.relay.comeBack()
    while ((await instance.readiness()).primary !== "ok") await setTimeout(100)
    t.match(await instance.readiness(), { ready: true })
  })
})
