import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { GenericSchema } from "valibot"
import { suggest } from "../nearest.ts"
import { capabilityFolder as folder, capabilityNames, findModule } from "./installed.ts"
import type { ConfigSource } from "./source.ts"

/** The settings of a capability: a group at the top of the configuration. */
export interface SettingsGroup<Settings = unknown> {
  /** The name of the group: that of the capability, or one of `otherGroups` in `usual.ts`. */
  readonly group: string
  /** Checks the group; undefined is one that is missing. Strict, so that a typo is found. */
  readonly schema: GenericSchema<unknown, Settings>
  /** Settings that the documents leave out, because few need them. */
  readonly unshown?: readonly string[]
  /** Settings that take effect only at a restart. */
  readonly fixed?: readonly (keyof NonNullable<Settings>)[]
  /** Returns true if only this machine reaches `server.host`: in a container, the address does not show it. */
  isLocal?(settings: Settings): boolean
}

/** What a capability adds to lists. Documents leave out what no capability offers. */
export interface Offers<Settings = unknown> {
  /** Requests may wait for something new. */
  readonly waiting?: true
  /** Whole lists in one response, and pages with a row per record. Returns the limits of a response. */
  exports?(settings: Settings): { readonly records: number; readonly seconds: number }
}

/** What the configuration and plugins know of a capability. The whole contract is `kernel/capability.ts`. */
export interface CapabilityDeclaration<Settings = unknown> {
  /** The name of its folder. */
  readonly name: string
  /** Its group in the configuration. */
  readonly settings?: SettingsGroup<Settings>
  /** What it adds to lists. */
  readonly offers?: Offers<Settings>
  /**
   * What it adds to plugins, such as pages of the console, by the name of the plugin. Loaded if the plugin is in the
   * configuration, and passed to its `mount`.
   */
  readonly additions?: Readonly<Record<string, () => Promise<readonly unknown[]>>>
}

/** Loads what capabilities add to a plugin, in their order. */
export async function loadAdditions(
  capabilities: readonly { readonly capability: Pick<CapabilityDeclaration, "additions"> }[],
  plugin: string,
): Promise<readonly unknown[]> {
  const loading = capabilities.map(({ capability }) => capability.additions?.[plugin]?.() ?? [])
  return (await Promise.all(loading)).flat()
}

/** Loads a capability by the name of its folder. @throws {Error} if it does not load. */
export async function loadCapability<C extends CapabilityDeclaration = CapabilityDeclaration>(
  name: string,
): Promise<C> {
  const file = findModule(join(folder, name), "capability")
  if (!file) throw new Error(`there is no capability.ts or capability.js in ${join(folder, name)}`)
  return (await import(pathToFileURL(file).href)).default
}

/** Loads all capabilities that are installed, sorted by name. */
export async function loadAllCapabilities<
  C extends CapabilityDeclaration = CapabilityDeclaration,
>(): Promise<readonly C[]> {
  return await Promise.all(capabilityNames().map((name) => loadCapability<C>(name)))
}

/**
 * Loads the capabilities that a configuration names. Without a list, loads the usual ones, and others if their group of
 * settings is there. Reports unknown names.
 */
export async function loadCapabilitiesOf(
  source: ConfigSource,
): Promise<readonly CapabilityDeclaration[]> {
  // The check of the settings reports a file that is not a group.
  const groups = Object(source.value ?? {}) as Readonly<Record<string, unknown>>
  const { usual, onWithGroup } = await loadUsual()
  const listed = groups["capabilities"]
  const names: readonly unknown[] = Array.isArray(listed)
    ? listed
    : [...usual, ...onWithGroup.filter((name) => name in groups)]
  const installed = capabilityNames()
  const wanted = new Set<string>()
  for (const [index, name] of names.entries()) {
    // The check of the settings reports entries that are not text.
    if (typeof name !== "string") continue
    if (installed.includes(name)) wanted.add(name)
    else {
      const message = `there is no capability ${name}${suggest(name, installed, 3)}`
      source.report({ path: ["capabilities", index], message, at: "value" })
    }
  }
  return await Promise.all([...wanted].map((name) => loadCapability(name)))
}

/**
 * Returns the groups of a configuration whose capabilities are installed but off: they are neither checked nor used.
 */
export async function findUnusedGroups(
  groups: readonly string[],
  loaded: readonly CapabilityDeclaration[],
): Promise<readonly string[]> {
  if (groups.length === 0) return []
  const off = capabilityNames().filter((name) => !loaded.some((each) => each.name === name))
  const { otherGroups } = await loadUsual()
  return groups.filter((group) => off.includes(otherGroups[group] ?? group))
}

/** Returns what `usual.ts` says about capabilities, without loading any. */
async function loadUsual(): Promise<{
  readonly usual: readonly string[]
  readonly onWithGroup: readonly string[]
  readonly otherGroups: Readonly<Record<string, string>>
}> {
  const file = findModule(folder, "usual")
  return file
    ? await import(pathToFileURL(file).href)
    : { usual: [], onWithGroup: [], otherGroups: {} }
}
