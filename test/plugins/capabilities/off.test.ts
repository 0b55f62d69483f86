import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import t, { type Test } from "tap"
import { loadCapability } from "../../../core/config/capabilities.ts"
import { capabilityNames } from "../../../core/config/installed.ts"
import type { Capability } from "../../../core/kernel/capability.ts"
import { configWith, secret } from "../../support/app.ts"
import { openFor } from "../../support/database.ts"
import { runCommand } from "../../support/run-command.ts"

const all = capabilityNames()

/** For commands that are looked at and not run. */
const terminal = { env: {} } as Parameters<NonNullable<Capability["commands"]>[number]>[0]

for (const name of all) {
  await t.test(`without ${name}, there is none of its tables and commands, and check finds nothing`, async (t) => {
    const { run, url } = stage(t, all.filter((each) => each !== name))
    t.match(await run("migrate"), { code: 0, out: /^Applied / })
    if (name !== "check") {
      const err = /^(warning: (organization|account) .*\n?)*$/
      t.match(await run("check"), { code: 0, err })
    }
    const { storage, commands = [] } = await loadCapability<Capability>(name)
    const database = await openFor(t, url)
    const tables = (await database.writer.introspection.getTables()).map((table) => table.name)
    for (const table of Object.keys(storage?.tables ?? {})) t.notOk(tables.includes(table), table)
    const help = commands.length > 0 ? (await run("--help")).out : ""
    for (const command of commands) {
      const made = command(terminal)
      // A command that is all its own has gone with its subcommands.
      if (made.commands.length > 0 && !help.includes(`\n  ${made.name()} `)) continue
      const { out } = made.commands.length > 0 ? await run(`${made.name()} --help`) : { out: help }
      const added = made.commands.length > 0 ? made.commands : made.options.length > 0 ? [] : [made]
      for (const each of added) t.notMatch(out, new RegExp(`^  ${each.name()} `, "m"))
    }
  })
}

/** Writes a configuration with these capabilities, for an empty database. */
function stage(t: Test, capabilities: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "event-export-"))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, "event-export.yaml")
  const url = `sqlite:${join(folder, "test.db")}`
  writeFileSync(file, configWith(capabilities))
  const environment = { DATABASE_URL: url, SESSION_SECRET: secret, PORT: "0", ADMIN_PORT: "0" }
  const run = (args: string) => runCommand(`-c ${file} ${args}`, { env: environment })
  return { url, run }
}
