import { companyName, type Place, places, streetAddress } from "./places.ts"
import type { Platform, Purpose } from "./platform.ts"
import { maybe, type Scene } from "./scene.ts"

type Residence = Platform["residence"]

/** Makes up to three addresses of a person who lives at a place, for any combination of purposes. */
export function addressesOf(
  scene: Scene,
  person: Platform["person"],
  place: Place,
): readonly Residence[] {
  const { random } = scene
  const make = (purpose: Purpose, label: string, at = place) =>
    makeAddress(scene, person, { purpose, label, place: at })
  const home = random.pick(["Home", "Work"])
  return [
    maybe(scene, 0.8, () => make("main", home)),
    // Each tax declaration needs an address in the country that levies the tax.
    maybe(
      scene,
      place.country === "GB" ? 0.6 : 0.1,
      () => make("gift aid", "Gift Aid", placeIn("GB", place)),
    ),
    maybe(
      scene,
      place.country === "US" ? 0.7 : 0.1,
      () => make("tax receipt", "Tax receipt", placeIn("US", place)),
    ),
  ].filter((address) => address !== null)
}

function placeIn(country: string, preferred: Place): Place {
  if (preferred.country === country) return preferred
  return places.find((place) => place.country === country) ?? preferred
}

function makeAddress(
  scene: Scene,
  { id, forename, surname }: Platform["person"],
  { purpose, label, place }: {
    readonly purpose: Purpose
    readonly label: string
    readonly place: Place
  },
): Residence {
  const { random } = scene
  const [share, ...states] = place.states ?? [0]
  return {
    person_id: id,
    purpose,
    label,
    line1: streetAddress(place, random),
    line2: maybe(scene, 0.4, () => random.digits(random.pick(["Flat #", "Unit ##", "Floor #"]))),
    line3: maybe(scene, 0.1, () => companyName(place, random)),
    line4: maybe(scene, 0.05, () => random.digits("PO Box ####")),
    town: random.pick(place.towns),
    postcode: random.digits(place.postcode),
    county: maybe(scene, share, () => random.pick(states)),
    country: place.country,
    recipient: place.familyFirst ? `${surname} ${forename}` : `${forename} ${surname}`,
  }
}
