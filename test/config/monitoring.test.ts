import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import process from "node:process"
import { setTimeout } from "node:timers/promises"
import t from "tap"
import * as v from "valibot"
import { parse } from "yaml"
import { insertSession } from "../../core/access/sessions.ts"
import { parsePromql } from "../support/promql.ts"
import { samplesOf } from "../support/samples.ts"
import { emptyRow } from "../support/sync-rows.ts"
import { freshWorkshop, logInto } from "../support/service.ts"

const rulesFile = "config/prometheus-alerts.yaml"
const duration = v.pipe(v.string(), v.regex(/^\d+[smhd]$/))

const rules = v.strictObject({
  groups: v.array(v.strictObject({
    name: v.pipe(v.string(), v.nonEmpty()),
    rules: v.array(v.strictObject({
      alert: v.pipe(v.string(), v.regex(/^EventExport[A-Z][A-Za-z]+$/)),
      expr: v.pipe(v.string(), v.nonEmpty()),
      for: v.optional(duration),
      labels: v.strictObject({ severity: v.picklist(["critical", "warning"]) }),
      annotations: v.strictObject({
        summary: v.pipe(v.string(), v.minLength(20)),
        runbook: v.pipe(v.string(), v.minLength(60)),
      }),
    })),
  })),
})

const dashboard = v.object({
  title: v.string(),
  templating: v.object({ list: v.array(v.object({ name: v.string(), query: v.unknown() })) }),
  panels: v.array(v.object({
    id: v.number(),
    type: v.picklist(["row", "stat", "timeseries", "table"]),
    title: v.pipe(v.string(), v.nonEmpty()),
    gridPos: v.object({ x: v.number(), y: v.number(), w: v.number(), h: v.number() }),
    targets: v.optional(v.array(v.object({ expr: v.string(), legendFormat: v.string() })), []),
  })),
})

const alerts = v.parse(rules, parse(readFileSync(rulesFile, "utf8"))).groups.flatMap((group) =>
  group.rules
)
const board = v.parse(dashboard, JSON.parse(readFileSync("config/grafana-dashboard.json", "utf8")))

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
  const queries = board.panels.flatMap(({ title, targets }) =>
    targets.map((target) => ({ title, ...target, expr: plain(target.expr) }))
  )
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
    targets.flatMap(({ expr }) => parsePromql(plain(expr)).selectors.map(({ metric }) => metric))
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

const promtool = process.env["PROMTOOL"] ?? "promtool"
const skip = spawnSync(promtool, ["--version"]).status === 0
  ? false
  : "promtool is not on PATH; it comes with the package prometheus"

t.test(
  "promtool accepts prometheus-alerts.yaml, and the alerts fire as expected",
  { skip },
  async (t) => {
    for (
      const args of [["check", "rules", rulesFile], [
        "test",
        "rules",
        "test/config/alerts.promtool.yaml",
      ]]
    ) {
      const { status, stdout, stderr } = spawnSync(promtool, args, { encoding: "utf8" })
      t.equal(status, 0, stdout + stderr)
    }
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

/** Replaces the variables of Grafana in an expression. */
function plain(expr: string): string {
  return expr.replaceAll("$__rate_interval", "5m")
    .replaceAll(/\$(instance|family|account|event)\b/g, ".*")
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
  const service = await workshop.start()
  const metrics = await service.openMetrics()
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
  // The labels that Prometheus adds to all metrics.
  const scraped = ["job", "instance"]
  const found = new Map([["up", new Set(scraped)]])
  for (const { name, labels } of samplesOf((await metrics.read()).text)) {
    found.set(name, new Set([...scraped, ...Object.keys(labels), ...found.get(name) ?? []]))
  }
  return found
}
