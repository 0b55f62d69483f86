import { spawnSync } from "node:child_process"
import t from "tap"
import { alerts, rulesFile } from "../../support/prometheus/monitoring.ts"
import { findAmtool, findPrometheus } from "../../support/prometheus/programs.ts"

const alertmanagerFile = "config/alertmanager.yaml"

const tools = await findPrometheus().catch((error) => error)
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
