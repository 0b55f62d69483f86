import type { Test } from "tap"
import { comparisonAsValue } from "../promql.ts"
import { alerts, board, needsMore, queries } from "./monitoring.ts"
import type { Prometheus } from "./server.ts"

/**
 * Tests that Prometheus scrapes its target, answers every query of dashboard and alerts with data, and has evaluated
 * the alerts, after `causeEverything`. The service has a single database server.
 */
export async function testAnswers(t: Test, prometheus: Prometheus): Promise<void> {
  t.strictSame(await prometheus.targets().then((all) => all.map(({ health }) => health)), ["up"])
  const answers = new Map<string, number>()
  const unanswerable: string[] = []
  const ask = async (name: string, expr: string) => {
    const found = await prometheus.query(expr).then(({ length }) => length, String)
    if (needsMore(expr)) unanswerable.push(`${name}: ${expr}`)
    answers.set(`${name}: ${expr}`, typeof found === "string" ? NaN : found)
    if (typeof found === "string") t.fail(found)
  }
  for (const { title, expr } of queries) await ask(title, expr)
  for (const { alert, expr } of alerts) {
    // An alert that does not fire returns nothing. With `bool`, the same series are compared, and all returned.
    await ask(alert, comparisonAsValue(expr))
  }
  t.equal(answers.size, queries.length + alerts.length)
  t.strictSame(
    [...answers].filter(([, series]) => !(series > 0)).map(([name]) => name),
    unanswerable,
  )

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
  const expected = ["LockedOut", "NoAccess", "Stuck", "Silent", "Behind", "Resync"]
  for (const name of expected) t.ok(active.includes(`EventExportPartner${name}`), name)
  t.ok(active.includes("EventExportSessionEndsSoon"))
  for (const name of ["Down", "NotReady", "EntriesDropped", "TriggersFaulty"]) {
    t.notOk(active.includes(`EventExport${name}`), name)
  }
}
