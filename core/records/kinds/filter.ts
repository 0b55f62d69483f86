import type { GuestFilter } from "../../change-log/departures.ts"
import type { Projection } from "./projection.ts"

/**
 * Chooses the guests whose consent is active; with a channel, such as `email`, those whose consent has it among its
 * channels. Case and spaces do not matter. @throws {TypeError} if the channel cannot be one.
 */
export function consented(channel = ""): GuestFilter {
  const folded = typeof channel === "string" ? channel.trim().toLowerCase() : undefined
  if (folded === undefined || !/^[\w-]{0,50}$/.test(folded)) {
    throw new TypeError(`Cannot filter by the channel ${channel}: write consented("email")`)
  }
  const whom = folded === ""
    ? "whose consent is active"
    : `who consented to ${folded === "email" ? "e-mail" : folded}`
  const sentence = `Only guests ${whom}. Whoever withdraws that counts as deleted.`
  return { kind: "consented", channel: folded, sentence }
}

/**
 * Lets only some guests through, such as `where(leanGuest, consented("email"))`, in all lists of a family.
 * @throws {TypeError} if it is not a projection of guests with a filter.
 */
export function where<P extends Projection<"Guest">>(projection: P, filter: GuestFilter): P {
  if (projection?.record !== "Guest" || filter?.kind !== "consented") {
    throw new TypeError(
      'Only guests can be chosen, by their consent: write where(leanGuest, consented("email"))',
    )
  }
  if (projection.filter) throw new TypeError("A list of guests has one filter")
  return { ...projection, filter }
}
