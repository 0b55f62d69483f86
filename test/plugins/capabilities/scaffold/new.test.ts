import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import process from "node:process"
import { Readable } from "node:stream"
import { pathToFileURL } from "node:url"
import type { Command } from "commander"
import t, { type Test } from "tap"
import type { Mount, Plugin } from "../../../../core/plugin.ts"
import { conformanceProblems } from "../../../conformance/conformance.ts"
import { newCommand } from "../../../../plugins/capabilities/scaffold/new.ts"
import { UserError } from "../../../../core/errors.ts"

const repository = resolve(".")
const plugin = "plugins/families/badge-printer/plugin.ts"
const test = "test/plugins/families/badge-printer.test.ts"

t.test("new family writes a plugin and its test, and prints the next steps", async (t) => {
  const run = inFolder(t)
  const { printed, error } = await run("family badge-printer")
  t.equal(error, undefined)
  t.match(printed, new RegExp(`^Wrote ${plugin} and ${test}.\n`))
  t.match(
    printed,
    /^ {2}- use: badge-printer\n {4}with: \{ segment: badge-printer, organizations: \[acme\] \}$/m,
  )
  t.match(readFileSync(plugin, "utf8"), /name: "badge-printer"/)
  const paths = await pathsOf(plugin)
  for (const path of ["", "/:eventId/guests", "/:eventId/guests/deletions", "/:eventId/items"]) {
    t.ok(paths.includes(`/badge-printer/v1/events${path}`), path)
  }
  t.match(readFileSync(test, "utf8"), "conformanceProblems")
  const { default: written } = await import(pathToFileURL(plugin).href) as { default: Plugin }
  const settings = { segment: "badge-printer", organizations: ["north"] }
  t.strictSame(await conformanceProblems(written, settings), [])
  t.strictSame(readdirSync("."), ["core", "node_modules", "package.json", "plugins", "test"])
})

const refusals: readonly (readonly [args: string, message: RegExp, file?: string])[] = [
  ["family Badges", /cannot be called "Badges".*lower-case/],
  ["family ../badges", /cannot be called "\.\.\/badges"/],
  ["family ", /cannot be called ""/],
  ["family badge-printer", /^Cannot write plugins\/families\/b.*: it already exists/, plugin],
  ["family badge-printer", /^Cannot write test\/plugins\/fam.*: it already exists/, test],
]

t.test("new family refuses other names, and writes over nothing", async (t) => {
  for (const [args, message, file] of refusals) {
    const run = inFolder(t)
    if (file !== undefined) {
      mkdirSync(join(file, ".."), { recursive: true })
      writeFileSync(file, "as it was")
    }
    const before = filesIn(".")
    const { printed, error } = await run(args)
    t.ok(error instanceof UserError)
    t.match(error?.message, message)
    t.match(error?.message, /Nothing was written\.$/)
    t.equal(printed, "")
    t.strictSame(filesIn("."), before)
    if (file !== undefined) t.equal(readFileSync(file, "utf8"), "as it was")
  }
})

t.test("new family needs the folder of a clone", async (t) => {
  const run = inFolder(t)
  rmSync("plugins", { recursive: true })
  const { error } = await run("family badge-printer")
  t.match(error?.message, /^There is no folder plugins\/ here: /)
})

/** Enters a folder like the repository without plugins. Returns a function that runs `new` in it. */
function inFolder(t: Test) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "event-export-new-")))
  t.teardown(() => {
    process.chdir(repository)
    rmSync(folder, { recursive: true, force: true })
  })
  for (const name of ["core", "node_modules", "package.json"]) {
    symlinkSync(join(repository, name), join(folder, name))
  }
  mkdirSync(join(folder, "plugins"))
  const capabilities = "plugins/capabilities"
  symlinkSync(join(repository, capabilities), join(folder, capabilities))
  process.chdir(folder)
  return async (args: string) => {
    const printed: string[] = []
    const command = newCommand({
      env: {},
      stdin: Readable.from([]),
      print: (line) => void printed.push(line),
      write: () => Promise.resolve(0),
      warn: () => {},
      notify: () => {},
      shutdown: new AbortController().signal,
      isInteractive: false,
      onHangUp: () => {},
    })
    quiet(command)
    const error = await command.parseAsync(args === "" ? [] : args.split(" "), { from: "user" })
      .then(() => undefined, (error: Error) => error)
    return { printed: printed.join("\n"), error }
  }
}

/** The paths of a plugin file, for settings of its own name. */
async function pathsOf(file: string): Promise<string[]> {
  const { default: plugin } = await import(pathToFileURL(file).href) as { default: Plugin }
  const { name } = plugin
  const { prefix, routes } = plugin.mount({ segment: name, organizations: ["north"] }) as Mount
  return routes.map(({ path }) => prefix + path)
}

function quiet(command: Command): void {
  command.exitOverride().configureOutput({ writeOut: () => {}, writeErr: () => {} })
  command.commands.forEach(quiet)
}

function filesIn(folder: string): string[] {
  return ["plugins", "test"].flatMap((name) =>
    existsSync(join(folder, name))
      ? readdirSync(join(folder, name), { recursive: true }).map((file) => join(name, String(file)))
      : []
  ).sort()
}
