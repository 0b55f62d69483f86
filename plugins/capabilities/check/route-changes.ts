import type { RouteSummary } from "../../../core/inspection.ts"

/**
 * Describes the route changes between two configurations, one line per route: `+` for an added
 * route, `-` for a removed one, `~` if its fields, organizations or callers change.
 */
export function describeRouteChanges(
  before: readonly RouteSummary[],
  after: readonly RouteSummary[],
): string[] {
  const old = new Map(before.map((route) => [nameOf(route), route]))
  const next = new Map(after.map((route) => [nameOf(route), route]))
  const gone = [...old.values()].filter((route) => !next.has(nameOf(route)))
  return [
    ...gone.map((route) => `- ${nameOf(route)} (${route.plugin})`),
    ...[...next.values()].flatMap((route) => {
      const former = old.get(nameOf(route))
      if (!former) {
        return [`+ ${nameOf(route)} (${route.plugin}; ${route.policy})`]
      }
      const changes = changesOf(former, route)
      return changes.length > 0 ? [`~ ${nameOf(route)}: ${changes.join("; ")}`] : []
    }),
  ]
}

function changesOf(before: RouteSummary, after: RouteSummary): string[] {
  const plugin = before.plugin === after.plugin
    ? []
    : [`served by ${after.plugin} instead of ${before.plugin}`]
  const organizations = differences(
    "organization",
    before.organizations ?? [],
    after.organizations ?? [],
  )
  // A policy in words names its organizations; a change of those is reported already.
  const policy = before.policy === after.policy || organizations.length > 0
    ? []
    : [`was for: ${before.policy}, now for: ${after.policy}`]
  const filter = before.filter === after.filter
    ? []
    : [after.filter ?? "no longer only some guests"]
  return [
    ...plugin,
    ...filter,
    ...differences("field", before.fields, after.fields),
    ...organizations,
    ...policy,
  ]
}

function differences(noun: string, before: readonly string[], after: readonly string[]): string[] {
  const gained = after.filter((name) => !before.includes(name))
  const lost = before.filter((name) => !after.includes(name))
  const say = (verb: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${verb} ${noun}${names.length > 1 ? "s" : ""} ${grouped(names)}`]
  return [...say("gains", gained), ...say("loses", lost)]
}

/** Joins `Guest.id` and `Guest.email` to `Guest (id, email)`. */
function grouped(names: readonly string[]): string {
  const groups = Map.groupBy(names, (name) => name.includes(".") ? name.split(".")[0] ?? "" : "")
  return [...groups].map(([record, members]) => {
    const own = members.map((name) => name.split(".").at(-1))
    return record === "" ? own.join(", ") : `${record} (${own.join(", ")})`
  }).join(", ")
}

function nameOf({ method, path }: RouteSummary): string {
  return `${method} ${path}`
}
