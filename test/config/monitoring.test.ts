import { readFileSync } from "node:fs"
import t from "tap"
import { parse } from "yaml"
import { metricsOf } from "../../plugins/capabilities/connect/connecting.ts"
import { NodeRequests } from "../../plugins/capabilities/servers/node-metrics.ts"
import { openMetrics } from "../support/metrics.ts"
import { alerts, queries } from "../support/prometheus/monitoring.ts"
import { freshWorkshop } from "../support/service.ts"

t.test("alerts and dashboard use exactly the metrics of the service, of several servers and of a source", async (t) => {
  const workshop = await freshWorkshop(t)
  workshop.write("")
  const { text } = await (await openMetrics(t, await workshop.start())).read()
  const source = {
    compared_at: null,
    refused: 0,
    held: [],
    failed_at: null,
    watching: null,
    drift: null,
  }
  const others = [...new NodeRequests().metrics([], 0), ...metricsOf(source)]
  const known = new Set(others.map(({ name }) => name))
  for (const [, name = ""] of text.matchAll(/^# HELP (event_export_\w+) ./gm)) known.add(name)
  const namesIn = (expressions: readonly { readonly expr: string }[]) =>
    new Set(expressions.flatMap(({ expr }) => expr.match(/\bevent_export_\w+/g) ?? []))
  const base = (name: string) => known.has(name) ? name : name.replace(/_(bucket|sum|count)$/, "")
  for (const names of [namesIn(alerts), namesIn(queries)]) {
    t.ok(names.size > 10)
    t.strictSame([...names].filter((name) => !known.has(base(name))), [])
  }
  const shown = new Set([...namesIn(queries)].map(base))
  t.strictSame([...known].filter((name) => !shown.has(name)), [])
  t.equal(new Set(alerts.map(({ alert }) => alert)).size, alerts.length, "names are unique")
})

t.test("alertmanager.yaml names alerts and labels that there are, and groups those of a partner", async (t) => {
  const { route, inhibit_rules: rules, receivers } = parse(
    readFileSync("config/alertmanager.yaml", "utf8"),
  )
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
