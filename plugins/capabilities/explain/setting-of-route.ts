import type { MountedRoute, Policy } from "../../../core/plugin.ts"
import type { ConfigPath, PluginSetup } from "../../../core/inspection.ts"

/** A plugin in the configuration with its settings. */
type Setup = Pick<PluginSetup, "index" | "with" | "plugin">

/**
 * Returns where the configuration says who may use a route: the smallest part of its plugin's settings that contains
 * the first word of the path and the names of the policy, or else the plugin itself.
 */
export function findSettingOf(
  { plugin, pattern, auth }: Pick<MountedRoute, "plugin" | "pattern" | "auth">,
  setups: readonly Setup[],
): ConfigPath | undefined {
  const ofPlugin = setups.filter((setup) => setup.plugin.name === plugin)
  const bases = setups.filter((setup) =>
    ofPlugin.some((each) => each.plugin.extends === setup.plugin.name)
  )
  const [, word = ""] = pattern.text.split("/")
  const wanted = [word, ...namesIn(auth)]
  for (const { index, with: settings } of [...ofPlugin, ...bases]) {
    const path = findSmallest(settings, wanted)
    if (path) return ["plugins", index, "with", ...path]
  }
  const [first] = ofPlugin
  return first && ["plugins", first.index, "use"]
}

function namesIn(policy: Policy): readonly string[] {
  if (policy.kind === "granted") return policy.organizations
  return policy.kind === "service-user" ? [policy.username, policy.organization] : []
}

/** Returns the path of the smallest part of a value that contains all texts; undefined if there is none. */
function findSmallest(value: unknown, wanted: readonly string[]): ConfigPath | undefined {
  const texts = textsIn(value)
  if (!wanted.every((text) => texts.includes(text))) return undefined
  if (typeof value !== "object" || value === null) return []
  for (const [name, part] of Object.entries(value)) {
    const path = findSmallest(part, wanted)
    if (path) return [Array.isArray(value) ? Number(name) : name, ...path]
  }
  return []
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : []
}
