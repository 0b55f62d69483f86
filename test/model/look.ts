import type { Design } from "./design.ts"
import { beatOf, changesOf, stepsOf } from "./history.ts"
import { clockOf, commit, historyOf, type Look, withMemory, type World } from "./world.ts"

/** Looks which changes are open on a server. */
export function look(world: World, node: number, { takeover }: Design): Look {
  const here = historyOf(world, node)
  const clock = clockOf(world, node)
  const open = node === world.primary ? world.open : []
  const rows = [...changesOf(here), ...open]
  const known = beatOf(here)
  const earliest = Math.min(
    clock,
    ...rows.filter(({ seq }) => seq > known.top).map(({ stamp }) => stamp),
  )
  const isAnother = takeover !== undefined && known.by !== node
  const around = takeover ?? 0
  const step = isAnother || earliest < known.clock
    ? {
      reached: Math.max(known.clock, clock) + around,
      backTo: Math.min(earliest, known.clock) - around,
    }
    : undefined
  return {
    node,
    clock,
    watermark: Math.min(clock, ...open.map(({ stamp }) => stamp)),
    top: Math.max(0, ...rows.map(({ seq }) => seq)),
    step,
  }
}

/** Commits the heartbeat of a look, unless its server is no longer the primary, or another look was as late. */
export function beat(
  world: World,
  { node, clock, watermark, top, step }: Look,
  design: Design,
): World {
  const read = withMemory({ ...world, look: undefined }, { reading: { clock, time: world.time } })
  if (node !== world.primary) return { ...world, look: undefined }
  const former = beatOf(historyOf(world, node))
  if (clock <= former.clock && !step) return read
  const floor = floorOf(world, former.floor, watermark, design)
  const id = world.ids + 1
  const state = commit({ ...read, ids: id }, {
    kind: "beat",
    id,
    by: node,
    clock,
    watermark,
    floor,
    top,
    step,
  })
  const floors = world.memory.floors.at(-1)
  const older = floors && watermark < floors.watermark ? [] : world.memory.floors
  const known = [...older, { watermark, time: world.time }]
  const old = known.findLastIndex(({ time }) => time <= world.time - design.floorAge)
  return withMemory(state, {
    floors: design.nextSince === "the floor" ? known.slice(Math.max(0, old)) : [],
  })
}

function floorOf(
  { time, memory: { floors } }: World,
  former: number | undefined,
  watermark: number,
  { floorAge }: Design,
): number | undefined {
  const old = floors.findLast((each) => each.time <= time - floorAge)?.watermark
  const known = [former, old].filter((each) => each !== undefined)
  return known.length === 0 ? undefined : Math.min(watermark, Math.max(...known))
}

/** Has the service remember the steps of the clock that the primary knows. */
export function rememberSteps(world: World): World {
  return withMemory(world, { steps: stepsOf(historyOf(world, world.primary)) })
}
