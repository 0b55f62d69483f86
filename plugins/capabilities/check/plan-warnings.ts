import type { Policy } from "../../../core/plugin.ts"
import type { Plan, Warning } from "../../../core/capability.ts"

/** Finds what is wrong with plugins and routes, and with limits, without looking at the database. */
export function findPlanWarnings(plan: Plan): Warning[] {
  return [
    ...findMissingLogIn(plan),
    ...findSharedUsers(plan),
    ...findCrampedConnections(plan),
  ]
}

function findMissingLogIn({ routes }: Plan): Warning[] {
  const isClosed = routes.some(({ auth }) => auth.kind !== "anyone")
  const hasLogIn = routes.some((route) =>
    route.kind === "handler" && route.needs.includes("sessions")
  )
  if (!isClosed || hasLogIn) return []
  return [{
    about: "plugins",
    message: 'none lets callers log in: only cookies of "event-export account session" work, and ' +
      "everyone else gets 401. Add `- use: session`",
  }]
}

function findSharedUsers({ routes }: Plan): Warning[] {
  const users = serviceUsersOf(routes.map(({ auth }) => auth))
  return [...users].filter(([, slugs]) => slugs.length > 1).map(([username, slugs]) => ({
    about: `account ${username}`,
    message: `it is the service user of ${slugs.join(" and ")}: one cookie reads the data of all ` +
      `of them. Give each customer a service user of its own`,
  }))
}

function findCrampedConnections({ limits: { concurrent }, database: { connections } }: Plan) {
  return concurrent < connections ? [] : [{
    about: "limits.concurrent",
    message: `${concurrent} requests of one account may run at the same time, and there are ` +
      `${connections} connections to read with: one account can make all others wait. Lower it, ` +
      `or raise database.connections`,
  }]
}

/** Returns the organizations (slugs, sorted) that each service user of these policies is for. */
export function serviceUsersOf(policies: readonly Policy[]): ReadonlyMap<string, string[]> {
  const own = policies.filter((policy) => policy.kind === "service-user")
  const byName = Map.groupBy(own, ({ username }) => username)
  return new Map(
    [...byName].map(([username, same]) => [
      username,
      [...new Set(same.map(({ organization }) => organization))].sort(),
    ]),
  )
}
