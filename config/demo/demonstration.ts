import type { Demonstration } from "../../plugins/capabilities/demonstration/demonstration.ts"
import { accounts, grants } from "./accounts.ts"
import { type EventPlan, events } from "./events.ts"
import { guestRows } from "./guests.ts"
import { guide } from "./guide.ts"
import { insertRows, type Rows } from "./insert-rows.ts"
import { itemRows } from "./items.ts"
import { participants } from "./live/participants.ts"
import { organizations } from "./organizations.ts"
import { sceneOf } from "./scene.ts"

/**
 * Two organizations with four events, their guests and items, and six accounts with the password
 * `demo`. Every run writes the same rows, except for the salts of the stored passwords.
 */
const demonstration: Demonstration = {
  async fill({ db, dialect, hashPassword }) {
    const account = await accounts(hashPassword)
    await insertRows(db, dialect, [
      { organization: organizations, event: events.map((event) => event.row) },
      ...events.map(recordsOf),
      { account, access_grant: grants() },
    ])
  },
  guide,
  participants,
}

export default demonstration

function recordsOf(event: EventPlan): Rows {
  const scene = sceneOf(event)
  return { ...guestRows(scene), ...itemRows(scene) }
}
