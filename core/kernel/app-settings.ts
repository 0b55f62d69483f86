import type { Database } from "../data/database.ts"
import { findUnloggedViews, haveVersions } from "../records/tables.ts"
import type { Plan } from "../routes/plan.ts"
import { withoutDeletions } from "../routes/without-deletions.ts"
import type { AppSettings } from "./open-app.ts"

/** Returns how a plan is served from a database. `isLogged` is true if the changes of all records are logged. */
export async function appSettings(
  plan: Plan,
  database: Database,
): Promise<AppSettings & { readonly isLogged: boolean }> {
  const isLogged = (await findUnloggedViews(database, plan)).length === 0
  const { cache, server } = plan
  return {
    isLogged,
    routes: isLogged ? plan.routes : withoutDeletions(plan.routes),
    failed: plan.failed,
    session: plan.session,
    limits: plan.limits,
    accountLimits: limitsOf(plan.accounts),
    trustProxy: server.trust_proxy,
    polling: { ...plan.polling, accounts: intervalsOf(plan.accounts) },
    cache: {
      pages: cache.pages * megabyte,
      records: await haveVersions(database) ? cache.records * megabyte : 0,
    },
    timeLimit: server.time_limit,
    timing: server.timing,
  }
}

/** Returns the limits of accounts, by their names, without what they leave out. */
function limitsOf(accounts: Plan["accounts"]): NonNullable<AppSettings["accountLimits"]> {
  return Object.fromEntries(
    Object.entries(accounts).map(([name, { poll_interval: _, ...limits }]) => [
      name,
      Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined)),
    ]),
  )
}

/** Returns the poll intervals of accounts, by their names. */
function intervalsOf(accounts: Plan["accounts"]): Record<string, number> {
  return Object.fromEntries(
    Object.entries(accounts).flatMap(([name, { poll_interval: interval }]) =>
      interval === undefined ? [] : [[name, interval]]
    ),
  )
}

const megabyte = 1024 * 1024
