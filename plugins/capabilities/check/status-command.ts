import { Command } from "commander"
import { type Terminal, textTable, withDatabase } from "../../../core/commands.ts"
import type { Status } from "../../../core/plugin.ts"
import { addressOf, readRunningStatus } from "./running-status.ts"

/** `status`: shows what a running server has loaded, and the result of its last reload. */
export function statusCommand(terminal: Terminal): Command {
  return new Command("status")
    .description("show what a running server has loaded, and the result of its last reload")
    .option("--url <url>", "the server (default: the one of the configuration)")
    .option("--json", "the whole status, as JSON")
    .action(async ({ url, json }: { url?: string; json?: true }) => {
      await withDatabase(terminal, async (database, config) => {
        const status = await readRunningStatus(database, config, url ?? addressOf(config))
        terminal.print(json ? JSON.stringify(status, null, 2) : describe(status))
      })
    })
}

function describe(
  { config, contract, database, nodes = [], since, plugins, lastReload }: Status,
): string {
  const rows = plugins.map((plugin) => [
    plugin.name,
    plugin.version ?? "-",
    String(plugin.contract),
    plugin.prefixes.join(" "),
    String(plugin.routes),
  ])
  return [
    `configuration  ${config.file}, ${config.hash}, in force since ${time(since)}`,
    `database       ${database}`,
    `contract       ${contract}`,
    `last reload    ${
      lastReload
        ? `${lastReload.result} at ${time(lastReload.at)}, triggered by ${lastReload.trigger}`
        : "none"
    }`,
    ...(lastReload?.reason ? [lastReload.reason] : []),
    ...nodes.length > 0 ? ["", describeNodes(nodes)] : [],
    "",
    textTable([["PLUGIN", "VERSION", "CONTRACT", "PREFIXES", "ROUTES"], ...rows]),
  ].join("\n")
}

function describeNodes(nodes: readonly NonNullable<Status["nodes"]>[number][]): string {
  const rows = nodes.map(({ name, role, problem, behind, stale, member }) => [
    name,
    stale ? `${role}, not read from` : role,
    behind === null ? "-" : `${behind} s`,
    member ?? "-",
    problem ?? "",
  ])
  return textTable([["DATABASE SERVER", "ROLE", "BEHIND", "IN ITS GROUP", ""], ...rows])
}

function time(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}
