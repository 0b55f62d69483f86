import { answer } from "./answer.ts"
import type { Model, Step } from "./check.ts"
import type { Design } from "./design.ts"
import { beatOf, type Entry, stepsOf, tableOf } from "./history.ts"
import { beat, look, rememberSteps } from "./look.ts"
import { lossOf } from "./loss.ts"
import { afterAnswer, nextQuery } from "./partner.ts"
import type { Budget, Scope } from "./scope.ts"
import * as servers from "./servers.ts"
import { lookedElsewhere, reunions } from "./splits.ts"
import { contentsOf, foldOf } from "./version.ts"
import { silenceOf } from "./silence.ts"
import { canCommit, clockOf, commit, historyOf, nameOf, withMemory, type World } from "./world.ts"

type Steps = Iterable<Step<World>>

/** When everything begins. */
const noon = 10

/** Servers that replicate, a service of some design before them, and a partner of it. */
export class Replication implements Model<World> {
  readonly start: World
  readonly #design: Design
  readonly #scope: Scope

  constructor(design: Design, scope: Scope) {
    this.#design = design
    this.#scope = scope
    this.start = startOf(design, scope)
  }

  *next(world: World): Steps {
    const design = this.#design
    const scope = this.#scope
    yield* this.#spend("seconds", world, this.#seconds(world))
    if (canCommit(world)) {
      yield* this.#spend("changes", world, servers.changes(world, scope))
      yield* servers.commits(world)
      yield* this.#looks(world)
    }
    yield* this.#readings(world)
    yield* servers.applications(world, design)
    yield* this.#spend("failovers", world, servers.failovers(world, design, scope))
    yield* servers.elections(world, design)
    yield* this.#spend("jams", world, servers.jams(world))
    yield* servers.releases(world)
    yield* servers.awakenings(world)
    yield* reunions(world, design)
    yield* this.#spend("setBacks", world, this.#setBacks(world))
    yield* this.#spend("crashes", world, servers.crashes(world, this.start))
    yield* this.#spend("folds", world, this.#folds(world))
    yield* this.#spend("cachings", world, this.#cachings(world))
    yield* this.#spend("requests", world, this.#requests(world))
  }

  problemOf(world: World): string | undefined {
    return this.#wrongContent(world) ?? lossOf(world, this.#design, this.#scope) ??
      silenceOf(world, this.#design, this.#scope)
  }

  *#spend(budget: Budget, { used }: World, steps: Steps): Steps {
    const count = (used[budget] ?? 0) + 1
    if (count > (this.#scope.most[budget] ?? 0)) return
    for (const { does, state } of steps) {
      yield { does, state: { ...state, used: { ...state.used, [budget]: count } } }
    }
  }

  *#seconds(world: World): Steps {
    const later = lookedElsewhere({ ...world, time: world.time + 1 }, this.#design)
    const { missesLooks, apart } = this.#scope
    const isApart = apart?.includes("a look and its heartbeat")
    if (!canCommit(world) || missesLooks || isApart) {
      yield { does: `it is ${later.time}`, state: later }
    }
    if (!canCommit(world) || isApart) return
    const state = this.#looked(later)
    yield { does: `it is ${later.time}; ${tellBeat(state)}`, state }
  }

  /** The first look on a new primary, and looks of which each half is a step. */
  *#looks(world: World): Steps {
    const design = this.#design
    const { primary, paused, look: begun } = world
    if (this.#scope.apart?.includes("a look and its heartbeat")) {
      if (begun) {
        const state = beat(world, begun, design)
        yield { does: `the heartbeat is committed: ${tellBeat(state)}`, state }
        return
      }
      const server = paused ?? primary
      if (world.memory.reading.time === world.time) return
      const found = look(world, server, design)
      const does = `the service looks at ${nameOf(server)}: ${found.watermark}`
      const watermarks = world.histories.map((_, node) => node === server ? found.watermark : 0)
      yield {
        does,
        state: design.nextSince === "memory, before it is committed"
          ? withMemory({ ...world, look: found }, { watermarks })
          : { ...world, look: found },
      }
    } else if (beatOf(historyOf(world, primary)).by !== primary) {
      const state = this.#looked(world)
      yield { does: `the service looks at ${nameOf(primary)}; ${tellBeat(state)}`, state }
    }
    if (
      design.steps === "memory" &&
      world.memory.steps.length < stepsOf(historyOf(world, primary)).length
    ) {
      yield { does: "the service reads the steps of the clock", state: rememberSteps(world) }
    }
  }

  #looked(world: World): World {
    return beat(world, look(world, world.primary, this.#design), this.#design)
  }

  *#setBacks(world: World): Steps {
    const { primary } = world
    const clocks = world.clocks.with(primary, (world.clocks[primary] ?? 0) - 2)
    const state = { ...world, clocks }
    yield {
      does: `the clock of ${nameOf(primary)} is set back to ${clockOf(state, primary)}`,
      state,
    }
  }

  *#folds(world: World): Steps {
    const id = world.ids + 1
    const fold = foldOf(historyOf(world, world.primary), this.#design, id)
    yield this.#design.base === "in memory"
      ? {
        does: `the service keeps ${fold.upTo} as its base`,
        state: withMemory(world, { base: fold.upTo }),
      }
      : {
        does: `${nameOf(world.primary)} folds the log up to ${fold.upTo}`,
        state: commit({ ...world, ids: id }, fold),
      }
  }

  *#cachings(world: World): Steps {
    for (let node = 0; node < world.histories.length; node++) {
      const contents = contentsOf(historyOf(world, node), this.#design, world.memory.base)
      const state = { ...world, cached: { ...contents, ...world.cached } }
      yield { does: `what ${nameOf(node)} has is cached`, state }
    }
  }

  *#requests(world: World): Steps {
    for (let node = 0; node < world.histories.length; node++) {
      const step = this.#read(world, node)
      if (step) yield step
      const repaired = this.#repair(world, node)
      if (repaired) yield repaired
    }
  }

