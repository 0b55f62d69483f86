/**
 * Settings of former versions, by path: where their values belong now, or true if they stay where they are. Such a
 * setting keeps its effect in files that have it. Few need it, so no document and no schema shows it. `*` is any name.
 */
export type FormerSettings = Readonly<Record<string, string | true>>

/** The former settings of the service. Capabilities have more, in their groups. */
export const formerSettings: FormerSettings = {
  "server.time_limit": true,
  "server.timing": true,
  "database.time_limit": true,
  "session.cookie": true,
  "polling.intervals": true,
  "polling.intervals.running": "polling.interval",
  "log.format": true,
  "limits.waiting": true,
  "accounts.*.waiting": true,
  "cache.pages": true,
  "cache.records": true,
}

/**
 * Returns a copy of a configuration with its former settings in their present places, unless these are taken; and
 * where the values of such places stand in the file.
 */
export function withPresentNames(value: unknown, former: FormerSettings) {
  const present = structuredClone(value)
  const places = new Map<string, readonly string[]>()
  for (const [from, to] of Object.entries(former)) {
    if (to === true) continue
    const [before, after] = [from.split("."), to.split(".")]
    const [source, target] = [groupOf(present, before), groupOf(present, after)]
    const [old = "", name = ""] = [before.at(-1), after.at(-1)]
    if (!source || !target || !Object.hasOwn(source, old) || Object.hasOwn(target, name)) continue
    target[name] = source[old]
    delete source[old]
    places.set(to, before)
  }
  return { present, places }
}

/** Returns the group that a setting is in, if there is one. */
function groupOf(value: unknown, path: readonly string[]): Record<string, unknown> | undefined {
  const group = path.slice(0, -1).reduce<unknown>(
    (outer, name) => (outer as Record<string, unknown> | null | undefined)?.[name],
    value,
  )
  return typeof group === "object" && group !== null ? group as Record<string, unknown> : undefined
}
