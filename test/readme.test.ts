import { existsSync, globSync, readFileSync } from "node:fs"
import type { Command } from "commander"
import t from "tap"
import * as v from "valibot"
import { problems } from "../core/http/problems.ts"
import * as contract from "../core/plugin.ts"
import { goodSecret } from "./support/config-folder.ts"
import { program, settings, settingsSchema } from "./support/documents.ts"
import { denoPermissions } from "./support/runtimes.ts"

/** Names that a file lists. `missing` returns the names of missing entries of its text. */
interface Rule {
  readonly file: string
  /** True if the README of a capability may list what it adds in place of the file. */
  readonly orCapability?: true
  readonly rule: string
  readonly missing: (text: string) => readonly string[]
}

/** A name, and a pattern that matches if a text lists it. */
type Entry = readonly [name: string, listed: RegExp]

const rules: readonly Rule[] = [
  {
    file: "config/event-export.yaml",
    rule: "has every setting, if only in a comment",
    missing: without(settings.map((name) => [name, settingLine(name)])),
  },
  {
    file: "config/event-export.yaml",
    rule: "has every default",
    missing: without(defaultEntries()),
  },
  {
    file: "config/README.md",
    orCapability: true,
    rule: "lists every command",
    missing: without(commandNames(program).map((name) => [name, literal(`\`${name}\``)])),
  },
  {
    file: "config/handbook/security.md",
    rule: "names an existing test for each threat",
    missing: brokenThreats,
  },
  {
    file: "config/README.md",
    rule: "lists the permissions under Deno that the tests run with",
    missing: without([[
      denoPermissions.join(" "),
      literal(`deno run ${denoPermissions.join(" ")} core/main.js serve`),
    ]]),
  },
  {
    file: "plugins/documents/docs/pages/errors.md",
    rule: "lists every error code with its status",
    missing: without(
      Object.entries(problems).map(([code, { status }]) => [
        `${status} ${code}`,
        literal(`| ${status} | \`${code}\` |`),
      ]),
    ),
  },
  {
    file: "plugins/README.md",
    rule: "names everything that plugins may use",
    missing: without(
      Object.keys(contract).filter((name) => !["apiVersion", "readJson"].includes(name))
        .map((name) => [name, new RegExp(`\\b${name}\\b`)]),
    ),
  },
]

const ofCapabilities = globSync("plugins/capabilities/*/README.md")
for (const { file, orCapability, rule, missing } of rules) {
  t.test(`${file} ${rule}`, (t) => {
    const files = [file, ...orCapability ? ofCapabilities : []]
    t.strictSame(missing(files.map((name) => readFileSync(name, "utf8")).join("\n")), [])
    t.end()
  })
}

/** Returns the names of the entries that a text does not list. */
function without(entries: readonly Entry[]): Rule["missing"] {
  if (entries.length === 0) throw new TypeError("there is nothing to look for")
  return (text) => entries.filter(([, listed]) => !listed.test(text)).map(([name]) => name)
}

/** Returns the rows of the table of threats whose last column names no existing test. */
function brokenThreats(text: string): readonly string[] {
  const rows = text.split("\n").filter((line) => line.startsWith("| ")).slice(2)
  if (rows.length <= 10) return [`only ${rows.length} threats`]
  return rows.map((row) => /`(test\/[^`]+\.test\.ts)` \|$/.exec(row)?.[1] ?? row)
    .filter((file) => !existsSync(file))
}

t.test("no document shows npx or npm install with the bare name: no registry has it, and anybody may take it", (t) => {
  const kinds = "{md,ts,js,sh,yaml,service}"
  const files = globSync([`*.md`, `{core,plugins,config,.ci}/**/*.${kinds}`, "Makefile"])
  t.ok(files.length > 400)
  t.strictSame(files.filter((file) => bareNames(readFileSync(file, "utf8")).length > 0), [])
  t.strictSame(bareNames("npm install -D event-export"), ["npm install -D event-export"])
  t.end()
})

/** Returns the commands of a text that would fetch event-export by its name. */
function bareNames(text: string): string[] {
  const commands = text.match(/\b(?:npx|npm (?:i|install|add|exec|x)) [^`\n#]*/g) ?? []
  return commands.map((command) => command.trim()).filter((command) =>
    /(?<![\w./@-])event-export(?:@\S+)?(?=["'\s]|$)/.test(
      command.replace(/^npx --package \S*(?:FILE|\.tgz) event-export/, ""),
    )
  )
}

/** Matches the line of a setting in the configuration, also in a comment. */
function settingLine(name: string, value = ""): RegExp {
  return new RegExp(`^[ #]*${name.split(".").at(-1)}:${value}`, "m")
}

function literal(text: string): RegExp {
  return new RegExp(RegExp.escape(text))
}

/** Returns the settings that have a value if the file does not have them. */
function defaultEntries(): Entry[] {
  const needed = {
    server: { host: "127.0.0.1", port: 0 },
    database: { url: "sqlite:test.db" },
    session: { secrets: [goodSecret] },
    plugins: [{ use: "session" }],
  }
  const all = v.parse(settingsSchema, needed)
  return settings.flatMap((name) => {
    const value = valueAt(all, name)
    if (value === undefined || valueAt(needed, name) !== undefined) return []
    const isEmpty = typeof value === "object" && Object.keys(value ?? {}).length === 0
    const shown = isEmpty ? "(\\[\\]|\\{\\})" : `(\\$\\{\\w+:-)?${RegExp.escape(`${value}`)}\\b`
    return [[`${name} ${value}`, settingLine(name, ` ${shown}`)]]
  })
}

function valueAt(settings: unknown, name: string): unknown {
  return name.split(".").reduce<unknown>(
    (group, key) => (group as Record<string, unknown> | undefined)?.[key],
    settings,
  )
}

function commandNames(command: Command, prefix = ""): string[] {
  return command.commands.flatMap((each) => {
    const name = `${prefix}${each.name()}`
    return each.commands.length > 0 ? commandNames(each, `${name} `) : [name]
  })
}
