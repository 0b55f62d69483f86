import { execFile } from "node:child_process"
import { appendFileSync, chmodSync, cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"
import t, { type Test } from "tap"
import { findEngine } from "../support/containers/engine.ts"
import { buildImage, standIns } from "../support/containers/images.ts"
import { testAnswers } from "../../support/prometheus/answers.ts"
import { causeEverything, untilSeen } from "../../support/prometheus/everything.ts"
import { connectTo } from "../../support/prometheus/server.ts"
import { unavailablePlugin } from "../../support/prometheus/unavailable-plugin.ts"
import { findStablePort } from "../../support/stable-port.ts"

const engine = findEngine()
const skip = typeof engine === "string"
  ? engine
  : !engine.compose && `${engine.name} has no program for compose files`

t.test("compose.yaml starts everything: partners poll, and Prometheus answers with data", {
  skip,
}, async (t) => {
  if (typeof engine === "string" || !engine.compose) return
  const images = { EVENT_EXPORT_IMAGE: await buildImage(engine), ...await standIns(engine) }
  const ports = {
    EVENT_EXPORT_PORT: String(await findStablePort()),
    PROMETHEUS_PORT: String(await findStablePort()),
    GRAFANA_PORT: String(await findStablePort()),
  }
  const folder = copyOfConfig(t)
  const project = `event-export-test-${process.pid}`
  const [program, ...first] = engine.compose
  const compose = async (...args: string[]) =>
    (await promisify(execFile)(program, [...first, "-p", project, ...args], {
      cwd: folder,
      env: { ...process.env, ...images, ...ports },
      maxBuffer: 2 ** 26,
    })).stdout
  t.teardown(() => compose("down", "--volumes"))
  // Grafana's image cannot be made of Debian's packages.
  const services = process.env["PULL"] ? [] : ["event-export", "prometheus"]
  await compose("up", "--detach", ...services)

  const url = `http://127.0.0.1:${ports.EVENT_EXPORT_PORT}`
  const prometheusUrl = `http://127.0.0.1:${ports.PROMETHEUS_PORT}`
  for (const ready of [`${url}/readyz`, `${prometheusUrl}/-/ready`]) {
    while (!await fetch(ready).then(({ ok }) => ok, () => false)) await setTimeout(500)
  }

  const running = await engine.run("ps", "--format", "{{.Names}}", "--filter", `name=${project}`)
  const nameOf = (service: string) =>
    running.split("\n").find((name) =>
      name.includes(project) && /[-_]\d+$/.test(name) &&
      name.replace(/[-_]\d+$/, "").endsWith(service)
    ) ?? ""
  const ofService = nameOf("event-export")
  const ofMysql = nameOf("mysql")
  const networks = JSON.parse(await engine.run("inspect", ofMysql))[0].NetworkSettings.Networks
  const [{ IPAddress: address }] = Object.values<{ IPAddress: string }>(networks) as [
    { IPAddress: string },
  ]
  const password = (await engine.run("exec", ofMysql, "cat", "/run/secrets/password")).trim()

  const { token } = await (await fetch(`${url}/session`, {
    method: "POST",
    headers: { "content-type": "application/json", prefer: "return=representation" },
    body: JSON.stringify({ username: "operator", password: "demo" }),
  })).json()
  const headers = { authorization: `Bearer ${token}` }
  const overview = async () => await (await fetch(`${url}/console`, { headers })).text()
  const inSync = /partner-a(?:(?!<\/tr>).)*in sync/s
  while (!inSync.test(await overview())) await setTimeout(500)
  t.match(await overview(), inSync, "the console shows a partner that polls")
  t.match(await engine.run("exec", ofService, "event-export", "partners"), /partner-a +in sync/)

  await causeEverything(t, {
    url,
    databaseUrl: `mysql://event_export:${password}@${address}:3306/event_export?ssl=required`,
  })
  const prometheus = connectTo(prometheusUrl)
  await untilSeen(prometheus)
  await testAnswers(t, prometheus)
})

/** Copies the folder config, with a burst of 5 and the plugin of `unavailable-plugin.ts`, and returns the folder of compose.yaml there. */
function copyOfConfig(t: Test): string {
  const root = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(root, { recursive: true, force: true }))
  // The users of the containers are others.
  chmodSync(root, 0o755)
  cpSync("config", root, { recursive: true })
  const folder = join(root, "deploy/compose/event-export")
  const { file, text } = unavailablePlugin
  writeFileSync(join(folder, file), text)
  appendFileSync(
    join(folder, "event-export.yaml"),
    `  - use: ./${file}\nlimits: { burst: 5 }\n`,
  )
  return join(root, "deploy")
}
