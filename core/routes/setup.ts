import type { Plugin } from "./contract.ts"
import { check, type SettingIssue } from "../config/issues.ts"
import { loadPlugin } from "./load-plugin.ts"
import type { ConfigDraft } from "../config/read.ts"

/** An entry of the list of plugins in a configuration. */
interface PluginEntry {
  /** Its place in the list. */
  readonly index: number
  readonly use: string
  readonly with: unknown
}

/** A loaded plugin with its checked settings, ready to be mounted. */
export interface PluginSetup extends PluginEntry {
  readonly plugin: Plugin
  readonly settings: unknown
}

/** A plugin whose code is loaded. Its settings are not checked yet. */
type PluginModule = Omit<PluginSetup, "settings">

/**
 * Loads the plugins of a configuration, each once, and checks their settings. One that `extends` another is set up
 * once per entry of the other. Reports problems to the source.
 */
export async function setUpPlugins(
  { source, folder }: Pick<ConfigDraft, "source" | "folder">,
): Promise<readonly PluginSetup[]> {
  const entries = entriesOf(source.value)
  const refuse = (entry: PluginEntry, reason: string) =>
    source.report(problemAt(entry, `cannot use plugin ${entry.use}: ${reason}`))

  const plugins = new Map<string, Promise<Plugin>>()
  const loading = entries.map(async (entry): Promise<PluginModule[]> => {
    const loaded = plugins.get(entry.use) ?? loadPlugin(entry.use, folder)
    plugins.set(entry.use, loaded)
    try {
      return [{ ...entry, plugin: await loaded }]
    } catch (error) {
      refuse(entry, (error as Error).message)
      return []
    }
  })
  const modules = (await Promise.all(loading)).flat()
  const byName = Map.groupBy(modules, ({ plugin }) => plugin.name)

  return modules.flatMap((entry) => {
    const bases = basesOf(entry, byName)
    if (typeof bases === "string") {
      refuse(entry, bases)
      return []
    }
    return bases.flatMap(({ index, with: raw }) => {
      const { value, issues } = check(entry.plugin.settings, raw ?? {}, ["plugins", index, "with"])
      if (issues.length === 0) return [{ ...entry, settings: value }]
      for (const issue of issues) source.report(issue)
      return []
    })
  })
}

/** Returns a problem with an entry as a whole; its place is the entry's `use`. */
export function problemAt({ index }: { readonly index: number }, message: string): SettingIssue {
  return { path: ["plugins", index, "use"], message, at: "value" }
}

function entriesOf(value: unknown): PluginEntry[] {
  const plugins = (value as { plugins?: unknown } | null | undefined)?.plugins
  if (!Array.isArray(plugins)) return []
  return plugins.flatMap((entry, index) =>
    typeof entry?.use === "string" ? [{ index, use: entry.use, with: entry.with }] : []
  )
}

/** Returns the entries with the settings of a plugin, or why there are none. */
function basesOf(
  entry: PluginModule,
  byName: ReadonlyMap<string, readonly PluginModule[]>,
): readonly PluginModule[] | string {
  const { plugin: { extends: name } } = entry
  if (name !== undefined && entry.with !== undefined) {
    return `it takes the settings of ${name}: remove its own`
  }
  const bases = name === undefined ? [entry] : byName.get(name) ?? []
  return bases.length > 0 ? bases : `it extends ${name}, which is not in the list or cannot be used`
}
