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
import { UserError } from "../../../core/capability.ts"
import { pathSegment } from "../../../core/plugin.ts"
import type { Terminal } from "../../../core/commands.ts"

/** `new`: writes the first files of a plugin. */
export function newCommand(terminal: Terminal): Command {
  const command = new Command("new").description("write the first files of a new plugin")
  command.command("family").description("write a family of lean guests and items, with its test")
    .argument(
      "<name>",
      "the name of the plugin, of its folder and of the first segment of its paths",
    )
    .action((name: string) => {
      checkName(name)
      terminal.print(writeFamily(name))
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
      "There is no folder plugins/ here: run this command in a clone of event-export. Nothing was written.",
    )
  }
  const folder = join("plugins/families", name)
  const plugin = join(folder, "plugin.ts")
  const test = join("test/plugins/families", `${name}.test.ts`)
  if (existsSync(folder)) throw cannotWrite(folder, "it already exists")
  writeAll({ [plugin]: pluginText(name), [test]: testText(name) })
  return outdent(`
    Wrote ${plugin} and ${test}.
    Test it:
      node ${test}
    Turn it on for the organization acme of the demonstration: add this to "plugins" in config/event-export.yaml.
      - use: ${name}
        with: { segment: ${name}, organizations: [acme] }
    Update the schema for editors:
      node core/main.js schema > config/event-export.schema.json
    Serve it with "make run". What else a family can do is in plugins/README.md.`).trimEnd()
}

/** Creates files by path, with their folders: all or none. Never overwrites files. @throws {UserError} */
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

/** Returns the code of a family of lean guests and items. */
function pluginText(name: string): string {
  return outdent(`
    import * as v from "valibot"
    import {
      definePlugin,
      family,
      granted,
      leanEvent,
      leanGuest,
      leanItems,
      pathSegment,
      slug,
    } from "../../../core/plugin.ts"

    /** Lean guests and items. */
    export default definePlugin({
      apiVersion: 3,
      name: "${name}",
      summary: "Lean guests and items",
      settings: v.strictObject({ segment: pathSegment, organizations: v.array(slug) }),
      mount: ({ segment, organizations }) =>
        family(\`/\${segment}/v1\`, {
          auth: granted(organizations),
          events: leanEvent,
          guests: leanGuest,
          items: leanItems,
        }),
    })`)
}

function testText(name: string): string {
  return outdent(`
    import t from "tap"
    import { conformanceProblems } from "../../conformance/conformance.ts"
    import plugin from "../../../plugins/families/${name}/plugin.ts"

    t.test("${name} conforms", async (t) => {
      const settings = { segment: "${name}", organizations: ["north"] }
      t.strictSame(await conformanceProblems(plugin, settings), [])
    })`)
}

/** Removes the first line break and the indentation. Ends with a line break. */
function outdent(text: string): string {
  return `${text.slice(1).replace(/^ {4}/gm, "")}\n`
}
