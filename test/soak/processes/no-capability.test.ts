import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { pathToFileURL } from "node:url"
import t from "tap"
import { configWith, secret } from "../../support/app.ts"
import { runCommand } from "../../support/run-command.ts"

t.test("with no capability, a process loads no file of one, and serves", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const [file, list, hook] = ["event-export.yaml", "loaded", "hook.mjs"]
    .map((name) => join(folder, name)) as [string, string, string]
  writeFileSync(file, configWith([]))
  writeFileSync(
    hook,
    `import { registerHooks } from "node:module"
    import { appendFileSync } from "node:fs"
    registerHooks({ load(url, context, next) {
      appendFileSync(${JSON.stringify(list)}, url + "\\n")
      return next(url, context)
    } })`,
  )
  const env = {
    ...{ DATABASE_URL: `sqlite:${join(folder, "test.db")}`, SESSION_SECRET: secret },
    ...{ PORT: "0", ADMIN_PORT: "0" },
  }
  t.match(await runCommand(`-c ${file} migrate`, { env }), { code: 0 })
  const args = ["--import", pathToFileURL(hook).href, "core/main.js", "serve", "-c", file]
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  })
  t.teardown(() => child.kill("SIGKILL"))
  let text = ""
  for await (const chunk of child.stdout) {
    text += String(chunk)
    if (text.includes('"msg":"serving"')) break
  }
  const { url } = JSON.parse(text.split("\n").find((line) => line.includes('"serving"')) ?? "{}")
  t.equal((await fetch(`${url}/readyz`)).status, 200)
  child.kill("SIGTERM")
  await once(child, "exit")
  const loaded = readFileSync(list, "utf8").split("\n")
  const isOfFamily = (file: string) => file.includes("/plugins/families/connector-b/")
  t.ok(loaded.some(isOfFamily), "the list is of this process")
  t.strictSame(loaded.filter((file) => /\/plugins\/capabilities\/.*\//.test(file)), [])
})
