import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import t from "tap"
import { startInstance } from "../../../../core/kernel/instance.ts"
import { readPlan } from "../../../../core/routes/plan.ts"
import { secret } from "../../../support/app.ts"
import { Builder, password } from "../../../support/builder.ts"
import { copiedUrl, openFor } from "../../../support/database.ts"
import { scannedLog } from "../../../support/scanned-log.ts"

t.test("with public: false, strangers are sent to log in, and programs get 401", async (t) => {
  const url = await copiedUrl(t, "sqlite")
  await new Builder(await openFor(t, url)).account("ann")
  const text = readFileSync("config/event-export.yaml", "utf8")
    .replace("module: ./demo", `module: ${resolve("config/demo")}`)
    .replace("  - use: docs\n", "  - use: docs\n    with: { public: false }\n")
  const folder = t.testdir({ "event-export.yaml": text })
  const plan = await readPlan(`${folder}/event-export.yaml`, {
    DATABASE_URL: url,
    SESSION_SECRET: secret,
    PORT: "0",
  })
  const instance = await startInstance(plan, { log: scannedLog(t, []) })
  t.teardown(() => instance.close())
  const get = (path: string, headers = {}) =>
    instance.fetch(new Request(`http://localhost${path}`, { headers }))
  const page = { accept: "text/html" }
  const log = await instance.fetch(
    new Request("http://localhost/session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: "ann", password }),
    }),
  )
  const [cookie] = (log.headers.get("set-cookie") ?? "").split(";")

  for (const path of ["/docs", "/docs/sync", "/docs/search?q=x", "/docs/sync.md", "/llms.txt"]) {
    const stranger = await get(path, page)
    t.equal(stranger.status, 303, path)
    t.match(stranger.headers.get("location"), "/docs/log-in")
    const program = await get(path)
    t.equal(program.status, 401, path)
    t.match(await program.json(), { code: "unauthenticated" })
    t.equal((await get(path, { ...page, cookie })).status, 200, path)
  }
  for (const path of ["/docs/feed.sh", "/docs/guide.md"]) {
    t.equal((await get(path)).status, 401, path)
    t.equal((await get(path, { cookie })).status, 200, path)
  }
  for (const path of ["/docs/log-in", "/docs/files/design.css", "/problems/not_found"]) {
    t.equal((await get(path)).status, 200, path)
  }
})
