import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { Command } from "commander"
import * as v from "valibot"
import { pathSegment, pluginNames, type Terminal, UserError } from "../../../core/capability.ts"
import { outdent, packageFiles, packageOfService, pluginText } from "./new-package.ts"

/** `new`: writes the first files of a plugin. */
export function newCommand(terminal: Terminal): Command {
  const command = new Command("new").description("write the first files of a new plugin")
  command.command("family").description("write a family of lean guests and items, with its test")
    .argument(
      "<name>",
      "the name of the plugin, of its folder and of the first segment of its paths",
    )
    .option(
      "--package [folder]",
      "write a package to publish or to install beside event-export (default folder: the name)",
    )
    .action((name: string, { package: folder }: { package?: string | true }) => {
      checkName(name)
      if (folder === undefined) terminal.print(writeFamily(name))
      else terminal.print(writePackage(name, folder === true ? name : folder))
    })
  return command
}

/** @throws {UserError} */
function checkName(name: string): void {
  if (v.is(pathSegment, name)) return
  throw new UserError(
    `A family cannot be called ${JSON.stringify(name)}: use lower-case letters, digits and ` +
      "single hyphens. Nothing was written.",
  )
}

/** Writes a plugin and its test into a clone. Returns the next steps. @throws {UserError} */
function writeFamily(name: string): string {
  if (!statSync("plugins", { throwIfNoEntry: false })?.isDirectory()) {
    throw new UserError(
      "There is no folder plugins/ here: run this command in a clone of event-export, or with --package, " +
        "which writes a package of its own. Nothing was written.",
    )
  }
  const folder = join("plugins/families", name)
  const plugin = join(folder, "plugin.ts")
  const test = join("test/plugins/families", `${name}.test.ts`)
  if (existsSync(folder)) throw cannotWrite(folder, "it already exists")
  writeAll({ [plugin]: pluginText(name, "../../../core/plugin.ts"), [test]: testText(name) })
  return outdent(`
    Wrote ${plugin} and ${test}.
    Try it:
      node ${test}
    ${turnOn(name)}
    Update the schema for editors: event-export schema > config/event-export.schema.json
    See plugins/README.md.`).trimEnd()
}

/** Writes the package of a plugin. Returns the next steps. @throws {UserError} */
function writePackage(name: string, folder: string): string {
  if (pluginNames().includes(name)) {
    throw new UserError(
      `A plugin ${name} comes with event-export, and "use: ${name}" would find that one: choose ` +
        "another name. Nothing was written.",
    )
  }
  const files = Object.entries(packageFiles(name))
    .map(([file, text]) => [join(folder, file), text] as const)
  writeAll(Object.fromEntries(files))
  return outdent(`
    Wrote the package ${name} into ${folder}.
    Try it there:
      npm install --no-save ./${packageOfService}
      npm test
    Pack it, and install it beside the configuration that uses it:
      npm pack
      npm install ./${name}-0.1.0.tgz
    ${turnOn(name)}
    See its README.md.`).trimEnd()
}

function turnOn(name: string): string {
  return `Turn it on in the configuration; "check" shows the effect:
      plugins:
        - use: ${name}
          with:
            segment: ${name}
            organizations: [the-organizations-that-want-it]`
}

/** Creates files by their paths, with their folders, or nothing. Overwrites nothing. @throws {UserError} */
function writeAll(files: Readonly<Record<string, string>>): void {
  const made: string[] = []
  for (const [path, text] of Object.entries(files)) {
    try {
      const folder = mkdirSync(dirname(path), { recursive: true })
      if (folder !== undefined) made.push(folder)
      closeSync(openSync(path, "wx"))
      made.push(path)
      writeFileSync(path, text)
    } catch (error) {
      for (const path of made) rmSync(path, { recursive: true, force: true })
      const { code, message } = error as NodeJS.ErrnoException
      throw cannotWrite(path, code === "EEXIST" ? "it already exists" : message)
    }
  }
}

function cannotWrite(path: string, reason: string): UserError {
  return new UserError(`Cannot write ${path}: ${reason}. Nothing was written.`)
}

function testText(name: string): string {
  return outdent(`
    import t from "tap"
    import { conformanceProblems } from "../../../plugins/capabilities/conformance/conformance.ts"
    import plugin from "../../../plugins/families/${name}/plugin.ts"

    t.test("${name} conforms", async (t) => {
      const settings = { segment: "${name}", organizations: ["north"] }
      t.strictSame(await conformanceProblems(plugin, settings), [])
    })`)
}
