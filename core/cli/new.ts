import { closeSync, mkdirSync, openSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Command } from "commander"
import * as v from "valibot"
import { UserError } from "../errors.ts"
import { pathSegment } from "../routes/setting-types.ts"
import type { Terminal } from "./terminal.ts"

/** `new`: writes the first files of a plugin. */
export function newCommand(terminal: Terminal): Command {
  const command = new Command("new").description("write the first files of a new plugin")
  command.command("family").description("write a family of lean guests and items, with its test")
    .argument(
      "<name>",
      "the name of the plugin, of its folder and of the first segment of its paths",
    )
    .action((name: string) => {
      const [plugin, test] = writeFamily(name)
      terminal.print(nextSteps(name, plugin, test))
    })
  return command
}

/** Writes both files into the working directory, or none. Overwrites nothing. @throws {UserError} */
function writeFamily(name: string): [plugin: string, test: string] {
  if (!v.is(pathSegment, name)) {
    throw new UserError(
      `A family cannot be called ${JSON.stringify(name)}: use lower-case letters, digits and ` +
        "single hyphens. Nothing was written.",
    )
  }
  if (!statSync("plugins", { throwIfNoEntry: false })?.isDirectory()) {
    throw new UserError(
      "There is no folder plugins/ here: run this command in the folder of event-export. Nothing was written.",
    )
  }
  const folder = join("plugins", name)
  const plugin = join(folder, "plugin.ts")
  const test = join("test/plugins", `${name}.test.ts`)
  const made: string[] = []
  const create = (path: string, text?: string) => {
    try {
      if (text === undefined) mkdirSync(path)
      else closeSync(openSync(path, "wx"))
      made.push(path)
      if (text !== undefined) writeFileSync(path, text)
    } catch (error) {
      for (const path of made) rmSync(path, { recursive: true, force: true })
      const { code, message } = error as NodeJS.ErrnoException
      const reason = code === "EEXIST" ? "it already exists" : message
      throw new UserError(`Cannot write ${path}: ${reason}. Nothing was written.`)
    }
  }
  create(folder)
  create(plugin, pluginText(name))
  mkdirSync(dirname(test), { recursive: true })
  create(test, testText(name))
  return [plugin, test]
}

function nextSteps(name: string, plugin: string, test: string): string {
  return outdent(`
    Wrote ${plugin} and ${test}.
    Try it:
      node ${test}
    Turn it on in the configuration; "check" shows the effect:
      plugins:
        - use: ${name}
          with:
            segment: ${name}
            organizations: [the-organizations-that-want-it]
    Update the schema for editors: event-export schema > config/event-export.schema.json
    See plugins/README.md.`).trimEnd()
}

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
    } from "../../core/plugin.ts"

    /** Lean guests and items. */
    export default definePlugin({
      apiVersion: 2,
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
    import { conformanceProblems } from "../../core/conformance/conformance.ts"
    import plugin from "../../plugins/${name}/plugin.ts"

    t.test("${name} conforms", async (t) => {
      const settings = { segment: "${name}", organizations: ["north"] }
      t.strictSame(await conformanceProblems(plugin, settings), [])
    })`)
}

/** Removes the first line break and the indentation. Ends with a line break. */
function outdent(text: string): string {
  return `${text.slice(1).replace(/^ {4}/gm, "")}\n`
}
