import type { Database, Plan, Warning } from "../../../core/capability.ts"
import { organizationsOf } from "../../../core/inspection.ts"
import { serviceUsersOf } from "./plan-warnings.ts"
import { type AccountReach, findReach } from "./reach.ts"

/** Finds organizations and service users of the configuration that the database cannot serve. */
export async function findAccountWarnings(
  database: Database,
  { routes, accounts: ownLimits }: Pick<Plan, "routes" | "accounts">,
): Promise<Warning[]> {
  const policies = routes.map(({ auth }) => auth)
  const named = new Set(policies.flatMap((policy) => organizationsOf(policy) ?? []))
  const unknown = await findUnknownOrganizations(database, [...named])
  const users = serviceUsersOf(policies)
  const limited = Object.keys(ownLimits)
  const accounts = await findReach(database, [...users.keys(), ...limited])
  const missing = limited.filter((name) => !accounts.has(name) && !users.has(name))
  return [
    ...missing.map((name) => ({
      about: `account ${name}`,
      message: "it does not exist, so its limits in accounts apply to nobody. Correct the name",
    })),
    ...unknown.map((slug) => ({
      about: `organization ${slug}`,
      message: "it is not in the database, so routes for it serve nobody. Correct the name",
    })),
    ...[...users].flatMap(([username, slugs]) => {
      const known = slugs.filter((slug) => !unknown.includes(slug))
      const message = whyUnable(username, accounts.get(username), known)
      return message === undefined ? [] : [{ about: `account ${username}`, message }]
    }),
  ]
}

/** Returns the slugs for which there is no organization. */
export async function findUnknownOrganizations(
  { writer }: Database,
  slugs: readonly string[],
): Promise<string[]> {
  if (slugs.length === 0) return []
  const rows = await writer
    .selectFrom("organization")
    .select("slug")
    .where("slug", "in", slugs)
    .execute()
  const known = new Set(rows.map((row) => row.slug))
  return slugs.filter((slug) => !known.has(slug))
}

/** Returns why an account cannot read these organizations as their service user, and what to do. */
function whyUnable(
  username: string,
  account: AccountReach | undefined,
  slugs: readonly string[],
): string | undefined {
  if (!account) {
    return `it does not exist, so nobody can read its routes. ` +
      `"event-export account add ${username} --role service" adds it`
  }
  if (account.role !== "service") {
    return `it has the role ${account.role}, and gets 403: a service user needs the role service. ` +
      `Name an account that has it`
  }
  if (account.disabled) {
    return `it is disabled, so nobody can read its routes. ` +
      `"event-export account disable ${username} --undo" enables it`
  }
  const [first, ...others] = slugs.filter((slug) => !account.organizations.includes(slug))
  if (first === undefined) return undefined
  return `it has no grant for ${[first, ...others].join(" and ")}, so there is nothing to read. ` +
    `"event-export access grant ${username} --organization ${first}" grants it`
}
