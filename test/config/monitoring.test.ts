import { openMetrics } from "../support/metrics.ts"
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import { NodeRequests } from "../../plugins/capabilities/servers/node-metrics.ts"
import t from "tap"
import { parse } from "yaml"
import { insertSession } from "../../core/access/sessions.ts"
import {
  alerts,
  board,
  queries,
  rulesFile,
  withoutVariables,
} from "../support/prometheus/monitoring.ts"
import { findAmtool, findPrometheus } from "../support/prometheus/programs.ts"
import { parsePromql } from "../support/promql.ts"
import { withoutSlow } from "../support/quick.ts"
import { samplesOf } from "../support/samples.ts"
import { emptyRow } from "../support/sync-rows.ts"
import { freshWorkshop, logInto } from "../support/service.ts"

const alertmanagerFile = "config/alertmanager.yaml"

/** Labels by metric, of a service that has counted everything, including the labels of a scrape. */
const labels = await labelsOfService()

t.test("prometheus-alerts.yaml has valid expressions of the service's metrics and labels", async (t) => {
  t.ok(alerts.length >= 10)
  t.equal(new Set(alerts.map(({ alert }) => alert)).size, alerts.length, "names are unique")
  for (const { alert, expr, annotations } of alerts) {
    t.strictSame(problemsIn(expr), [], alert)
    const used = [...annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label)
    t.strictSame(used.filter((label) => !knownIn(expr).has(label ?? "")), [], alert)
  }
})

t.test("grafana-dashboard.json has valid expressions of the service's metrics and labels", async (t) => {
  t.ok(queries.length > 20)
  for (const { title, expr, legendFormat } of queries) {
    t.strictSame(problemsIn(expr), [], title)
    const used = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label)
    t.strictSame(used.filter((label) => !knownIn(expr).has(label ?? "")), [], title)
  }
  const variables = board.templating.list.map(({ name }) => name)
  const text = JSON.stringify(board)
  const used = [...text.matchAll(/\$\{?([a-z]\w*)/g)].map(([, name]) => name)
  t.strictSame(used.filter((name) => !variables.includes(name ?? "")), [], "variables are defined")
})

t.test("grafana-dashboard.json shows all metrics of the service, in panels that do not overlap", async (t) => {
  t.equal(new Set(board.panels.map(({ id }) => id)).size, board.panels.length)
  const taken = new Set<string>()
  for (const { title, gridPos: { x, y, w, h } } of board.panels) {
    t.ok(x + w <= 24, title)
    for (let column = x; column < x + w; column++) {
      for (let line = y; line < y + h; line++) {
        t.notOk(taken.has(`${column} ${line}`), title)
        taken.add(`${column} ${line}`)
      }
    }
  }
  const shown = board.panels.flatMap(({ targets }) =>
    targets.flatMap(({ expr }) =>
      parsePromql(withoutVariables(expr)).selectors.map(({ metric }) => metric)
    )
  )
  const base = (name: string) => name.replace(/_(bucket|sum|count)$/, "")
  const own = new Set(
    [...labels.keys()].filter((name) => name.startsWith("event_export")).map(base),
  )
  const bases = new Set(shown.map(base))
  t.strictSame([...own].filter((name) => !bases.has(name)), [])
})

t.test("problemsIn finds a wrong name, a wrong label and bad syntax", async (t) => {
  t.strictSame(problemsIn("rate(event_export_request_total[5m])"), [
    "there is no metric event_export_request_total",
  ])
  t.strictSame(problemsIn('event_export_ready{family="x"}'), [
    "event_export_ready has no label family",
  ])
  t.strictSame(problemsIn("sum by (famly) (event_export_rows_total)"), ["there is no label famly"])
  t.match(problemsIn("sum by (family (event_export_rows_total)"), [/^SyntaxError/])
})

const tools = withoutSlow ? new Error(withoutSlow) : await findPrometheus().catch((error) => error)
const skip = tools instanceof Error && tools.message

t.test(
  "promtool accepts prometheus-alerts.yaml, and the alerts fire as expected",
  { skip },
  (t) => {
    for (
      const args of [["check", "rules", rulesFile], [
        "test",
        "rules",
        "test/config/alerts.promtool.yaml",
      ]]
    ) {
      const { status, stdout, stderr } = spawnSync(tools.promtool, args, { encoding: "utf8" })
      t.equal(status, 0, stdout + stderr)
    }
    t.end()
  },
)

t.test("alertmanager.yaml names alerts and labels that there are, and groups those of a partner", async (t) => {
  const { route, inhibit_rules: rules, receivers } = parse(readFileSync(alertmanagerFile, "utf8"))
  t.strictSame(route.group_by, ["alertname", "account"])
  const severities = new Set(alerts.map(({ labels }) => labels.severity))
  t.equal(route.routes.length, severities.size, "one route for each severity")
  const named = receivers.map(({ name }: { name: string }) => name)
  t.ok(route.routes.every(({ receiver }: { receiver: string }) => named.includes(receiver)))
  const matchers: string[] = rules.flatMap((rule: Record<string, string[]>) => [
    ...rule["source_matchers"] ?? [],
    ...rule["target_matchers"] ?? [],
  ])
  const names = new Set(alerts.map(({ alert }) => alert))
  for (const matcher of matchers.filter((each) => each.startsWith("alertname"))) {
    const [, pattern = ""] = /"(.+)"/.exec(matcher) ?? []
    const [, base = "", ends] = /^(\w+)(?:\((.+)\))?$/.exec(pattern) ?? []
    const each = ends?.split("|").map((end) => base + end) ?? [base]
    t.strictSame(each.filter((name) => !names.has(name)), [], matcher)
  }
  t.ok(matchers.length >= 4)
})

