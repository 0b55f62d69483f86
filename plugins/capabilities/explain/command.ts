import { Command } from "commander"
import { type AccessExplanation, explainAccess } from "./explain-access.ts"
import { fromOf, groupRoutes, labelOf } from "./group-routes.ts"
import type { MountedRoute } from "../../../core/plugin.ts"
import {
  loadPlan,
  printableLine,
  readDraft,
  type Terminal,
  textTable,
  withConfigured,
} from "../../../core/commands.ts"
import { findSettingOf } from "./setting-of-route.ts"

interface ExplainFlags {
  readonly family?: string
  readonly from?: string
  readonly json?: true
}

/** `access explain`: shows which status an account would get, and what decides that. */
export function accessExplainCommand(terminal: Terminal): Command {
  return new Command("explain")
    .description("show which status an account would get for an event, and what decides that")
    .argument("<name>", "the user name")
    .argument("<event>", "the id of the event")
    .option("--family <name>", "only this plugin, or paths that begin so, such as /name/v1")
    .option(
      "--from <ip>",
      "for a request from this address (default: the address of its last request)",
    )
    .option("--json", "one line of JSON per route")
    .action(async (username: string, event: string, flags: ExplainFlags) => {
      const eventId = event.toLowerCase()
      const plan = await loadPlan(terminal)
      const { source } = await readDraft(terminal)
      const placeOf = (route: MountedRoute) => {
        const path = findSettingOf(route, plan.plugins)
        if (!path) return undefined
        const { file, line, column } = source.placeOf(path)
        return `${file}:${line}:${column}`
      }
      await withConfigured(plan, async (database) => {
        const explanation = await explainAccess(database, plan.routes, {
          username,
          eventId,
          family: flags.family,
          address: flags.from,
          idle: plan.session.idle,
        })
        const explain = flags.json ? linesOfJson : tableOf
        terminal.print(explain(explanation, placeOf))
      })
    })
}

/** Returns the place in the configuration that decides about a route. */
type PlaceOf = (route: MountedRoute) => string | undefined

function linesOfJson({ routes, from }: AccessExplanation, placeOf: PlaceOf): string {
  return routes.map(({ route, ...explained }) => {
    const { method, plugin } = route
    const address = from?.address ?? null
    return JSON.stringify({ method, plugin, ...explained, place: placeOf(route), address })
  }).join("\n")
}

function tableOf({ account, event, from, routes }: AccessExplanation, placeOf: PlaceOf): string {
  const about = event
    ? `${printableLine(event.name)}, of organization ${printableLine(event.organization)}`
    : "no such event"
  const rows = groupRoutes(routes, placeOf).map((group) => {
    const { route, prefix, status, code, decider, reason, loggedIn } = group
    return [
      prefix,
      labelOf(group),
      code === null ? String(status) : `${status} ${code}`,
      loggedIn === status ? "" : `${loggedIn} with a session`,
      decider,
      decider === "configuration" ? `${reason} (${placeOf(route) ?? route.plugin})` : reason,
    ]
  })
  const table = textTable([["FAMILY", "ROUTES", "STATUS", "", "DECIDED BY", "WHY"], ...rows])
  const other = from?.isLast ? " --from asks for another address." : ""
  const heading = `${account.username} (${account.role}) and the event: ${about}`
  return `${heading}\n${fromOf(from)}${other}\n\n${table}`
}
