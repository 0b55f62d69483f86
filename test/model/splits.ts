import type { Step } from "./check.ts"
import type { Design } from "./design.ts"
import { beatOf, sinceBefore, stepsOf } from "./history.ts"
import { beat, look } from "./look.ts"
import { clockOf, commit, historyOf, nameOf, seenFrom, withHistory, type World } from "./world.ts"

type Steps = Iterable<Step<World>>

/** The process that goes on with a former primary learns of the present one. */
export function* reunions(world: World, design: Design): Steps {
  const { split, primary } = world
  if (!split) return
  const former = nameOf(split.node)
  yield {
    does: `${former} is fenced and copied anew, and the other process looks at ${nameOf(primary)}`,
    state: healed(world, design),
  }
}

/** Until then, it writes heartbeats there. */
export function lookedElsewhere(world: World, design: Design): World {
  const { split, primary, memory, open } = world
  if (!split) return world
  const own = seenFrom(world, split.node)
  const after = beat(own, look(own, split.node, design), design)
  return { ...after, primary, memory, open, split: { ...split, memory: after.memory } }
}

/** Ends a split. What the former primary has alone is lost. */
export function healed(world: World, design: Design): World {
  const { split, primary } = world
  if (!split) return world
  const known = stepsOf(historyOf(world, split.node))
  const looked = beat(world, look(world, primary, design), design)
  const steps = stepsOf(historyOf(looked, primary))
  const missed = steps.filter((step) => !known.some(({ reached }) => reached === step.reached))
  const backTo = Math.min(...missed.map((step) => step.backTo))
  const { clock } = split.memory.reading
  const isNoted = design.splits === "are noted" && backTo < sinceBefore(clock, steps)
  const reached = Math.max(clock, clockOf(world, primary)) + (design.takeover ?? 0)
  const last = beatOf(historyOf(looked, primary))
  const noted = isNoted
    ? commit({ ...looked, ids: looked.ids + 1 }, {
      ...last,
      id: looked.ids + 1,
      step: { reached, backTo },
    })
    : looked
  return withHistory({ ...noted, split: undefined }, split.node, historyOf(noted, primary))
}
