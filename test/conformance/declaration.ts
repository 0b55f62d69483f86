import { check } from "../../core/commands.ts"
import { mountPlugins } from "../../core/routes/mount.ts"
import { mountMistakes, pluginMistakes } from "../../core/routes/validate.ts"
import { type MountedRoute, type Plugin, v } from "../../core/plugin.ts"
import { inspect } from "node:util"

/** The routes of a plugin. If the declaration is wrong, there are problems and no routes. */
export interface Declaration {
  readonly routes: readonly MountedRoute[]
  readonly problems: readonly string[]
}

/** Checks the description, the settings and the mounting of a plugin with what capabilities add. Serves nothing. */
export function checkDeclaration(
  plugin: Plugin,
  settings: unknown,
  additions: readonly unknown[],
): Declaration {
  const mistakes = pluginMistakes(plugin)
  if (mistakes.length > 0) return { routes: [], problems: mistakes }

  const { value, issues } = check(plugin.settings, settings, [])
  if (issues.length > 0) {
    const reasons = issues.map(({ message }) => message).join("; ")
    return { routes: [], problems: [`it refuses the settings of this check: ${reasons}`] }
  }
  const lax = plugin.extends === undefined ? laxProblems(plugin, settings) : []
  const { routes, problems } = mountTwice(plugin, value, additions)
  return { routes: problems.length > 0 ? [] : routes, problems: [...lax, ...problems] }
}

/** A setting with a name that no plugin has, and a type that YAML does not have. */
const unknownSetting = { "conformance-suite": Symbol("of the conformance suite") }

/** Tries an unknown setting in each group of settings. */
function laxProblems(plugin: Plugin, settings: unknown): string[] {
  return groupsIn(settings, []).flatMap(({ path, changed }) =>
    v.is(plugin.settings, changed)
      ? [`its settings accept an unknown one in ${path.join(".") || "them"}: use v.strictObject`]
      : []
  )
}

/** Settings with one change, and the path of the changed group. */
interface Variant {
  readonly path: readonly string[]
  readonly changed: unknown
}

/** Returns a copy of the settings per group in them, with the unknown setting in that group. */
function groupsIn(value: unknown, path: readonly string[]): Variant[] {
  if (typeof value !== "object" || value === null) return []
  const inner = Object.entries(value).flatMap(([name, part]) =>
    groupsIn(part, [...path, name]).map(({ path, changed }) => ({
      path,
      changed: Array.isArray(value)
        ? value.with(Number(name), changed)
        : { ...value, [name]: changed },
    }))
  )
  return Array.isArray(value)
    ? inner
    : [{ path, changed: { ...value, ...unknownSetting } }, ...inner]
}

function mountTwice(plugin: Plugin, settings: unknown, additions: readonly unknown[]): Declaration {
  const refused = (...problems: string[]): Declaration => ({ routes: [], problems })
  const before = show(settings)
  try {
    const mounts = plugin.mount(settings, additions)
    const mistakes = mountMistakes(mounts)
    if (mistakes.length > 0) return refused(...mistakes)
    if (show(mounts) !== show(plugin.mount(settings, additions))) {
      return refused("mounting it twice gives two different declarations")
    }
  } catch (error) {
    return refused(`mount throws: ${(error as Error).message}`)
  }
  if (show(settings) !== before) return refused("mount changes the settings")

  const entry = { index: 0, use: plugin.name, with: settings }
  const { routes, problems } = mountPlugins([{ ...entry, plugin, settings }], {
    additions: new Map([[plugin.name, additions]]),
  })
  return { routes, problems: problems.map(({ message }) => message) }
}

/** Shows a value. Functions appear by their names only. */
function show(value: unknown): string {
  return inspect(value, { depth: null, maxArrayLength: null, maxStringLength: null })
}
