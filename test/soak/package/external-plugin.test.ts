import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import t, { type Test } from "tap"
import { readPlan } from "../../../core/routes/plan.ts"
import type { Database } from "../../../core/data/database.ts"
import { secret } from "../../support/app.ts"
import { Builder, password } from "../../support/builder.ts"
import { copiedUrl, openFor } from "../../support/database.ts"
import { startProcess } from "../support/service-process.ts"
import { denoPermissions, runtimes, withoutRuntime } from "../../support/runtimes.ts"

/** A plugin with types, written outside the repository, with one import. */
const source = `
import { definePlugin, events, granted, leanEvent, listing, pathSegment, type Policy, slug, v }
  from "event-export/plugin"

export default definePlugin({
  apiVersion: 3,
  name: "outside",
  version: "3.2.1",
  summary: "A plugin from elsewhere",
  settings: v.strictObject({ segment: pathSegment, organizations: v.array(slug) }),
  mount: ({ segment, organizations }) => {
    const auth: Policy = granted(organizations)
    return {
      prefix: \`/\${segment}/v1\`,
      routes: [listing("/events", events, { auth, project: leanEvent })],
    }
  },
})
`
/** The same plugin without types, because packages contain JavaScript. */
const script = source.replace("type Policy, ", "").replace("auth: Policy", "auth")

const denoOptions = ["--import-map", "core/imports.json", ...denoPermissions]
for (const runtime of runtimes) {
  const places = {
    "beside its configuration": (t: Test) =>
      configFor(folderOf(t, { "family.ts": source }), "./family.ts"),
    "that is a package": (t: Test) => configFor(folderOf(t, {}), packageOf(t, "plugin.js", script)),
  }
  for (const [place, configure] of Object.entries(places)) {
    t.test(`a plugin ${place} is served by a process under ${runtime}`, {
      skip: withoutRuntime(runtime),
    }, async (t) => {
      const url = await copiedUrl(t, "sqlite")
      const database = await openFor(t, url)
      const environment = { ...environmentOf(url), CONFIG: configure(t) }
      const { url: base } = await startProcess(t, runtime, environment, [], denoOptions)
      await testPlugin(t, database, base)
    })
  }
}

t.test("readPlan rejects what it does not find, what never ends, and a package in TypeScript", async (t) => {
  const folder = folderOf(t, { "endless.ts": "await new Promise(() => {})" })
  const wrong: Readonly<Record<string, RegExp>> = {
    "./nowhere":
      /cannot use plugin \.\/nowhere: there is no such file, nor a plugin\.ts or plugin\.js in /,
    "event-export-nowhere":
      /there is no plugin event-export-nowhere, and no package of that name is installed; there are connector-a, /,
    "./endless.ts": /config\.yaml:\d+:\d+: .* does not load: it was not loaded within 10 seconds/,
    [packageOf(t, "plugin.ts", source)]:
      /does not load: it ships TypeScript, .* Its author has to compile it before "npm pack"/,
  }
  for (const [use, message] of Object.entries(wrong)) {
    const reading = readPlan(configFor(folder, use), environmentOf("sqlite:unused"))
    await t.rejects(reading, { message }, use)
  }
})

t.test("readPlan loads the package that is installed beside the configuration", async (t) => {
  const name = packageOf(t, "plugin.js", "export default 'the package beside the program'")
  const folder = folderOf(t, {
    [`node_modules/${name}/package.json`]: JSON.stringify({
      name,
      type: "module",
      exports: { import: "./plugin.js" },
    }),
    [`node_modules/${name}/plugin.js`]: script,
    "node_modules/half/package.json": '{ "name": "half", "exports": { "./other": "./x.js" } }',
  })
  const environment = environmentOf("sqlite:unused")
  const { plugins } = await readPlan(configFor(folder, name), environment)
  t.match(plugins.at(-1)?.plugin, { name: "outside", version: "3.2.1" })
  await t.rejects(readPlan(configFor(folder, "half"), environment), {
    message: /cannot use plugin half: its package is not usable: No "exports" main defined/,
  })
})

/** Creates a temporary folder with files, outside the repository. */
function folderOf(t: Test, files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "event-export-plugin-")))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

/** Installs a package of one file until the end of the test, and returns its name. */
function packageOf(t: Test, file: string, text: string): string {
  const name = `event-export-test-${crypto.randomUUID()}`
  const folder = join("node_modules", name)
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(folder)
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, type: "module", main: file }))
  writeFileSync(join(folder, file), text)
  return name
}

/** Writes a configuration beside the plugin, and returns its path. */
function configFor(folder: string, use: string): string {
  const file = join(folder, "config.yaml")
  writeFileSync(
    file,
    `server: { host: 127.0.0.1, port: 0 }
database: { url: "\${DATABASE_URL}" }
session: { secrets: ["\${SESSION_SECRET}"] }
plugins:
  - use: session
  - use: ${use}
    with: { segment: outside, organizations: [north] }
`,
  )
  return file
}

function environmentOf(url: string): Record<string, string> {
  return { DATABASE_URL: url, SESSION_SECRET: secret }
}

/** Tests that the plugin lists an event for an account with a grant, and for nobody else. */
async function testPlugin(t: Test, database: Database, base: string): Promise<void> {
  const build = new Builder(database)
  const event = await build.event(await build.organization("north"))
  await build.account("ann")
  await build.grant("ann", { organization: "north" })
  t.equal((await fetch(`${base}/outside/v1/events`)).status, 401)
  const { headers } = await fetch(`${base}/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "ann", password }),
  })
  const cookie = headers.getSetCookie()[0]?.split(";")[0] ?? ""
  const response = await fetch(`${base}/outside/v1/events`, { headers: { cookie } })
  t.match(await response.json(), [{ id: event }])
}
