import type { Config } from "../config/read.ts"
import { UserError } from "../errors.ts"
import type { Status } from "../routes/contract.ts"
import { capabilitiesOf } from "./capability.ts"

/** Settings by name, as JSON has them. */
type SettingValues = Status["settings"]

/** A setting that differs, and how: `0 becomes 1`, or of a list `loses waiting; gains export`. */
export interface SettingChange {
  readonly name: string
  readonly change: string
}

/** What has settings that change only with a restart. */
type ConfigSettings = Pick<Config, "settings" | "capabilities">

const always = [
  ...["host", "port", "reuse_port", "connections", "public_url"]
    .concat("trust_proxy", "host_names").map((name) => `server.${name}`),
  ...["connections", "time_limit", "replicas.staleness", "replicas.hosts"]
    .map((name) => `database.${name}`),
  "capabilities",
]

/**
 * Returns the settings that change only with a restart: about sockets, the database, which capabilities are on, and
 * some of theirs. `database.url` is another one; it has credentials.
 */
export function fixedSettings({ settings, capabilities }: ConfigSettings): SettingValues {
  const own = capabilitiesOf({ capabilities }).flatMap(({ capability: { settings: own } }) =>
    own?.fixed?.map((name) => `${own.group}.${name}`) ?? []
  )
  return Object.fromEntries([...always, ...own].map((name) => [name, settings[name] ?? null]))
}

/** Describes, by its name, each setting that differs. */
export function compareSettings(before: SettingValues, after: SettingValues): SettingChange[] {
  return Object.keys({ ...before, ...after }).flatMap((name) => {
    const change = describeChange(before[name], after[name])
    return change === undefined ? [] : [{ name, change }]
  })
}

/** Refuses a reload rather than apply it in part. @throws {UserError} if a fixed setting has changed. */
export function refuseFixed(
  inForce: ConfigSettings & Pick<Config, "database">,
  inFile: ConfigSettings & Pick<Config, "database">,
): void {
  const changes = compareSettings(fixedSettings(inForce), fixedSettings(inFile))
  if (inForce.database.url !== inFile.database.url) {
    changes.push({ name: "database.url", change: "has another value" })
  }
  if (changes.length === 0) return
  const list = changes.map(({ name, change }) => `${name} (${change})`).join(", ")
  throw new UserError(
    `The file changes ${list}, which takes a restart. Nothing was applied: restart the service once ` +
      "event-export check finds no mistake, or undo the change.",
  )
}

/** Returns undefined if there is none. */
function describeChange(before: unknown, after: unknown): string | undefined {
  if (show(before) === show(after)) return undefined
  if (!Array.isArray(before) || !Array.isArray(after)) {
    return `${show(before)} becomes ${show(after)}`
  }
  const lost = before.filter((each) => !after.includes(each))
  const gained = after.filter((each) => !before.includes(each))
  const parts = [
    ...lost.length > 0 ? [`loses ${lost.join(", ")}`] : [],
    ...gained.length > 0 ? [`gains ${gained.join(", ")}`] : [],
  ]
  return parts.length > 0 ? parts.join("; ") : "has another order"
}

function show(value: unknown): string {
  return typeof value === "string"
    ? value
    : value === null || value === undefined
    ? "none"
    : JSON.stringify(value)
}