  #read(world: World, node: number): Step<World> | undefined {
    const { partner: kind } = this.#scope
    const { partner } = world
    if (!partner || !kind) return undefined
    const query = nextQuery(partner, kind)
    const got = answer(this.#design, world, node, query)
    if (!got) return undefined
    const { place, list, since } = query
    const where = "after" in place ? "by cursor" : `at ${place.offset}`
    const rows = got.rows.map(({ record, stamp }) => `${record}@${stamp}`).join(" ") || "none"
    const does = `the partner reads ${list} since ${since} ${where} on ${nameOf(node)}: ` +
      `${got.isUnchanged ? "304" : rows}, Next-Since ${got.nextSince}`
    return { does, state: { ...world, partner: afterAnswer(partner, kind, got) } }
  }

  #repair(world: World, node: number): Step<World> | undefined {
    const { partner } = world
    if (!this.#scope.partner?.repairs || !partner || partner.poll) return undefined
    const query = {
      list: "records",
      since: -1,
      limit: 9,
      place: { offset: 0 },
      tag: undefined,
    } as const
    const got = answer(this.#design, world, node, query)
    if (!got) return undefined
    const copy = Object.fromEntries(got.rows.map(({ record, id }) => [record, id]))
    const rows = got.rows.map(({ record, stamp }) => `${record}@${stamp}`).join(" ")
    const does = `the partner repairs its copy from ${nameOf(node)}: ${rows}`
    return { does, state: { ...world, partner: { ...partner, copy } } }
  }

  /** In designs that remember how far each node was. */
  *#readings(world: World): Steps {
    if (this.#design.nextSince !== "memory, for each node") return
    for (let node = 0; node < world.histories.length; node++) {
      const { watermark } = beatOf(historyOf(world, node))
      const known = world.memory.watermarks
      if (watermark <= (known[node] ?? 0)) continue
      const state = withMemory(world, { watermarks: known.with(node, watermark) })
      yield { does: `the service remembers the watermark of ${nameOf(node)}: ${watermark}`, state }
    }
  }

  #wrongContent(world: World): string | undefined {
    if (!this.#scope.most.cachings) return undefined
    for (let node = 0; node < world.histories.length; node++) {
      const contents = contentsOf(historyOf(world, node), this.#design, world.memory.base)
      for (const [key, content] of Object.entries(contents)) {
        const cached = world.cached[key]
        if (cached === undefined || cached === content) continue
        return `${key} is “${cached}” in the cache, and “${content}” on ${nameOf(node)}`
      }
    }
    return undefined
  }
}

function startOf(
  { nextSince, floorAge }: Design,
  { clocks, records, partner, isNew }: Scope,
): World {
  const changes: Entry[] = [...records].map((record, index) => {
    const number = index + 1
    return { kind: "change", id: number, seq: number, record, stamp: number, gone: false }
  })
  const top = changes.length
  const since = noon - floorAge
  const floor = isNew ? undefined : since
  const history: Entry[] = [...changes, {
    kind: "beat",
    id: top + 1,
    by: 0,
    clock: noon,
    watermark: noon,
    floor,
    top,
    step: undefined,
  }]
  const times = isNew || nextSince !== "the floor" ? [] : [noon - 2, noon - 1, noon]
  const copy = Object.fromEntries(
    tableOf(history).entries().map(([record, { id }]) => [record, id]),
  )
  const first = partner?.isNew ? { copy: {}, since: -1, tags: {} } : { copy, since, tags: {} }
  return {
    time: noon,
    clocks,
    histories: clocks.map(() => history),
    primary: 0,
    isElecting: false,
    isStuck: false,
    paused: undefined,
    split: undefined,
    backlog: [],
    open: [],
    look: undefined,
    memory: {
      reading: { clock: noon, time: noon },
      floors: times.map((time) => ({ watermark: time, time })),
      watermarks: clocks.map(() => 0),
      steps: [],
      base: 0,
    },
    partner: partner && first,
    cached: {},
    lost: [],
    before: 0,
    ids: top + 1,
    used: {},
  }
}

function tellBeat(world: World): string {
  const { by, clock, watermark, floor, step } = beatOf(historyOf(world, world.primary))
  const noted = step ? `, back from ${step.reached} to ${step.backTo}` : ""
  return `${
    nameOf(by)
  } has the heartbeat of ${clock}: watermark ${watermark}, floor ${floor}${noted}`
}
