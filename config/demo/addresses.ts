import type { Insertable } from "kysely"
import type { AddressKind } from "../../core/data/record-tables.ts"
import type { Schema } from "../../core/data/schema.ts"
import type { Guest } from "./guest-row.ts"
import { companyName, type Place, places, streetAddress } from "./places.ts"
import { maybe, type Scene } from "./scene.ts"

/** Makes up to three addresses, in any combination of kinds. */
export function addressesOf(scene: Scene, guest: Guest): Insertable<Schema["address"]>[] {
  const { random } = scene
  const { place } = guest
  const home = random.pick(["Home", "Work"])
  return [
    maybe(scene, 0.8, () => makeAddress(scene, guest, { kind: "main", name: home, place })),
    // Each tax declaration needs an address in the country that levies the tax.
    maybe(scene, place.country === "GB" ? 0.6 : 0.1, () =>
      makeAddress(scene, guest, {
        kind: "gift_aid",
        name: "Gift Aid",
        place: placeIn("GB", place),
      })),
    maybe(scene, place.country === "US" ? 0.7 : 0.1, () =>
      makeAddress(scene, guest, {
        kind: "tax_receipt",
        name: "Tax receipt",
        place: placeIn("US", place),
      })),
  ].filter((address) => address !== null)
}

function placeIn(country: string, preferred: Place): Place {
  if (preferred.country === country) return preferred
  return places.find((place) => place.country === country) ?? preferred
}

function makeAddress(
  scene: Scene,
  { row, place: { familyFirst } }: Guest,
  { kind, name, place }: { kind: AddressKind; name: string; place: Place },
): Insertable<Schema["address"]> {
  const { random } = scene
  const [share, ...states] = place.states ?? [0]
  return {
    event_id: row.event_id,
    guest_id: row.id,
    kind,
    name,
    line1: streetAddress(place, random),
    line2: maybe(scene, 0.4, () => random.digits(random.pick(["Flat #", "Unit ##", "Floor #"]))),
    line3: maybe(scene, 0.1, () => companyName(place, random)),
    line4: maybe(scene, 0.05, () => random.digits("PO Box ####")),
    town: random.pick(place.towns),
    postcode: random.digits(place.postcode),
    state: maybe(scene, share, () => random.pick(states)),
    country: place.country,
    recipient_name: familyFirst
      ? `${row.last_name} ${row.first_name}`
      : `${row.first_name} ${row.last_name}`,
  }
}
