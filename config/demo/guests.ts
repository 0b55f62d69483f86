import { addressesOf } from "./addresses.ts"
import { consentOf } from "./consents.ts"
import type { Guest } from "./guest-row.ts"
import type { Rows } from "./insert-rows.ts"
import type { Place } from "./places.ts"
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
  const { event, faker, clock } = scene
  const place = choosePlace(scene)
  const sex = faker.person.sexType()
  const firstName = place.people.person.firstName(sex)
  const lastName = place.people.person.lastName(sex)
  const row = {
    event_id: event.row.id,
    id: faker.string.uuid(),
    first_name: firstName,
    last_name: lastName,
    email: emailOf(scene, place, { firstName, lastName }),
    mobile: place.mobile.replace(/#/g, () => faker.string.numeric()),
    external_id: `CRM-${event.seed}${String(index + 1).padStart(5, "0")}`,
    sms_opt_in: faker.datatype.boolean(0.4) ? 1 : 0,
    company_name: maybe(scene, 0.3, () => place.people.company.name()),
    ...(index < event.regulars ? clock.longAgo() : clock.recent()),
  }
  return { row, place }
}

function choosePlace({ event, faker, places }: Scene): Place {
  return faker.helpers.weightedArrayElement(
    places.map((value) => ({ value, weight: value.country === event.home ? 10 : 1 })),
  )
}

function emailOf(
  { faker }: Scene,
  { people, namesInEmail }: Place,
  name: { firstName: string; lastName: string },
): string {
  const provider = faker.helpers.arrayElement(["example.com", "example.org"])
  const email = namesInEmail
    ? people.internet.email({ ...name, provider })
    : `${faker.word.adjective()}.${faker.word.noun()}${faker.string.numeric(2)}@${provider}`
  return email.toLowerCase()
}
