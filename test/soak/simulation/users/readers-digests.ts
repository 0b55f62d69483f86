import type { List } from "../../../support/partner/rows.ts"
import { DigestReader } from "../readers/digest-reader.ts"
import { firstEvent } from "../readers/first-events.ts"
import { keep } from "../readers/keep.ts"
import { ListReader } from "../readers/list-reader.ts"
import type { Simulation } from "../simulation.ts"
import { type AccountName, accounts, type World } from "../world.ts"

/** Whose copies of which of the events of the account are compared. */
const copies: readonly (readonly [AccountName, event: number, List])[] = [
  ["acme-export", 0, "items"],
  ["acme-export", 1, "guests"],
  ["partner-a", 0, "guests"],
  ["partner-b", 3, "items"],
]

/** Partners who compare their copies with digests, and repair what they have damaged. */
export default function simulate(world: World): Simulation {
  const readers = copies.map(([account, event, list]) => {
    const client = world.client(account)
    return new DigestReader(
      world,
      new ListReader(world, {
        list,
        by: "cursor",
        accept: "application/json",
        limit: 1000,
        sendsTags: true,
        client,
        family: accounts[account].family,
        event: () => firstEvent(world, account, event),
        name: `${account}, ${list} of event ${event}`,
      }),
      client,
    )
  })
  return keep(world, readers, {
    weight: 0.7,
    compared: 0.5,
    invariant: "digests are those of the tables, and find what is wrong in a copy",
  })
}
