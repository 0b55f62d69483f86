import { findUnknownAccounts } from "../access/accounts.ts"
import { findUnknownOrganizations } from "../access/organizations.ts"
import { organizationsOf } from "../access/policies.ts"
import type { Database } from "../data/database.ts"
import { isPastSunset } from "../routes/deprecation.ts"
import { compilePath } from "../routes/path.ts"
import type { Plan } from "../routes/plan.ts"
import { withConfigured } from "./configured-database.ts"
import { findObstacles } from "./obstacles.ts"

/** A message for the operator. An error prevents the service from starting, a warning does not. */
interface Finding {
  readonly level: "error" | "warning"
  readonly message: string
}

/** Finds trouble outside the file: failed optional plugins, routes past their sunset, the database. */
export async function findTrouble(plan: Plan): Promise<Finding[]> {
  const failed = plan.failed.map(({ use, reasons }): Finding => ({
    level: "warning",
    message: `the optional plugin ${use} cannot be used: ${reasons.join("; ")}`,
  }))
  return [...failed, ...findOverdue(plan), ...await findDatabaseTrouble(plan)]
}

/** Finds deprecated routes that may be removed, or that have no successor at the named path. */
function findOverdue({ routes }: Plan): Finding[] {
  const paths = new Set(routes.map(({ pattern }) => pattern.shape))
  return routes.flatMap(({ method, pattern, deprecated }): Finding[] => {
    if (!deprecated) return []
    const { sunset, successor } = deprecated
    const warn = (message: string): Finding => ({
      level: "warning",
      message: `${method} ${pattern.text} is deprecated${message}`,
    })
    return [
      ...isPastSunset(deprecated) ? [warn(` and past its sunset, ${sunset}: remove it`)] : [],
      ...successor !== undefined && !paths.has(compilePath(successor).shape)
        ? [warn(`, and its successor ${successor} does not exist`)]
        : [],
    ]
  })
}

/** Finds organizations and service users that the configuration names and the database lacks. */
export async function findUnknownNames(database: Database, plan: Plan): Promise<Finding[]> {
  const policies = plan.routes.map(({ auth }) => auth)
  const slugs = new Set(policies.flatMap((policy) => organizationsOf(policy) ?? []))
  const users = new Set(
    policies.flatMap((policy) => policy.kind === "service-user" ? [policy.username] : []),
  )
  return [
    ...(await findUnknownOrganizations(database, [...slugs])).map((slug): Finding => ({
      level: "warning",
      message: `there is no organization ${slug}: routes for it serve nobody`,
    })),
    ...(await findUnknownAccounts(database, [...users])).map((username): Finding => ({
      level: "warning",
      message: `there is no account ${username} that can log in: nobody can read its routes`,
    })),
  ]
}

async function findDatabaseTrouble(plan: Plan): Promise<Finding[]> {
  try {
    return await withConfigured(plan, async (database): Promise<Finding[]> => {
      const obstacles = await findObstacles(database, plan)
      return obstacles.length > 0
        ? obstacles.map((message) => ({ level: "error", message }))
        : await findUnknownNames(database, plan)
    })
  } catch (error) {
    return [{ level: "error", message: (error as Error).message }]
  }
}
