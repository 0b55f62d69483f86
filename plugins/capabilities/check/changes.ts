import {
  compareFixedSettings,
  type Database,
  fixedSettings,
  locationOf,
  type Plan,
  type Status,
  summarizeRoutes,
} from "../../../core/capability.ts"
import { type Consequence, findConsequences } from "./consequences.ts"
import { feltSettings, kindOfSetting, otherSettings } from "./felt-settings.ts"
import { describeRouteChanges } from "./route-changes.ts"

/** What is compared: a plan, or what a server tells of itself, which uses the same database. */
export type Compared = Pick<Status, "routes" | "fixedSettings"> & {
  /** Missing if the server is of a version that does not tell them. */
  readonly settings?: Status["settings"]
}

/** What a change of the configuration does. */
export interface Changes {
  /** Settings that a reload cannot change, and how they differ. */
  readonly fixed: readonly { readonly name: string; readonly change: string }[]
  /** A line per route that would change. */
  readonly routes: readonly string[]
  /** The settings that differ and that partners feel. */
  readonly felt: readonly SettingChange[]
  /** All other settings that differ. */
  readonly others: readonly SettingChange[]
  /** False if the settings of what is compared with are not known, and so neither how they differ. */
  readonly isComplete: boolean
}

/** A setting that differs. */
export interface SettingChange {
  /** Its path, such as `limits.quota`. */
  readonly name: string
  /** From what to what: `36000 becomes 10`. */
  readonly change: string
  /** What the value means, and what comes of it; empty if there is nothing to say. */
  readonly effect: string
  /** What comes of it for single accounts, as far as their last week tells. */
  readonly accounts: readonly Consequence[]
}

/** Returns what is compared of a plan. @throws {Error} if the URL of its database is malformed. */
export async function comparedOf(plan: Plan): Promise<Required<Compared>> {
  const { url } = plan.database
  // What has credentials is not shown.
  const database = url.includes("@") ? await locationOf(url) : url
  return {
    routes: summarizeRoutes(plan.routes),
    fixedSettings: fixedSettings(plan),
    settings: { ...plan.settings, "database.url": database },
  }
}

/** Finds what a plan changes, and for whom. Reads the database that the service uses; writes nothing. */
export async function findChanges(
  database: Database,
  before: Compared,
  after: Plan,
): Promise<Changes> {
  const next = await comparedOf(after)
  const present = next.settings
  // A server has the database of the plan: it knows the session with which it was asked.
  const old: Status["settings"] = {
    "database.url": present["database.url"],
    ...before.settings ?? present,
  }
  const differing = Object.keys({ ...old, ...present }).filter((name) =>
    show(old[name]) !== show(present[name]) && !isSeen(name, before, after)
  )
  const consequences = await findConsequences(database, {
    names: differing,
    before: old,
    after,
  })
  const changes = differing.map((name): SettingChange & { readonly isFelt: boolean } => {
    const said = sayChange(name, old[name], present[name])
    const accounts = consequences.filter(({ setting }) => setting === name)
    return { name, ...said, accounts }
  })
  const of = (isFelt: boolean): SettingChange[] =>
    changes.filter((each) => each.isFelt === isFelt).map(({ isFelt: _, ...change }) => change)
  return {
    fixed: compareFixedSettings(before.fixedSettings, next.fixedSettings),
    routes: describeRouteChanges(before.routes, next.routes),
    felt: of(true),
    others: of(false),
    isComplete: before.settings !== undefined,
  }
}

/** Returns a line that says what a change of a setting is, and does. */
export function lineOf({ name, change, effect }: Omit<SettingChange, "accounts">): string {
  return `~ ${name}: ${change}${effect && ` (${effect})`}`
}

/** True if other settings of a plugin are seen in its routes. */
function isSeen(name: string, { routes }: Compared, { plugins, routes: mounted }: Plan): boolean {
  const [, use] = /^plugins\.(.*)$/s.exec(name) ?? []
  if (use === undefined) return false
  const plugin = plugins.find((each) => each.use === use)?.plugin.name
  // What is there no more has taken its routes along.
  if (plugin === undefined) return true
  const own = routes.filter((route) => route.plugin === plugin)
  const next = summarizeRoutes(mounted).filter((route) => route.plugin === plugin)
  return describeRouteChanges(own, next).length > 0
}

function sayChange(name: string, before: unknown, after: unknown) {
  const kind = kindOfSetting(name)
  const change = `${show(before)} becomes ${show(after)}`
  if (kind === "plugins.*") return { isFelt: true, change: "other values", effect: say(kind, "") }
  if (kind === "session.secrets") return saySecrets(before as string[], after as string[])
  if (kind === "capabilities") return sayCapabilities(before as string[], after as string[])
  const isFelt = Object.hasOwn(feltSettings, kind)
  return { isFelt, change, effect: isFelt ? say(kind, after) : otherSettings[kind] ?? "" }
}

function say(kind: string, after: unknown): string {
  const effect = feltSettings[kind] ?? ""
  return typeof effect === "string" ? effect : effect(after, undefined)
}

/** Says what secrets do that are gone, of which only hashes are known. */
function saySecrets(before: readonly string[], after: readonly string[]) {
  const gone = before.filter((hash) => !after.includes(hash))
  const change = `${before.length} become ${after.length}, ${gone.length} of them gone`
  if (gone.length === 0) return { isFelt: false, change, effect: "all sessions go on" }
  const effect = gone[0] === before[0]
    ? "the first one is gone, which has sealed the sessions since it came: they end, and their " +
      "partners have to log in again"
    : "sessions that were sealed with a secret that is gone end"
  return { isFelt: true, change, effect }
}

/** Says what partners feel of capabilities that go or come, apart from routes. */
function sayCapabilities(before: readonly string[], after: readonly string[]) {
  const gone = before.filter((name) => !after.includes(name))
  const come = after.filter((name) => !before.includes(name))
  const change = [
    ...gone.length > 0 ? [`without ${gone.join(", ")}`] : [],
    ...come.length > 0 ? [`with ${come.join(", ")}`] : [],
  ].join("; ") || "in another order"
  const isFelt = [...gone, ...come].some((name) => name === "waiting" || name === "export")
  const effect = gone.includes("waiting")
    ? "requests with Prefer: wait are answered at once"
    : come.includes("waiting")
    ? "requests with Prefer: wait are held until something is new"
    : ""
  return { isFelt, change, effect }
}

function show(value: unknown): string {
  return value === null || value === undefined
    ? "none"
    : typeof value === "string"
    ? value
    : JSON.stringify(value)
}
