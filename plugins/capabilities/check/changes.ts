import type { Database, Plan } from "../../../core/capability.ts"
import {
  compareSettings,
  describeLocation,
  fixedSettings,
  type SettingChange,
  summarizeRoutes,
} from "../../../core/inspection.ts"
import type { Status } from "../../../core/plugin.ts"
import { describeRouteChanges } from "./route-changes.ts"
import { describeReaderChanges } from "./reader-changes.ts"

/** What is compared of a plan or of a running server. */
export type PlanSummary = Pick<Status, "routes" | "settings">

/** What a change of the configuration does. */
export interface PlanChanges {
  /** The settings that differ, and that only a restart changes. */
  readonly fixed: readonly SettingChange[]
  /** The other settings that differ. */
  readonly settings: readonly SettingChange[]
  /** A line per route that would change. */
  readonly routes: readonly string[]
  /** Per account that gains or loses routes, its name and a line per route. */
  readonly readers: readonly string[]
}

/** Returns what is compared of a plan. @throws {Error} if the URL of its database is malformed. */
export async function summarizePlan(plan: Plan): Promise<PlanSummary> {
  const { url } = plan.database
  // A URL with credentials is not shown.
  const database = url.includes("@") ? await describeLocation(url) : url
  const settings = { ...plan.settings, "database.url": database }
  return { routes: summarizeRoutes(plan.routes), settings }
}

/** Finds what a plan changes, and for whom. Reads the database of the plan; writes nothing. */
export async function findChanges(
  database: Database,
  before: PlanSummary,
  after: Plan,
): Promise<PlanChanges> {
  const next = await summarizePlan(after)
  // A server has the database of the plan: it knows the session with which it was asked.
  const same = { "database.url": next.settings["database.url"] }
  const differing = compareSettings({ ...same, ...before.settings }, next.settings)
  const fixed = new Set(["database.url", ...Object.keys(fixedSettings(after))])
  return {
    fixed: differing.filter(({ name }) => fixed.has(name)),
    settings: differing.filter(({ name }) => !fixed.has(name)),
    routes: describeRouteChanges(before.routes, next.routes),
    readers: await describeReaderChanges(database, before.routes, next.routes),
  }
}
