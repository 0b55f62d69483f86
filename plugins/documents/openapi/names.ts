import type { MountedRoute } from "../../../core/plugin.ts"

/**
 * Names a document's operations after the plugin and what the route does: `connectorBListGuests`. Names do not contain
 * paths, which may name a customer, and are the same for announced and real routes.
 *
 * Operators may see a plugin mounted several times. From the second mount on, a number follows the plugin's name:
 * `customExport2ListGuests`. All routes of a mount have the same number.
 */
export function operationIds(routes: readonly MountedRoute[]): ReadonlyMap<MountedRoute, string> {
  const families = familiesOf(routes)
  const taken = new Set<string>()
  const ids = new Map<MountedRoute, string>()
  for (const mount of Map.groupBy(routes, ({ prefix }) => prefix).values()) {
    const named = distinctActions(mount)
    for (let number = 1;; number++) {
      const own = named.map(({ route, action }) => {
        const family = families.get(route) ?? route.plugin
        const begin = `${camel(family)}${number === 1 ? "" : number}`
        return { route, id: begin + withoutFamily(action, family) }
      })
      if (own.some(({ id }) => taken.has(id))) continue
      for (const { route, id } of own) {
        taken.add(id)
        ids.set(route, id)
      }
      break
    }
  }
  return ids
}

/**
 * Returns the name of each route's family, which is the plugin that declares the prefix. A plugin that extends another
 * shares its prefix and has a longer name.
 */
export function familiesOf(routes: readonly MountedRoute[]): ReadonlyMap<MountedRoute, string> {
  const owners = new Map<string, string>()
  for (const { prefix, plugin } of routes) {
    const owner = owners.get(prefix)
    const isOwner = owner === undefined || owner.startsWith(`${plugin}-`)
    if (isOwner) owners.set(prefix, plugin)
  }
  return new Map(
    routes.map((route) => {
      const owner = owners.get(route.prefix) ?? ""
      return [route, route.plugin.startsWith(`${owner}-`) ? owner : route.plugin]
    }),
  )
}

/** Writes `connector-x` as `ConnectorX`. */
export function pascal(name: string): string {
  return wordsOf(name).map(capital).join("")
}

/** Writes `log in` as `Log in`. */
export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

/** Writes `connector-x` as `connectorX`. */
export function camel(name: string): string {
  const text = pascal(name)
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}

/**
 * Returns the routes of a mount with their actions. If several have the same action, the later ones append their paths.
 */
function distinctActions(mount: readonly MountedRoute[]) {
  const taken = new Set<string>()
  return mount.map((route) => {
    const action = actionOf(route)
    const { prefix, pattern: { text }, method } = route
    const path = text === prefix ? text : text.slice(prefix.length)
    const free = [action, action + pascal(path), action + pascal(path) + pascal(method)]
      .find((each) => each !== "" && !taken.has(each)) ?? pascal(path)
    taken.add(free)
    return { route, action: free }
  })
}

/** Returns a route's action: `ListGuests`, `ExportGuests`, `GuestDigest`, `LogIn`. */
function actionOf(route: MountedRoute): string {
  if (route.kind === "listing") {
    const { name, schema } = route.list
    const isRecord = route.pattern.parameters.includes("id")
    const verb = route.export ? "Export" : isRecord ? "Get" : schema ? "" : "List"
    return `${verb}${pascal(name)}`
  }
  const { pattern: { text }, method, describe } = route
  if (route.announced) return `List${pascal(text.split("/").at(-1) ?? "")}`
  const { summary = `${method.toLowerCase()} ${text}` } = describe ?? {}
  return wordsOf(summary).filter((word) => !/^(a|an|the)$/i.test(word)).map(pascal).join("")
}

/** Returns an action without the family's name at the beginning. */
function withoutFamily(action: string, family: string): string {
  const begin = pascal(family).toLowerCase()
  return action.toLowerCase().startsWith(begin) ? action.slice(begin.length) : action
}

function wordsOf(text: string): string[] {
  return text.split(/[^A-Za-z0-9]+/).filter((word) => word !== "")
}
