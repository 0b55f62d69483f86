import { openMetrics } from "../support/metrics.ts"
import { readFileSync, writeFileSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import { NodeRequests } from "../../plugins/capabilities/servers/node-metrics.ts"
import t from "tap"
import { parse } from "yaml"
import { insertSession } from "../../core/access/sessions.ts"
import { alerts, board, queries, withoutVariables } from "../support/prometheus/monitoring.ts"
import { parsePromql } from "../support/promql.ts"
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

t.test("grafana-dashboard.json shows all metrics of the service", (t) => {
  const base = (name: string) => name.replace(/_(bucket|sum|count)$/, "")
  const shown = new Set(
    board.panels.flatMap(({ targets }) => targets)
      .flatMap(({ expr }) => parsePromql(withoutVariables(expr)).selectors)
      .map(({ metric }) => base(metric)),
  )
  const own = [...labels.keys()].filter((name) => name.startsWith("event_export"))
  t.strictSame(own.filter((name) => !shown.has(base(name))), [])
  t.end()
})

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
  const { build, database: { writer } } = workshop
  const event_id = await build.event(await build.organization("acme"))
  const now = Math.floor(Date.now() / 1000)
  await build.guests(event_id, 3)
  const account_id = await build.account("partner")
  const session = await insertSession(workshop.database, account_id, 30 * 86_400)
  await writer.updateTable("session").set({ used: now }).where("id", "=", session).execute()
  await build.grant("partner", { event: event_id })
  workshop.write("  - use: connector-b\n    with: { segment: b, organizations: [acme] }")
  const late = { last_poll: now, walk_started: now, walk_completed: 1, completed_next: 1 }
  const row = { account_id, event_id, acknowledged: 1, ...late }
  await writer.insertInto("sync_state").values([
    emptyRow({ ...row, kind: "guests", poll_interval: 60 }),
    emptyRow({ ...row, kind: "guest deletions", list: "guest deletions" }),
  ]).execute()
  await writer.insertInto("account_activity").values({ account_id, refused: 1 }).execute()
  await writer.insertInto("partner_contact").values({ account_id, muted_until: now + 1000 })
    .execute()
  const service = await workshop.start()
  const metrics = await openMetrics(t, service)
  const get = await logInto(service.fetch, "partner")
  await get(`/b/v1/events/${event_id}/guests?since=0`)
  await get(`/b/v1/events/${event_id}/guests?limit=0`)
  // The accounts that have received guests are counted at the first reading, which does not wait for it.
  const read = () => writer.selectFrom("disclosure").select("seq").execute()
  while ((await read()).length === 0) await setTimeout(20)
  while (!(await metrics.read()).text.includes("erasures_overdue{")) await setTimeout(20)
  writeFileSync(workshop.file, "nonsense")
  await service.reload("a test")
  const { text } = await metrics.read()
  const replica = { name: "a", role: "replica", problem: null, behind: 1, stale: false } as const
  const ofServers = new NodeRequests().metrics([{ ...replica, member: null }], 0)
    .flatMap(({ name, values }) => values.map(({ labels = {} }) => ({ name, labels })))
  // The labels that Prometheus adds to all metrics.
  const scraped = ["job", "instance"]
  const found = new Map([["up", new Set(scraped)]])
  for (const { name, labels } of [...samplesOf(text), ...ofServers]) {
    found.set(name, new Set([...scraped, ...Object.keys(labels), ...found.get(name) ?? []]))
  }
  return found
}
