import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import { createInterface } from "node:readline"
import t, { type Test } from "tap"
import { version } from "../../../core/kernel/version.ts"
import { installPackages, installPacked, npm, packFolder } from "../support/packed.ts"

const { folder: installed, bin } = await installPacked()

/** Without the configuration that make pack-test names. */
const { CONFIG: _, ...environment } = process.env

/** The files of a package that has a family as its plugin. */
const files = {
  "package.json": JSON.stringify({
    ...{ name: "badge-printer", version: "0.1.0", type: "module", files: ["dist"] },
    exports: { ".": { types: "./dist/plugin.d.ts", default: "./dist/plugin.js" } },
    scripts: { test: "node --test", prepack: "tsc" },
    peerDependencies: { "event-export": `^${version}` },
  }),
  "tsconfig.json": JSON.stringify({
    compilerOptions: {
      ...{ target: "esnext", module: "nodenext", types: ["node"], strict: true },
      ...{ skipLibCheck: true, declaration: true, outDir: "dist" },
    },
    files: ["plugin.ts"],
  }),
  "plugin.ts": `import {
  definePlugin, family, granted, leanEvent, leanGuest, leanItems, pathSegment, slug, v,
} from "event-export/plugin"

export default definePlugin({
  apiVersion: 3,
  name: "badge-printer",
  summary: "Lean guests and items",
  settings: v.strictObject({ segment: pathSegment, organizations: v.array(slug) }),
  mount: ({ segment, organizations }) =>
    family(\`/\${segment}/v1\`, {
      auth: granted(organizations),
      events: leanEvent,
      guests: leanGuest,
      items: leanItems,
    }),
})
`,
  "plugin.test.ts": `import assert from "node:assert/strict"
import { test } from "node:test"
import { conformanceProblems } from "event-export/conformance"
import plugin from "./plugin.ts"

test("badge-printer conforms", async () => {
  const settings = { segment: "badge-printer", organizations: ["north"] }
  assert.deepEqual(await conformanceProblems(plugin, settings), [])
})
`,
}

t.test("a package of a plugin is tested, compiled, packed, installed and served", async (t) => {
  const folder = pluginFolder(t)
  t.match(await npm(folder, ["test"]), /badge-printer conforms/)
  const tarball = await packFolder(folder, folder)
  const packed = execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" })
  t.strictSame(packed.trim().split("\n").sort(), [
    "package/dist/plugin.d.ts",
    "package/dist/plugin.js",
    "package/package.json",
  ])

  const place = await operatorFolder(t, tarball)
  appendFileSync(
    join(place, "event-export.yaml"),
    "\n  - use: badge-printer\n    with: { segment: badges, organizations: [north] }\n",
  )
  t.match(run(place, ["routes"]), /GET +\/badges\/v1\/events\/:eventId\/guests +badge-printer/)
  run(place, ["migrate"])
  run(place, ["account", "add", "olivia", "--role", "operator"], "a long enough password\n")
  const url = await serve(t, place)
  const session = await fetch(`${url}/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "olivia", password: "a long enough password" }),
  })
  const cookie = session.headers.getSetCookie()[0]?.split(";")[0] ?? ""
  const document = await fetch(`${url}/openapi.json`, { headers: { cookie } })
  t.ok("/badges/v1/events/{eventId}/guests" in (await document.json()).paths)
})

/** Writes the package of a plugin, with what npm would install for its author. */
function pluginFolder(t: Test): string {
  const folder = join(temporaryFolder(t), "badge-printer")
  mkdirSync(folder)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  mkdirSync(join(folder, "node_modules/.bin"), { recursive: true })
  mkdirSync(join(folder, "node_modules/@types"))
  const link = (target: string, name: string) =>
    symlinkSync(target, join(folder, "node_modules", name))
  link(join(installed, "node_modules/event-export"), "event-export")
  for (const name of ["typescript", "@types/node"]) link(resolve("node_modules", name), name)
  link("../typescript/bin/tsc", ".bin/tsc")
  return folder
}

/** Installs a plugin beside the packed package, and writes a configuration there. */
async function operatorFolder(t: Test, tarball: string): Promise<string> {
  // Beside the installation, because that names its package by a relative path.
  const place = mkdtempSync(`${installed}-beside-`)
  t.teardown(() => rmSync(place, { recursive: true, force: true }))
  cpSync(installed, place, { recursive: true, verbatimSymlinks: true })
  await installPackages(place, [tarball])
  t.ok(existsSync(join(place, "node_modules/badge-printer/dist/plugin.js")))
  t.ok(readdirSync(join(place, "node_modules/badge-printer")).every((name) => name !== "plugin.ts"))
  run(place, ["init"])
  return place
}

/** Runs the packed command line in a folder, and returns its output. */
function run(folder: string, args: readonly string[], input = ""): string {
  const file = existsSync(join(folder, "node_modules"))
    ? join(folder, "node_modules/event-export/dist/core/main.js")
    : bin
  return execFileSync(process.execPath, [file, ...args], {
    cwd: folder,
    encoding: "utf8",
    env: environment,
    input,
  })
}

async function serve(t: Test, folder: string): Promise<string> {
  const file = join(folder, "node_modules/event-export/dist/core/main.js")
  const child = spawn(process.execPath, [file, "serve"], {
    cwd: folder,
    env: { ...environment, PORT: "0", ADMIN_PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  })
  t.teardown(async () => {
    child.kill("SIGTERM")
    await once(child, "exit")
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const { msg, url } = JSON.parse(line)
    if (msg === "serving") return url
  }
  throw new Error("it did not serve")
}

function temporaryFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), "event-export-package-"))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
