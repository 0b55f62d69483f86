import type { Capability } from "../../../core/capability.ts"
import type { ListingParameter } from "../../../core/plugin.ts"

const exportParameters: readonly ListingParameter[] = ["q", "since", "limit", "category", "cursor"]

/** Derives a route from each of a family's lists of guests and items that sends the whole list in one response. */
export const deriveExports: NonNullable<Capability["derives"]> = (routes) =>
  routes.flatMap((from) => {
    if (from.kind !== "listing" || !/\/:eventId\/(guests|items)$/.test(from.path)) return []
    const parameters = from.list.parameters.filter((name) => exportParameters.includes(name))
    return [{
      from,
      path: `${from.path}/export`,
      list: { ...from.list, parameters },
      export: true,
    }]
  })
