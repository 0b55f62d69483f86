import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import t from "tap"
import { parse, stringify } from "yaml"
import { alerts, rulesFile } from "../../support/prometheus/monitoring.ts"
import { findAmtool, findPrometheus } from "../../support/prometheus/programs.ts"

const alertmanagerFile = "config/alertmanager.yaml"
const expectations = "test/config/alerts.promtool.yaml"

const tools = await findPrometheus().catch((error) => error)
const skip = tools instanceof Error && tools.message

t.test(
  "promtool accepts prometheus-alerts.yaml, and the alerts fire as expected",
  { skip },
  (t) => {
    const file = join(t.testdir(), "alerts.yaml")
    writeFileSync(file, stringify(withRunbooks(parse(readFileSync(expectations, "utf8")))))
    for (const args of [["check", "rules", rulesFile], ["test", "rules", file]]) {
      const { status, stdout, stderr } = spawnSync(tools.promtool, args, { encoding: "utf8" })
      t.equal(status, 0, stdout + stderr)
    }
    t.end()
  },
)

interface Expectations {
  readonly tests: readonly {
    readonly external_labels: { readonly console: string }
    readonly alert_rule_test?: readonly {
      readonly alertname: string
      readonly exp_alerts?: readonly { readonly exp_annotations: object }[]
    }[]
  }[]
}

/** Adds the rules, and to each alert that is expected what its rule says beside the summary. */
function withRunbooks({ tests, ...others }: Expectations): object {
  const annotationsOf = (name: string, console: string) => {
    const { runbook, runbook_url } = alerts.find(({ alert }) => alert === name)?.annotations ?? {}
    return { runbook, runbook_url: runbook_url?.replace("{{ $externalLabels.console }}", console) }
  }
  return {
    ...others,
    rule_files: [resolve(rulesFile)],
    tests: tests.map(({ alert_rule_test = [], ...test }) => ({
      ...test,
      alert_rule_test: alert_rule_test.map(({ alertname, exp_alerts = [], ...rule }) => ({
        ...rule,
        alertname,
        exp_alerts: exp_alerts.map(({ exp_annotations, ...alert }) => ({
          ...alert,
          exp_annotations: {
            ...exp_annotations,
            ...annotationsOf(alertname, test.external_labels.console),
          },
        })),
      })),
    })),
  }
}

const amtool = await findAmtool().catch((error) => error)

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
