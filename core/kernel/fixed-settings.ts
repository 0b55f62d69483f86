import type { Config } from "../config/read.ts"
import { UserError } from "../errors.ts"
import type { Status } from "../routes/contract.ts"
import { capabilitiesOf } from "./capability.ts"

/** Settings by name, as JSON has them. */
type FixedSettings = Status["fixedSettings"]

/** What has settings that change only with a restart. */
type Fixed = Pick<Config, "settings" | "capabilities">

const ofServer = ["host", "port", "reuse_port", "connections", "connections_per_address"]
  .concat("public_url", "trust_proxy", "host_names").map((name) => `server.${name}`)

/** Returns the settings that change only with a restart: about sockets, and capabilities of the whole process. */
export function fixedSettings({ settings, capabilities }: Fixed): FixedSettings {
  const on = capabilitiesOf({ capabilities }).map(({ capability }) => capability)
  const groups = on.flatMap(({ settings: own }) => own?.isFixed ? `${own.group}.` : [])
  const ofGroups = Object.keys(settings).filter((name) =>
    groups.some((group) => name.startsWith(group))
  )
  return {
    ...Object.fromEntries(
      [...ofServer, ...ofGroups].map((name) => [name, settings[name] ?? null]),
    ),
    capabilities: on.flatMap(({ name, start }) => start ? name : []),
  }
}

/** Describes, by its name, each of the settings in force that a file has another value for. */
export function compareFixedSettings(
  inForce: FixedSettings,
  inFile: FixedSettings,
): { readonly name: string; readonly change: string }[] {
  return Object.keys({ ...inForce, ...inFile }).flatMap((name) => {
    const [before, after] = [inForce[name], inFile[name]].map(show)
    return before === after
      ? []
      : [{ name, change: `is ${before} in force and ${after} in the file` }]
  })
}

/** Rejects a reload rather than apply it in part. @throws {UserError} if a fixed setting has changed. */
export function refuseFixed(inForce: Fixed, inFile: Fixed): void {
  const changes = compareFixedSettings(fixedSettings(inForce), fixedSettings(inFile))
  if (changes.length === 0) return
  const verb = changes.length === 1 ? "changes" : "change"
  const list = changes.map(({ name, change }) => `${name} ${change}`).join("; ")
  throw new UserError(`${list}, and ${verb} only with a restart. Nothing was changed.`)
}

function show(value: unknown): string {
  return typeof value === "string"
    ? value
    : value === null || value === undefined
    ? "none"
    : JSON.stringify(value)
}
