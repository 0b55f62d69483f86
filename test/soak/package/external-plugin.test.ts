import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { createInterface } from "node:readline"
import { promisify } from "node:util"
import t, { type Test } from "tap"
import { readPlan } from "../../../core/routes/plan.ts"
import type { Database } from "../../../core/data/database.ts"
import { migrate } from "../../../core/data/migrate.ts"
import { startInstance } from "../../../core/kernel/instance.ts"
import { secret } from "../../support/app.ts"
import { Builder, password } from "../../support/builder.ts"
import { copiedUrl, openFor } from "../../support/database.ts"
import { installPacked } from "../support/packed.ts"
import { commandOf, denoPermissions, runtimes, withoutRuntime } from "../../support/runtimes.ts"

type Send = (path: string, init?: RequestInit) => Promise<Response>

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** A plugin with types, written outside the repository, with one import. */
const source = `
import { definePlugin, events, granted, leanEvent, listing, pathSegment, type Policy, slug, v }
  from "event-export/plugin"

export default definePlugin({
  apiVersion: 2,
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

t.test("a plugin outside the repository is served on Node", async (t) => {
  const folder = folderOf(t, { "family.ts": source, "family/plugin.ts": source })
  for (const use of ["./family.ts", "./family", join(folder, "family.ts")]) {
    await t.test(`use: ${use.replace(folder, "/…")} loads the plugin`, async (t) => {
      const { url, database } = await sampleDatabase(t)
      const config = await readPlan(configFor(folder, use), environmentOf(url))
      t.match(config.plugins.at(-1)?.plugin, { name: "outside", version: "3.2.1" })
      const instance = await startInstance(config, { log: silent })
      t.teardown(() => instance.close())
      await testPlugin(
        t,
        database,
        (path, init) => instance.fetch(new Request(`http://localhost${path}`, init)),
      )
    })
  }
})

const denoOptions = ["--import-map", "core/imports.json", ...denoPermissions]
for (const runtime of runtimes) {
  const command = commandOf(runtime, denoOptions)
  t.test(`a plugin outside the repository is served by a process under ${runtime}`, {
    skip: withoutRuntime(runtime),
  }, async (t) => {
    const { url, database } = await sampleDatabase(t)
    const folder = folderOf(t, { "family.ts": source })
    const address = await serve(t, command, configFor(folder, "./family.ts"), environmentOf(url))
    await testPlugin(t, database, (path, init) => fetch(address + path, init))
  })

  t.test(`a plugin that is a package is served by a process under ${runtime}`, {
    skip: withoutRuntime(runtime),
  }, async (t) => {
    const { url, database } = await sampleDatabase(t)
    const config = configFor(folderOf(t, {}), packageOf(t, "plugin.js", script))
    const address = await serve(t, command, config, environmentOf(url))
    await testPlugin(t, database, (path, init) => fetch(address + path, init))
  })
}

t.test("a test outside the repository finds the conformance suite if the package is installed", async (t) => {
  const folder = folderOf(t, {
    "family.ts": source,
    "package.json": '{ "type": "module" }',
    "family.test.ts": `
      import { conformanceProblems } from "event-export/conformance"
      import plugin from "./family.ts"

      const settings = { segment: "outside", organizations: ["north"] }
      console.log(JSON.stringify(await conformanceProblems(plugin, settings)))`,
    "node_modules/.keep": "",
  })
  const { folder: installed } = await installPacked()
  symlinkSync(
    join(installed, "node_modules/event-export"),
    join(folder, "node_modules/event-export"),
  )
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "family.test.ts")])
  t.equal(stdout, "[]\n")
})

const failing: Record<string, [source: string, message: RegExp]> = {
  "a syntax error": ["export default {", /does not load: /],
  "no default export": [
    "export const plugin = 1",
    /its default export is not a plugin: write definePlugin/,
  ],
  "another default export": ["export default () => {}", /its default export is not a plugin/],
  "another contract version": [
    source.replace("apiVersion: 2", "apiVersion: 1"),
    /apiVersion must be 2, the version of this service's contract, not 1/,
  ],
  "a missing import": [
    'import "event-export-nowhere"',
    /does not load: Cannot find package 'event-export-nowhere'/,
  ],
  "code that throws": ['throw new Error("no licence")', /does not load: no licence/],
  "top-level await that never ends": [
    "await new Promise(() => {})",
    /does not load: it was not loaded within 10 seconds/,
  ],
}
for (const [name, [source, message]] of Object.entries(failing)) {
  t.test(`readPlan rejects a plugin with ${name}, with its position in the configuration`, async (t) => {
    const folder = folderOf(t, { "family.ts": source })
    const reading = readPlan(configFor(folder, "./family.ts"), environmentOf("sqlite:unused"))
    const { message: reason } = await reading.then(() => new Error("it was read"), (e: Error) => e)
    t.match(reason, /config\.yaml:\d+:\d+: cannot use plugin \.\/family\.ts: /)
    t.match(reason, message)
  })
}

t.test("readPlan rejects a missing plugin", async (t) => {
  const folder = folderOf(t, {})
  const environment = environmentOf("sqlite:unused")
  await t.rejects(readPlan(configFor(folder, "./nowhere"), environment), {
    message:
      /cannot use plugin \.\/nowhere: there is no such file, nor a plugin\.ts or plugin\.js in /,
  })
  await t.rejects(readPlan(configFor(folder, "event-export-nowhere"), environment), {
    message:
      /there is no plugin event-export-nowhere, and no package of that name is installed; there are connector-a, /,
  })
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

t.test("readPlan rejects a package in TypeScript, because Node strips no types there", async (t) => {
  const name = packageOf(t, "plugin.ts", source)
  await t.rejects(readPlan(configFor(folderOf(t, {}), name), environmentOf("sqlite:unused")), {
    message:
      /does not load: it ships TypeScript, .* Its author has to compile it before "npm pack"/,
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

async function sampleDatabase(t: Test): Promise<{ url: string; database: Database }> {
  const url = await copiedUrl(t, "sqlite")
  const database = await openFor(t, url)
  await migrate(database)
  return { url, database }
}

/** Tests that the plugin lists an event for an account with a grant, and for nobody else. */
async function testPlugin(t: Test, database: Database, send: Send): Promise<void> {
  const build = new Builder(database)
  const event = await build.event(await build.organization("north"))
  await build.account("ann")
  await build.grant("ann", { organization: "north" })
  t.equal((await send("/outside/v1/events")).status, 401)
  const { headers } = await send("/session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "ann", password }),
  })
  const cookie = headers.getSetCookie()[0]?.split(";")[0] ?? ""
  const response = await send("/outside/v1/events", { headers: { cookie } })
  t.equal(response.status, 200)
  t.match(await response.json(), [{ id: event }])
}

/** Starts a process that serves, and returns its URL. */
async function serve(
  t: Test,
  [command, ...args]: readonly [string, ...string[]],
  config: string,
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const child: ChildProcess = spawn(
    command,
    [...args, "core/main.js", "--config", config, "serve"],
    { env: { ...process.env, ...environment }, stdio: ["ignore", "pipe", "pipe"] },
  )
  t.teardown(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill("SIGTERM")
    await once(child, "exit")
  })
  let errors = ""
  child.stderr?.on("data", (chunk) => errors += chunk)
  for await (const line of createInterface({ input: child.stdout as never })) {
    const { msg, url } = line.startsWith("{") ? JSON.parse(line) : {}
    if (msg !== "serving") continue
    child.stdout?.resume()
    return url
  }
  throw new Error(`${command} did not serve: ${errors}`)
}
