import { addressesOf } from "./addresses.ts"
import { consentOf } from "./consents.ts"
import type { Guest } from "./guest-row.ts"
import type { Rows } from "./insert-rows.ts"
import { companyName, type Place, places } from "./places.ts"
import { maybe, type Scene } from "./scene.ts"

/** Makes the guests of an event. Their consent records and addresses come first. */
export function guestRows(scene: Scene): Rows {
  const guests = Array.from({ length: scene.event.guests }, (_, index) => makeGuest(scene, index))
  return {
    consent: guests.flatMap((guest) => consentOf(scene, guest) ?? []),
    address: guests.flatMap((guest) => addressesOf(scene, guest)),
    guest: guests.map((guest) => guest.row),
  }
}

/** Makes a guest, without consent and addresses. The index is a part of the external id. */
export function makeGuest(scene: Scene, index: number): Guest {
  const { event, random, clock } = scene
  const place = choosePlace(scene)
  const firstName = random.pick(place.firstNames)
  const lastName = random.pick(place.lastNames)
  const row = {
    event_id: event.row.id,
    id: random.uuid(),
    first_name: firstName,
    last_name: lastName,
    email: emailOf(scene, place, firstName),
    mobile: random.digits(place.mobile),
    external_id: `CRM-${event.seed}${String(index + 1).padStart(5, "0")}`,
    sms_opt_in: random.chance(0.4) ? 1 : 0,
    company_name: maybe(scene, 0.3, () => companyName(place, random)),
    ...(index < event.regulars ? clock.longAgo() : clock.recent()),
  }
  return { row, place }
}

function choosePlace({ event, random }: Scene): Place {
  return random.pickWeighted(
    places.map((value) => ({ value, weight: value.country === event.home ? 10 : 1 })),
  )
}

function emailOf({ random }: Scene, { latin }: Place, firstName: string): string {
  const name = latin ? random.pick(latin) : firstName
  const plain = name.toLowerCase().replaceAll("ø", "o").replaceAll("ł", "l")
    .normalize("NFD").replaceAll(/[^a-z]/g, "")
  return random.digits(`${plain}.####@${random.pick(["example.com", "example.org"])}`)
}
