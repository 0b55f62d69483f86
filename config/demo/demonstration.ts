import { fileURLToPath } from "node:url"
import type { Kysely } from "kysely"
import type { Demonstration } from "../../plugins/capabilities/demonstration/demonstration.ts"
import { accounts, grants } from "./accounts.ts"
import { bigEvent, type EventPlan, events } from "./events.ts"
import { guestRows } from "./guests.ts"
import { guide } from "./guide.ts"
import { itemRows } from "./items.ts"
import { participants } from "./live/participants.ts"
import { organizations } from "./organizations.ts"
import { fillPlatform, type Platform, type Rows } from "./platform.ts"
import { sceneOf } from "./scene.ts"

/**
 * A platform with two organizations, four events, their guests and items, and six accounts of the service with the
 * password `demo`. Every run writes the same rows, except for the salts of the stored passwords.
 */
const demonstration: Demonstration = {
  mapping: fileURLToPath(new URL("platform.yaml", import.meta.url)),
  async fill({ db, platform, hashPassword }) {
    await fillPlatform(platform as Kysely<Platform>, batches())
    const account = await accounts(hashPassword)
    await db.transaction().execute(async (transaction) => {
      // Grants need their organizations, which come from the platform with the same ids.
      const organization = organizations.map(({ uuid, short_name, title }) => (
        { id: uuid, slug: short_name, name: title }
      ))
      await transaction.insertInto("organization").values(organization).execute()
      await transaction.insertInto("account").values(account).execute()
      await transaction.insertInto("access_grant").values(grants()).execute()
    })
  },
  async hasArrived(db) {
    const { count } = await db.selectFrom("ticket").select(({ fn }) => fn.countAll().as("count"))
      .executeTakeFirstOrThrow()
    return Number(count) >= bigEvent.items.ticket
  },
  guide,
  participants,
}

export default demonstration

/** Makes the rows of the platform, event by event. */
function* batches(): Generator<Rows> {
  yield { charity: organizations, gala: events.map(({ row }) => row) }
  for (const event of events) yield recordsOf(event)
}

function recordsOf(event: EventPlan): Rows {
  const scene = sceneOf(event)
  return { ...guestRows(scene), ...itemRows(scene) }
}
