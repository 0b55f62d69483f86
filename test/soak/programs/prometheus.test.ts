import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import t from "tap"
import { parse } from "yaml"
import { liveDemonstration, type Running } from "../support/live-demonstration.ts"
import { testAnswers } from "../../support/prometheus/answers.ts"
import { causeEverything, untilSeen } from "../../support/prometheus/everything.ts"
import { rulesFile } from "../../support/prometheus/monitoring.ts"
import { findPrometheus } from "../../support/prometheus/programs.ts"
import { startPrometheus } from "../../support/prometheus/server.ts"

const programs = await findPrometheus().catch((error: Error) => error)
const skip = programs instanceof Error && programs.message

t.test("Prometheus answers all queries of dashboard and alerts with data", { skip }, async (t) => {
  if (programs instanceof Error) throw programs
  const service = await liveDemonstration(t)
  const prometheus = await startPrometheus(t, programs.prometheus, configurationFor(service))
  await causeEverything(t, service)
  await untilSeen(prometheus)

  await testAnswers(t, prometheus)
})

/** Returns the configuration of compose.yaml for a service on this machine, with more scrapes. */
function configurationFor({ metrics }: Running): unknown {
  const file = "config/deploy/compose/prometheus.yml"
  const { scrape_configs: [scrape], ...others } = parse(readFileSync(file, "utf8"))
  t.strictSame(others.rule_files, ["/etc/prometheus/event-export-alerts.yaml"])
  return {
    ...others,
    global: { ...others.global, scrape_interval: "1s", evaluation_interval: "1s" },
    rule_files: [resolve(rulesFile)],
    scrape_configs: [{ ...scrape, static_configs: [{ targets: [new URL(metrics).host] }] }],
  }
}
