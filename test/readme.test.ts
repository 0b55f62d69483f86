import { existsSync, readFileSync } from "node:fs"
import { Readable } from "node:stream"
import type { Command } from "commander"
import t from "tap"
import { createProgram } from "../core/commands/program.ts"
import { settingsSchema } from "../core/config/settings.ts"
import { problems } from "../core/http/problems.ts"
import { Metrics } from "../core/metrics/metrics.ts"
import * as contract from "../core/plugin.ts"
import { denoPermissions } from "./support/runtimes.ts"

const readme = readFileSync("README.md", "utf8")

t.test("the README documents every setting", (t) => {
  for (const name of settingNames(settingsSchema)) t.match(readme, `| \`${name}\` |`)
  t.end()
})

t.test("the README documents every command", (t) => {
  const program = createProgram({
    env: {},
    stdin: Readable.from([]),
    print: () => {},
    warn: () => {},
    shutdown: AbortSignal.abort(),
    isInteractive: false,
    onHangUp: () => {},
  })
  for (const name of commandNames(program)) {
    t.match(readme, new RegExp(`\\| \`${name}( [^\`]*)?\` \\|`))
  }
  t.end()
})

t.test("the README documents every error code with its status", (t) => {
  for (const [code, { status }] of Object.entries(problems)) {
    t.match(readme, `| ${status} | \`${code}\` |`)
  }
  t.end()
})

t.test("every threat that the README names has a test that is there", (t) => {
  const [, section = ""] = readme.split("\n## Security\n")
  const [threats = ""] = section.split("\n## ")
  const rows = threats.split("\n").filter((line) => line.startsWith("| ")).slice(2)
  t.ok(rows.length > 10)
  for (const row of rows) {
    const [, file = ""] = /`(test\/[^`]+\.test\.ts)` \|$/.exec(row) ?? []
    t.ok(existsSync(file), row)
  }
  t.end()
})

t.test("the README documents every make target", (t) => {
  const targets = readFileSync("Makefile", "utf8").matchAll(/^([a-z]+):.*## /gm)
  for (const [, target] of targets) t.match(readme, `| \`make ${target}\` |`)
  t.end()
})

t.test("the README documents every metric of the service with its labels", async (t) => {
  const { registry } = new Metrics(() => Promise.reject(new TypeError("not asked for")))
  const own = registry.getMetricsAsArray().filter(({ name }) => name.startsWith("event_export_"))
  t.ok(own.length > 15)
  for (const { name, labelNames } of own as unknown as { name: string; labelNames: string[] }[]) {
    const labels = labelNames.map((label) => `\`${label}\``).join(", ")
    t.match(readme, `| \`${name}\` |${labels && ` ${labels}`} | `)
  }
})

t.test("the README names what plugins may use", (t) => {
  const meant = Object.keys(contract).filter((name) => !["apiVersion", "readJson"].includes(name))
  for (const name of meant) t.match(readme, new RegExp(`\\b${name}\\b`))
  t.end()
})

t.test("the README names the permissions under Deno that the tests run with", (t) => {
  t.match(readme, `deno run ${denoPermissions.join(" ")} core/main.ts serve`)
  t.end()
})

function settingNames(schema: unknown, prefix = ""): string[] {
  const { entries, wrapped, type } = schema as {
    entries?: Record<string, unknown>
    wrapped?: unknown
    type?: string
  }
  if (type === "optional") return settingNames(wrapped, prefix)
  if (!entries) return [prefix]
  return Object.entries(entries).flatMap(([name, inner]) =>
    settingNames(inner, prefix ? `${prefix}.${name}` : name)
  )
}

function commandNames(command: Command, prefix = ""): string[] {
  return command.commands.flatMap((each) => {
    const name = `${prefix}${each.name()}`
    return each.commands.length > 0 ? commandNames(each, `${name} `) : [name]
  })
}
