import { type AccountName, accounts, type World } from "../world.ts"

/** Events that each organization has in the beginning, and never loses. */
const ofEach = 2

/** Returns the id of one of the events that an account may read in the beginning; there is none before the world is prepared. */
export function firstEvent(world: World, account: AccountName, index: number): string {
  const ids = accounts[account].grants.flatMap((slug) =>
    (world.events.get(slug) ?? []).slice(0, ofEach)
  )
  return ids[index] ?? ""
}
