import { readFileSync } from "node:fs"
import * as v from "valibot"
import { parse } from "yaml"

export const rulesFile = "config/prometheus-alerts.yaml"
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
        runbook_url: v.pipe(
          v.string(),
          v.regex(/^\{\{ \$externalLabels\.console \}\}\/console\/handbook\/\w+\?section=[\w-]+$/),
        ),
      }),
    })),
  })),
})

const dashboard = v.object({
  uid: v.string(),
  title: v.string(),
  templating: v.object({
    list: v.array(v.object({ name: v.string(), type: v.string(), query: v.unknown() })),
  }),
  panels: v.array(v.object({
    id: v.number(),
    type: v.picklist(["row", "stat", "timeseries", "table"]),
    title: v.pipe(v.string(), v.nonEmpty()),
    gridPos: v.object({ x: v.number(), y: v.number(), w: v.number(), h: v.number() }),
    targets: v.optional(v.array(v.object({ expr: v.string(), legendFormat: v.string() })), []),
  })),
})

/** The alerts of the file for Prometheus. */
export const alerts = v.parse(rules, parse(readFileSync(rulesFile, "utf8"))).groups
  .flatMap((group) => group.rules)

/** The dashboard for Grafana. */
export const board = v.parse(
  dashboard,
  JSON.parse(readFileSync("config/grafana-dashboard.json", "utf8")),
)

/** The queries of all panels, with Grafana's variables replaced. */
export const queries = board.panels.flatMap(({ title, targets }) =>
  targets.map((target) => ({ title, ...target, expr: withoutVariables(target.expr) }))
)

/** True if an expression is about several database servers, which not all services have. */
export function needsMore(expr: string): boolean {
  return /event_export_(node|failovers)_/.test(expr)
}

/** Replaces the variables of Grafana in an expression. */
export function withoutVariables(expr: string): string {
  return expr.replaceAll("$__rate_interval", "5m")
    .replaceAll(/\$(instance|family|account|event)\b/g, ".*")
}
