import type { Capability } from "../../../core/capability.ts"
import { countEffects, settleFilters } from "./change-filters.ts"
import { inForceLayer } from "./in-force.ts"
import { changedLists, listsOfGuests } from "./lists-of-guests.ts"
import { filtersStorage } from "./storage.ts"

/** Lets families choose guests, and tells their partners whom another filter costs or brings. */
const filters: Capability = {
  name: "filters",
  summary: "Lets families choose guests by their consent",
  storage: filtersStorage,
  async warn({ database, plan }) {
    const effects = await countEffects(database, listsOfGuests(plan.routes))
    return effects.map(({ scope, event, lost, gained }) => ({
      about: scope,
      message:
        `its filter is another than before: of ${event}, ${lost} guests go as deletions, and ` +
        `${gained} come as changes`,
    }))
  },
  async settle({ database, plan, former, ...host }, open) {
    const lists = changedLists(plan.routes, former?.routes)
    if (lists.length > 0) return await settleFilters(database, lists, { ...host, open })
    // A reload without another filter does not need the database.
    await open()
    return async () => {}
  },
  open: (host) => ({ layers: [inForceLayer(host)] }),
}

export default filters
