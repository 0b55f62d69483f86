import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import process from "node:process"
import { createInterface } from "node:readline"
import { setTimeout } from "node:timers/promises"
import t from "tap"
import { configWith, secret } from "../../support/app.ts"
import { configFolder } from "../../support/config-folder.ts"
import { copiedUrl } from "../../support/database.ts"
import { blocksOf } from "../../support/documents.ts"
import { openCollector } from "../../support/span-collector.ts"

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
const parentId = "00f067aa0ba902b7"

t.test("the recipe for traces sends a span per request, under the caller's", async (t) => {
  const collector = await openCollector(t)
  const { folder, write } = configFolder(t)
  const file = write(configWith([]))
  const program = join(folder, "bin/event-export")
  mkdirSync(join(folder, "bin"))
  writeFileSync(
    program,
    `#!/bin/sh\nexec '${process.execPath}' '${resolve("core/main.js")}' "$@"\n`,
  )
  chmodSync(program, 0o755)

  const [, recipe = ""] = readFileSync("config/handbook/recipes.md", "utf8").split(
    "\n## Send traces\n",
  )
  const [block = ""] = blocksOf(recipe, "sh")
  const lines = block.replace(/http:\/\/127\.0\.0\.1:4318/, collector.url).trim().split("\n")
  const install = lines.shift() ?? ""
  t.match(install, /^npm install /)
  execFileSync("sh", ["-c", install], { cwd: folder })
  const child = spawn("sh", [
    "-ec",
    lines.join("\n").replace(/^event-export/m, "exec event-export"),
  ], {
    cwd: folder,
    env: {
      ...process.env,
      ...{ CONFIG: file, DATABASE_URL: await copiedUrl(t, "sqlite"), SESSION_SECRET: secret },
      ...{ PORT: "0", ADMIN_PORT: "0", PATH: `${folder}/bin:${process.env["PATH"]}` },
      // What the collector of this test reads, and at once.
      ...{ OTEL_EXPORTER_OTLP_PROTOCOL: "http/json", OTEL_BSP_SCHEDULE_DELAY: "100" },
      ...{ OTEL_METRICS_EXPORTER: "none", OTEL_LOGS_EXPORTER: "none" },
    },
    stdio: ["ignore", "pipe", "inherit"],
  })
  t.teardown(async () => {
    if (child.exitCode !== null) return
    child.kill("SIGTERM")
    await once(child, "exit")
  })
  let url = ""
  for await (const line of createInterface({ input: child.stdout })) {
    const entry = JSON.parse(line)
    if (entry.url) url = entry.url
    if (url !== "") break
  }
  const headers = { traceparent: `00-${traceId}-${parentId}-01` }
  const wrong = await fetch(`${url}/session`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ username: "nobody", password: "wrong" }),
  })
  t.equal(wrong.status, 401)
  const request = () => collector.spans.find((span) => span.traceId === traceId)
  while (!request()) await setTimeout(50)
  t.match(request(), { kind: 2, parentSpanId: parentId })
  t.ok(collector.services.every((name) => name === "event-export"))
})
