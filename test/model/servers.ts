import type { Step } from "./check.ts"
import type { Design } from "./design.ts"
import { type Change, changesOf, missingIn, tableOf, topOf } from "./history.ts"
import type { Failover, Scope } from "./scope.ts"
import { clockOf, commit, historyOf, nameOf, tell, withHistory, type World } from "./world.ts"

type Steps = Iterable<Step<World>>

/** Writers change records on the primary. */
export function* changes(world: World, { changes, apart }: Scope): Steps {
  const { primary, open, ids } = world
  const here = historyOf(world, primary)
  for (const text of changes) {
    const record = text.replace("-", "")
    const gone = text.startsWith("-")
    if (open.some((change) => change.record === record)) continue
    if (gone && tableOf(here).get(record)?.gone !== false) continue
    const change: Change = {
      kind: "change",
      id: ids + 1,
      seq: Math.max(topOf(here), ...open.map(({ seq }) => seq)) + 1,
      record,
      stamp: clockOf(world, primary),
      gone,
    }
    const state = { ...world, ids: ids + 1 }
    yield apart?.includes("a change and its commit")
      ? {
        does: `${nameOf(primary)} begins ${tell(change)}`,
        state: { ...state, open: [...open, change] },
      }
      : { does: `${nameOf(primary)} commits ${tell(change)}`, state: commit(state, change) }
  }
}

/** Open changes are committed, in any order. */
export function* commits(world: World): Steps {
  for (const change of world.open) {
    const open = world.open.filter((other) => other !== change)
    const does = `${nameOf(world.primary)} commits ${tell(change)}`
    yield { does, state: commit({ ...world, open }, change) }
  }
}

/** Replicas apply what the primary has committed, and a new primary what it had received before. */
export function* applications(world: World, { appliers }: Design): Steps {
  for (let node = 0; node < world.histories.length; node++) {
    if (node === world.primary || node === world.paused || node === world.split?.node) continue
    const here = historyOf(world, node)
    const missing = missingIn(here, historyOf(world, world.primary))
    for (const entry of appliers === "in any order" ? missing : missing.slice(0, 1)) {
      yield {
        does: `${nameOf(node)} applies ${tell(entry)}`,
        state: withHistory(world, node, [...here, entry]),
      }
    }
  }
  const [next, ...backlog] = world.backlog
  if (next) {
    const does = `${nameOf(world.primary)} applies ${tell(next)}, which it had received`
    yield { does, state: commit({ ...world, backlog }, next) }
  }
}

/** Another server becomes the primary. */
export function* failovers(world: World, design: Design, { failovers = [] }: Scope): Steps {
  if (world.isElecting || world.split) return
  for (const kind of failovers) {
    if (kind === "election") {
      const state = { ...world, open: [], look: undefined, isElecting: true, isStuck: false }
      yield { does: `${nameOf(world.primary)} is killed`, state }
      continue
    }
    for (let node = 0; node < world.histories.length; node++) {
      const state = node === world.primary ? undefined : afterFailover(world, node, kind, design)
      if (state) {
        yield { does: `${tellFailover(world, kind)}, and ${nameOf(node)} takes over`, state }
      }
    }
  }
}

/** A group that has lost its primary elects another one. */
export function* elections(world: World, design: Design): Steps {
  if (!world.isElecting) return
  for (let node = 0; node < world.histories.length; node++) {
    const state = node === world.primary
      ? undefined
      : afterFailover(world, node, "election", design)
    if (state) yield { does: `${nameOf(node)} is elected`, state }
  }
}

/** The primary cannot commit any more: its disk is full or hangs, or somebody has locked it. */
export function* jams(world: World): Steps {
  if (world.isElecting || world.isStuck) return
  yield { does: `${nameOf(world.primary)} cannot commit`, state: { ...world, isStuck: true } }
}

/** The primary can commit again. */
export function* releases(world: World): Steps {
  if (!world.isStuck) return
  yield { does: `${nameOf(world.primary)} can commit again`, state: { ...world, isStuck: false } }
}

/** The former primary learns that it is not the primary any more. */
export function* awakenings(world: World): Steps {
  const { paused } = world
  if (paused === undefined) return
  yield { does: `${nameOf(paused)} learns of the failover`, state: { ...world, paused: undefined } }
}

/** A replica crashes, and has lost what it applied last. */
export function* crashes(world: World, start: World): Steps {
  for (let node = 0; node < world.histories.length; node++) {
    const here = historyOf(world, node)
    const last = here.at(-1)
    if (!last || node === world.primary || here.length <= historyOf(start, node).length) continue
    const state = withHistory(world, node, here.slice(0, -1))
    yield { does: `${nameOf(node)} crashes, and comes back without ${tell(last)}`, state }
  }
}

function afterFailover(
  world: World,
  node: number,
  kind: Failover,
  { newPrimary }: Design,
): World | undefined {
  const { primary, memory: { reading }, time } = world
  const here = historyOf(world, node)
  const missing = missingIn(here, historyOf(world, primary))
  const state = {
    ...world,
    primary: node,
    isElecting: false,
    isStuck: false,
    open: [],
    look: undefined,
  }
  if (kind === "loss") {
    if (missing.length === 0) return undefined
    const lost = [...world.lost, ...changesOf(missing)]
    // The former primary has to be copied anew.
    return { ...withHistory(state, primary, here), lost, before: world.ids }
  }
  // A primary that still writes heartbeats is not replaced without being told.
  if (kind === "pause" && reading.time === time) return undefined
  const after = kind === "pause"
    ? { ...state, paused: primary }
    : kind === "split"
    ? { ...state, split: { node: primary, memory: world.memory } }
    : state
  return newPrimary === "at once"
    ? { ...after, backlog: missing }
    : withHistory(after, node, [...here, ...missing])
}

function tellFailover(world: World, kind: Failover): string {
  const primary = nameOf(world.primary)
  if (kind === "pause") return `${primary} is paused`
  if (kind === "split") return `${primary} is not fenced, and another process goes on with it`
  return kind === "loss" ? `${primary} is lost with what it has not sent` : `${primary} steps down`
}
