import type { Config } from "../config/read.ts"
import { UserError } from "../errors.ts"
import type { Status } from "../routes/contract.ts"
import { capabilitiesOf } from "./capability.ts"

/** Settings by name, as JSON has them. */
type FixedSettings = Status["fixedSettings"]

/** What has settings that change only with a restart. */
type Fixed = Pick<Config, "server" | "capabilities">

/** Returns the settings that change only with a restart: about sockets, and capabilities of the whole process. */
export function fixedSettings({ server, capabilities }: Fixed): FixedSettings {
  const on = capabilitiesOf({ capabilities })
  const fixed = on.flatMap(({ capability: { settings: group }, settings }) =>
    group?.isFixed
      ? Object.entries(settings ?? {}).map(([name, value]) => [`${group.group}.${name}`, value])
      : []
  )
  return {
    "server.host": server.host,
    "server.port": server.port,
    "server.reuse_port": server.reuse_port,
    "server.connections": server.connections,
    "server.connections_per_address": server.connections_per_address,
    "server.public_url": server.publicUrl ?? null,
    "server.trust_proxy": server.trust_proxy,
    "server.host_names": server.host_names,
    ...Object.fromEntries(fixed),
    capabilities: on.flatMap(({ capability }) => capability.start ? capability.name : []),
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
