import { answer, type Query } from "./answer.ts"
import type { Design } from "./design.ts"
import { beat, look } from "./look.ts"
import { nextQuery } from "./partner.ts"
import type { Scope } from "./scope.ts"
import { applications, elections } from "./servers.ts"
import { healed } from "./splits.ts"
import { canCommit, type World } from "./world.ts"

/** Seconds after which all polls are answered again, whatever has happened. */
const patience = 4

/**
 * Has seconds pass in which nothing else happens than what the servers and the service do by themselves. Returns which poll
 * no server answers then; undefined if all kinds are answered. A primary that cannot commit stays like that.
 */
export function silenceOf(
  world: World,
  design: Design,
  { partner: kind }: Scope,
): string | undefined {
  if (!kind || !world.partner) return undefined
  const later = settled(world, design)
  const first: Query = {
    list: "records",
    since: -1,
    limit: 1,
    place: { offset: 0 },
    tag: undefined,
  }
  const polls: Record<string, Query> = {
    "a first page": first,
    "a page at an offset": { ...first, place: { offset: 1 } },
    "the next page of the partner": nextQuery(world.partner, kind),
  }
  const silent = Object.entries(polls).find(([, query]) =>
    later.histories.every((_, node) => !answer(design, later, node, query))
  )
  return silent && `no server answers ${silent[0]} within ${patience} s`
}

function settled(world: World, design: Design): World {
  const [elected] = elections(world, design)
  let state: World = {
    ...healed(elected?.state ?? world, design),
    paused: undefined,
    look: undefined,
  }
  for (let second = 0; second < patience; second++) {
    state = { ...state, time: state.time + 1 }
    if (canCommit(state)) state = beat(state, look(state, state.primary, design), design)
    for (let [next] = applications(state, design); next;) {
      state = next.state
      ;[next] = applications(state, design)
    }
  }
  return state
}
