import type { Capability } from "../../../core/capability.ts"
import { countEffects, settleFilters } from "./change-filters.ts"
import { listsOfGuests } from "./lists-of-guests.ts"
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
  settle: ({ database, plan, ...host }) =>
    settleFilters(database, listsOfGuests(plan.routes), host),
}

export default filters
