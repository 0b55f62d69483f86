import { readFileSync, writeFileSync } from "node:fs"
import { once } from "node:events"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import t from "tap"
import { configWith, secret } from "../../support/app.ts"
import { configFolder } from "../../support/config-folder.ts"
import { freshUrl } from "../../support/database.ts"
import { runCommand } from "../../support/run-command.ts"
import { startProcess } from "../support/service-process.ts"

t.test("with no capability, a process loads no file of one, and serves", async (t) => {
  const { folder, write } = configFolder(t)
  const [list, hook] = [join(folder, "loaded"), join(folder, "hook.mjs")]
  writeFileSync(
    hook,
    `import { registerHooks } from "node:module"
    import { appendFileSync } from "node:fs"
    registerHooks({ load(url, context, next) {
      appendFileSync(${JSON.stringify(list)}, url + "\\n")
      return next(url, context)
    } })`,
  )
  const config = write(configWith([]))
  const env = { DATABASE_URL: await freshUrl(t, "sqlite"), SESSION_SECRET: secret, PORT: "0" }
  t.match(await runCommand(`-c ${config} migrate`, { env }), { code: 0 })
  const { url, child } = await startProcess(t, "node", {
    ...env,
    CONFIG: config,
    NODE_OPTIONS: `--import=${pathToFileURL(hook).href}`,
  })
  t.equal((await fetch(`${url}/readyz`)).status, 200)
  child.kill("SIGTERM")
  await once(child, "exit")
  const loaded = readFileSync(list, "utf8").split("\n")
  const isOfFamily = (file: string) => file.includes("/plugins/families/connector-b/")
  t.ok(loaded.some(isOfFamily), "the list is of this process")
  t.strictSame(loaded.filter((file) => /\/plugins\/capabilities\/.*\//.test(file)), [])
})
