import { makeConsent } from "../consents.ts"
import { makeGuest } from "../guests.ts"
import { itemState } from "../item.ts"
import { homeOf, streetAddress } from "../places.ts"
import { type Platform, timeOf } from "../platform.ts"
import { pick } from "./pick.ts"
import type { Work } from "./work.ts"

/** A change of one row. Does nothing if the event has no such row. */
type Change = (work: Work) => Promise<void>

const changes: readonly { readonly weight: number; readonly value: Change }[] = [
  // A consent is given, changed or withdrawn, or nothing is known of it any more.
  { weight: 30, value: (work) => changeAttendee(work, makeConsent(work.scene)) },
  { weight: 15, value: changePhone },
  {
    weight: 10,
    value: (work) => changeAttendee(work, { texts: work.scene.random.chance(0.5) ? 1 : 0 }),
  },
  { weight: 10, value: moveHouse },
  // Some of an item are sold, or more arrive.
  {
    weight: 10,
    value: (work) => changeProduct(work, { stock: work.scene.random.between(1, 50) }, "shop"),
  },
  { weight: 10, value: changeClosing },
  // An item is sold out, withdrawn or for sale again.
  { weight: 15, value: (work) => changeProduct(work, { state: itemState(work.scene) }) },
]

/** Changes something of the event on the platform: an attendee, the person or their address, or a product. */
export async function changeSomething(work: Work): Promise<void> {
  await work.scene.random.pickWeighted(changes)(work)
}

async function changeAttendee(work: Work, values: Partial<Platform["attendee"]>): Promise<void> {
  const id = await pick(work, "attendee")
  if (id === undefined) return
  await work.db.updateTable("attendee").set(values).where("id", "=", id).execute()
}

/** The person behind an attendee has another number. */
async function changePhone(work: Work): Promise<void> {
  const { phone } = makeGuest(work.scene, 0, 0).person
  const id = await pick(work, "attendee")
  if (id === undefined) return
  await work.db.updateTable("person").set({ phone }).where("id", "=", personOf(work, id)).execute()
}

/** A person moves within the event's country. One without an address stays without. */
async function moveHouse(work: Work): Promise<void> {
  const { db, scene: { event, random } } = work
  const id = await pick(work, "attendee")
  if (id === undefined) return
  const home = homeOf(event)
  const values = { line1: streetAddress(home, random), town: random.pick(home.towns) }
  await db.updateTable("residence").set(values).where("person_id", "=", personOf(work, id))
    .where("purpose", "=", "main").execute()
}

function personOf({ db }: Work, attendee: number) {
  return db.selectFrom("attendee").select("person_id").where("id", "=", attendee)
}

/** A silent lot closes at another time. */
async function changeClosing(work: Work): Promise<void> {
  const { event, random } = work.scene
  const ends_at = timeOf(event.ends - random.between(0, 8) * 15 * 60)
  await changeProduct(work, { ends_at }, "auction")
}

async function changeProduct(
  work: Work,
  values: Partial<Platform["product"]>,
  type?: Platform["product"]["type"],
): Promise<void> {
  const id = await pick(work, "product", type)
  if (id === undefined) return
  await work.db.updateTable("product").set(values).where("id", "=", id).execute()
}
