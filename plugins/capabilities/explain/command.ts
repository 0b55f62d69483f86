import { Command } from "commander"
import { type AccessExplanation, explainAccess } from "./explain-access.ts"
import {
  draftOf,
  type MountedRoute,
  planOf,
  printableLine,
  type Terminal,
  textTable,
  withConfigured,
} from "../../../core/capability.ts"
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
    .option("--from <ip>", "for a request from this address (default: one that its grants allow)")
    .option("--json", "one line of JSON per route")
    .action(async (username: string, event: string, flags: ExplainFlags) => {
      const eventId = event.toLowerCase()
      const plan = await planOf(terminal)
      const { source } = await draftOf(terminal)
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

function linesOfJson({ routes }: AccessExplanation, placeOf: PlaceOf): string {
  return routes.map(({ route, ...explained }) => {
    const { method, plugin } = route
    return JSON.stringify({ method, plugin, ...explained, place: placeOf(route) })
  }).join("\n")
}

function tableOf({ account, event, routes }: AccessExplanation, placeOf: PlaceOf): string {
  const about = event
    ? `${printableLine(event.name)}, of organization ${printableLine(event.organization)}`
    : "no such event"
  const rows = routes.map(({ route, status, code, decider, reason, loggedIn }) => [
    route.pattern.text,
    code === null ? String(status) : `${status} ${code}`,
    loggedIn === status ? "" : `${loggedIn} with a session`,
    decider,
    decider === "configuration" ? `${reason} (${placeOf(route) ?? route.plugin})` : reason,
  ])
  const table = textTable([["PATH", "STATUS", "", "DECIDED BY", "WHY"], ...rows])
  return `${account.username} (${account.role}) and the event: ${about}\n\n${table}`
}
