import type { List } from "../../../support/partner/rows.ts"
import { EventsReader } from "../readers/events-reader.ts"
import { FeedKeeper } from "../readers/feed-keeper.ts"
import { keep, type Keeper } from "../readers/keep.ts"
import { ListReader } from "../readers/list-reader.ts"
import type { Simulation } from "../simulation.ts"
import { type AccountName, accounts, type World } from "../world.ts"

const watchers: readonly (readonly [AccountName, by: "feed" | "lists"])[] = [
  ["acme-export", "feed"],
  ["partner-a", "lists"],
  ["partner-b", "feed"],
  ["partner-c", "lists"],
]

/** Partners who keep copies of all their events, and find out by the list of events which to poll. */
export default function simulate(world: World): Simulation {
  const readers = watchers.map(([account, by]) => {
    const { family } = accounts[account]
    const client = world.client(account)
    const lists: readonly List[] = account === "partner-a" ? ["guests"] : ["guests", "items"]
    const begin = (id: string): readonly Keeper[] => {
      const common = { client, family, event: () => id, name: `${account}, all events by ${by},` }
      const accept = "application/json"
      if (by === "feed") return [new FeedKeeper(world, { ...common, accept, lists, limit: 200 })]
      return lists.map((list) =>
        new ListReader(world, {
          ...common,
          accept,
          list,
          by: "cursor",
          limit: 100,
          sendsTags: true,
        })
      )
    }
    return new EventsReader(world, {
      client,
      family,
      name: `${account}, all events by ${by},`,
      limit: by === "feed" ? 2 : 100,
      begin,
    })
  })
  return keep(world, readers, {
    weight: 1,
    compared: 0.5,
    invariant: "who follows the list of events misses no change",
  })
}