const amtool = withoutSlow ? new Error(withoutSlow) : await findAmtool().catch((error) => error)

t.test(
  "amtool accepts alertmanager.yaml, and each alert reaches the receiver of its severity",
  { skip: amtool instanceof Error && amtool.message },
  (t) => {
    const run = (...args: readonly string[]) => spawnSync(amtool, args, { encoding: "utf8" })
    const { status, stdout, stderr } = run("check-config", alertmanagerFile)
    t.equal(status, 0, stdout + stderr)
    const receivers = { critical: "at night", warning: "by day" }
    for (const { alert, labels: { severity } } of alerts) {
      const labels = [`alertname=${alert}`, `severity=${severity}`, "account=acme-export"]
      const { stdout } = run(
        "config",
        "routes",
        "test",
        "--config.file",
        alertmanagerFile,
        ...labels,
      )
      t.equal(stdout.trim(), receivers[severity], alert)
    }
    t.end()
  },
)

function problemsIn(expr: string): string[] {
  try {
    const { selectors, grouping } = parsePromql(expr)
    return [
      ...selectors.flatMap(({ metric, labels: used }) => {
        const known = labels.get(metric)
        if (!known) return [`there is no metric ${metric}`]
        return used.filter((label) => !known.has(label)).map((label) =>
          `${metric} has no label ${label}`
        )
      }),
      ...grouping.filter((label) => !knownIn(expr).has(label)).map((label) =>
        `there is no label ${label}`
      ),
    ]
  } catch (error) {
    return [String(error)]
  }
}

/** Returns the labels of all metrics of an expression. */
function knownIn(expr: string): Set<string> {
  const { selectors } = parsePromql(expr)
  return new Set(selectors.flatMap(({ metric }) => [...labels.get(metric) ?? []]))
}

async function labelsOfService(): Promise<Map<string, Set<string>>> {
  const workshop = await freshWorkshop(t)
  const { build } = workshop
  const event = await build.event(await build.organization("acme"))
  const now = Math.floor(Date.now() / 1000)
  await build.guests(event, 3)
  const account_id = await build.account("partner")
  const partner = account_id
  const session = await insertSession(workshop.database, partner, 30 * 86_400)
  await workshop.database.writer.updateTable("session").set({ used: Math.floor(Date.now() / 1000) })
    .where("id", "=", session).execute()
  await build.grant("partner", { event })
  workshop.write("  - use: connector-b\n    with: { segment: b, organizations: [acme] }")
  const late = { last_poll: now, walk_started: now, walk_completed: 1, completed_next: 1 }
  const { writer } = workshop.database
  await writer.insertInto("sync_state").values(
    emptyRow({
      account_id,
      event_id: event,
      kind: "guests",
      poll_interval: 60,
      acknowledged: 1,
      ...late,
    }),
  ).execute()
  await writer.insertInto("sync_state").values(
    emptyRow({
      account_id,
      event_id: event,
      list: "guest deletions",
      kind: "guest deletions",
      acknowledged: 1,
      ...late,
    }),
  ).execute()
  await writer.insertInto("account_activity").values({ account_id, refused: 1 }).execute()
  await writer.insertInto("partner_contact").values({ account_id, muted_until: now + 1000 })
    .execute()
  const service = await workshop.start()
  const metrics = await openMetrics(t, service)
  const get = await logInto(service.fetch, "partner")
  await get(`/b/v1/events/${event}/guests?since=0`)
  await get(`/b/v1/events/${event}/guests?limit=0`)
  // The accounts that have received guests are counted at the first reading, which does not wait for it.
  const { database } = workshop
  const read = () => database.writer.selectFrom("disclosure").select("seq").execute()
  while ((await read()).length === 0) await setTimeout(20)
  while (!(await metrics.read()).text.includes("erasures_overdue{")) await setTimeout(20)
  writeFileSync(workshop.file, "nonsense")
  await service.reload("a test")
  const all = [{
    name: "a",
    role: "replica",
    problem: null,
    behind: 1,
    stale: false,
    member: null,
  }] as const
  const { text } = await metrics.read()
  // The labels that Prometheus adds to all metrics.
  const scraped = ["job", "instance"]
  const found = new Map([["up", new Set(scraped)]])
  const several = new NodeRequests().metrics(all, 0).flatMap(({ name, values }) =>
    values.map(({ labels = {} }) => ({ name, labels }))
  )
  for (const { name, labels } of [...samplesOf(text), ...several]) {
    found.set(name, new Set([...scraped, ...Object.keys(labels), ...found.get(name) ?? []]))
  }
  return found
}
