import { performance } from "node:perf_hooks"
import type { Plugin } from "./contract.ts"
import { check, type SettingIssue } from "../config/issues.ts"
import { loadPlugin } from "./load-plugin.ts"
import type { ConfigSource } from "../config/source.ts"

/** An entry of the list of plugins. */
export interface Entry {
  /** Its place in the list. */
  readonly index: number
  readonly use: string
  readonly optional: boolean
  readonly with: unknown
}

/** A plugin that has been loaded, with its checked settings. */
export interface ConfiguredPlugin extends Entry {
  readonly plugin: Plugin
  readonly settings: unknown
  /** Milliseconds that its code took to load. */
  readonly loaded: number
}

/** An optional plugin that cannot be used, and why. */
export interface FailedPlugin {
  readonly use: string
  readonly reasons: readonly string[]
  /** The texts in its settings: a path that begins with one of them is likely its own. */
  readonly segments: readonly string[]
}

type Loaded = Entry & Pick<ConfiguredPlugin, "plugin" | "loaded">

/**
 * Loads the plugins of a configuration and checks their settings. What is wrong with a required one
 * is reported to the source; an optional one fails by itself.
 *
 * A plugin that `extends` another takes its settings from the other's entry, once for each.
 */
export async function configurePlugins(
  source: ConfigSource,
  base: string,
): Promise<{ configured: readonly ConfiguredPlugin[]; failed: readonly FailedPlugin[] }> {
  const entries = entriesOf(source.value)
  const failed: FailedPlugin[] = []
  const refuse = (entry: Entry, reason: string) => {
    if (entry.optional) failed.push(failure(entry, [reason]))
    else source.report(problemAt(entry, `cannot use plugin ${entry.use}: ${reason}`))
  }

  const loading = entries.map(async (entry): Promise<Loaded[]> => {
    const started = performance.now()
    try {
      const plugin = await loadPlugin(entry.use, base)
      return [{ ...entry, plugin, loaded: performance.now() - started }]
    } catch (error) {
      refuse(entry, (error as Error).message)
      return []
    }
  })
  const loaded = (await Promise.all(loading)).flat()

  const configured = loaded.flatMap((entry) => {
    const bases = basesOf(entry, loaded)
    if (typeof bases === "string") {
      refuse(entry, bases)
      return []
    }
    return bases.flatMap(({ index, with: raw }) => {
      const { value, issues } = check(entry.plugin.settings, raw ?? {}, ["plugins", index, "with"])
      if (issues.length === 0) return [{ ...entry, settings: value }]
      if (entry.optional) failed.push(failure(entry, issues.map(({ message }) => message)))
      else for (const issue of issues) source.report(issue)
      return []
    })
  })
  return { configured, failed }
}

/** A problem with an entry as a whole, at its `use`. */
export function problemAt({ index }: { readonly index: number }, message: string): SettingIssue {
  return { path: ["plugins", index, "use"], message, at: "value" }
}

/** The failure of an optional plugin. */
export function failure(
  entry: { readonly use: string; readonly with: unknown },
  reasons: readonly string[],
): FailedPlugin {
  return { use: entry.use, reasons, segments: textsIn(entry.with) }
}

function entriesOf(value: unknown): Entry[] {
  const plugins = (value as { plugins?: unknown } | null | undefined)?.plugins
  if (!Array.isArray(plugins)) return []
  return plugins.flatMap((entry, index) =>
    typeof entry?.use === "string"
      ? [{ index, use: entry.use, optional: entry.optional === true, with: entry.with }]
      : []
  )
}

/** The entries whose settings a plugin gets: its own, or those of the plugin that it extends. */
function basesOf(entry: Loaded, loaded: readonly Loaded[]): readonly Loaded[] | string {
  const { plugin } = entry
  if (plugin.extends === undefined) return [entry]
  if (entry.with !== undefined) {
    return `it takes the settings of ${plugin.extends}: take its own out`
  }
  const bases = loaded.filter((other) => other.plugin.name === plugin.extends)
  return bases.length > 0
    ? bases
    : `it extends ${plugin.extends}, which is not in the list, or cannot be used`
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : []
}
