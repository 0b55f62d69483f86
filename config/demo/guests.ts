import { addressesOf } from "./addresses.ts"
import { makeConsent } from "./consents.ts"
import { companyName, type Place, places } from "./places.ts"
import { type Platform, type Rows, timeOf } from "./platform.ts"
import { maybe, type Scene } from "./scene.ts"

/** An attendee with the person, and the addresses. */
export interface Guest {
  readonly person: Platform["person"]
  readonly attendee: Platform["attendee"]
  readonly residence: readonly Platform["residence"][]
}

/** Makes the guests of an event. */
export function guestRows(scene: Scene): Rows {
  const { event } = scene
  const first = 10_000 * event.row.id + 1
  return rowsOf(
    Array.from({ length: event.guests }, (_, index) => makeGuest(scene, first + index, index)),
  )
}

/** Returns the rows of guests by table. */
export function rowsOf(guests: readonly Guest[]): Rows {
  return {
    person: guests.map(({ person }) => person),
    attendee: guests.map(({ attendee }) => attendee),
    residence: guests.flatMap(({ residence }) => residence),
  }
}

/** Makes a guest. The index is a part of the reference. */
export function makeGuest(scene: Scene, id: number, index: number): Guest {
  const { event, random, clock } = scene
  const place = choosePlace(scene)
  const forename = random.pick(place.firstNames)
  const person = {
    id,
    forename,
    surname: random.pick(place.lastNames),
    mail: emailOf(scene, place, forename),
    phone: random.digits(place.mobile),
    employer: maybe(scene, 0.3, () => companyName(place, random)),
  }
  const attendee = {
    id,
    gala_id: event.row.id,
    person_id: id,
    reference: `CRM-${event.seed}${String(index + 1).padStart(5, "0")}`,
    texts: random.chance(0.4) ? 1 : 0,
    ...makeConsent(scene),
    registered_at: timeOf(clock()),
    deleted_at: null,
  }
  return { person, attendee, residence: addressesOf(scene, person, place) }
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
