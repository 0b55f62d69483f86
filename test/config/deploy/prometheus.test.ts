// slow: starts the service and Prometheus
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { setTimeout } from "node:timers/promises"
import t, { type Test } from "tap"
import { parse } from "yaml"
import { insertSession } from "../../../core/access/sessions.ts"
import { Builder } from "../../support/builder.ts"
import { openFor } from "../../support/database.ts"
import { liveDemonstration, type Running } from "../../support/live-demonstration.ts"
import { alerts, board, queries, rulesFile } from "../../support/prometheus/monitoring.ts"
import { findPrometheus } from "../../support/prometheus/programs.ts"
import { type Prometheus, startPrometheus } from "../../support/prometheus/server.ts"
import { comparisonAsValue } from "../../support/promql.ts"
import { emptyRow } from "../../support/sync-rows.ts"

const programs = await findPrometheus().catch((error: Error) => error)
const skip = programs instanceof Error && programs.message

t.test("Prometheus answers all queries of dashboard and alerts with data", { skip }, async (t) => {
  if (programs instanceof Error) throw programs
  const service = await liveDemonstration(t)
  const prometheus = await startPrometheus(t, programs.prometheus, configurationFor(service))
  await causeEverything(t, service)
  await untilSeen(prometheus)

  t.strictSame(await prometheus.targets().then((all) => all.map(({ health }) => health)), ["up"])
  const answers = new Map<string, number>()
  const ask = async (name: string, expr: string) => {
    const found = await prometheus.query(expr).then(({ length }) => length, String)
    answers.set(`${name}: ${expr}`, typeof found === "string" ? NaN : found)
    if (typeof found === "string") t.fail(found)
  }
  for (const { title, expr } of queries) await ask(title, expr)
  for (const { alert, expr } of alerts) {
    // An alert that does not fire returns nothing. With `bool`, the same series are compared, and all returned.
    await ask(alert, comparisonAsValue(expr))
  }
  t.equal(answers.size, queries.length + alerts.length)
  t.strictSame([...answers].filter(([, series]) => !(series > 0)).map(([name]) => name), [])

  const variables = board.templating.list.filter(({ type }) => type === "query")
  t.ok(variables.length >= 4)
  for (const { query } of variables) {
    const text = String((query as { query: string }).query)
    const [, selector = "", label = ""] = /^label_values\((.*), (\w+)\)$/.exec(text) ?? []
    t.not((await prometheus.labelValues(label, selector)).length, 0, text)
  }

  const rules = await prometheus.rules()
  t.equal(rules.length, alerts.length)
  t.strictSame(rules.filter(({ health }) => health !== "ok"), [], "Prometheus evaluates each")
  const active = rules.filter(({ state }) => state !== "inactive").map(({ name }) => name)
  const expected = ["LockedOut", "Stuck", "Silent", "Behind", "Resync"]
  for (const name of expected) t.ok(active.includes(`EventExportPartner${name}`), name)
  t.ok(active.includes("EventExportSessionEndsSoon"))
  for (const name of ["Down", "NotReady", "EntriesDropped", "TriggersFaulty"]) {
    t.notOk(active.includes(`EventExport${name}`), name)
  }
})

/** Returns the configuration of compose.yaml for a service on this machine, with more scrapes. */
function configurationFor({ metrics }: Running): unknown {
  const file = "config/deploy/compose/prometheus.yml"
  const { scrape_configs: [scrape], ...others } = parse(readFileSync(file, "utf8"))
  t.strictSame(others.rule_files, ["/etc/prometheus/event-export-alerts.yaml"])
  return {
    ...others,
    global: { scrape_interval: "1s", evaluation_interval: "1s" },
    rule_files: [resolve(rulesFile)],
    scrape_configs: [{ ...scrape, static_configs: [{ targets: [new URL(metrics).host] }] }],
  }
}

/** Causes what a healthy service does not count: partners in every state, and requests that fail. */
async function causeEverything(t: Test, { url, databaseUrl }: Running): Promise<void> {
  const database = await openFor(t, databaseUrl)
  const build = new Builder(database)
  const { writer: db } = database
  const now = Math.floor(Date.now() / 1000)
  // An event that does not change: the others are behind with it at once.
  const event = await db.selectFrom("event").select("id").where("status", "=", "closed")
    .executeTakeFirstOrThrow()
  const poll = { poll_interval: 60, walk_started: now, completed_next: 2 * now }
  const rows = {
    stuck: { ...poll, last_poll: now, previous_started: now, third_started: now },
    silent: { ...poll, last_poll: now - 7200, walk_completed: now },
    behind: { ...poll, last_poll: now, walk_completed: now, completed_next: 1, acknowledged: 1 },
  }
  for (const [name, row] of Object.entries(rows)) {
    const account_id = await build.account(name, "partner")
    await build.grant(name, { event: event.id })
    const key = { account_id, event_id: event.id }
    const lists = [
      emptyRow({ ...key, ...row }),
      emptyRow({ ...key, ...row, list: "guest deletions", kind: "guest deletions" }),
    ]
    for (const each of lists) await db.insertInto("sync_state").values(each).execute()
    const session = await insertSession(database, account_id, 30 * 86_400)
    // Only sessions that were made for more than two weeks end too soon.
    const times = { created: now - 28 * 86_400, used: now, expires: now + 2 * 86_400 }
    await db.updateTable("session").set(times).where("id", "=", session).execute()
  }

  const logIn = (username: string, password: string) =>
    fetch(`${url}/session`, {
      method: "POST",
      headers: { "content-type": "application/json", prefer: "return=representation" },
      body: JSON.stringify({ username, password }),
    })
  t.equal((await logIn("outsider", "wrong")).status, 401, "it is locked out")
  const { token } = await (await logIn("partner-a", "demo")).json()
  const statusOf = async (path: string) => {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })
    await response.body?.cancel()
    return response.status
  }
  t.equal(await statusOf("/absent/v1/events"), 503, "of a plugin that could not be loaded")
  t.equal(await statusOf(`/connector-b/v1/events/${event.id}/guests?limit=0`), 400)
  const refused = async () => {
    const response = await fetch(`${url}/openapi.json`)
    await response.body?.cancel()
    return response.status === 429
  }
  // Requests without a session, until there are too many in a second.
  while (!(await Promise.all(Array.from({ length: 80 }, refused))).includes(true));
}

/** Waits until Prometheus has scraped twice what was caused, and the simulated partners. */
async function untilSeen(prometheus: Prometheus): Promise<void> {
  const states = ["locked out", "stuck", "silent", "behind", "in sync"]
  const counted = [
    ...states.map((state) => `event_export_partner_state{state="${state}"}`),
    `event_export_requests_total{status="503"}`,
    `event_export_problems_total{code=~"too_.*"}`,
    `event_export_rejected_parameters_total`,
    `event_export_erasures_overdue`,
  ]
  for (const selector of counted) {
    while ((await prometheus.query(`count_over_time(${selector}[1m]) > 1`)).length === 0) {
      await setTimeout(100)
    }
  }
}
