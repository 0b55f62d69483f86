import type { Policy } from "../../../core/capability.ts"

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
