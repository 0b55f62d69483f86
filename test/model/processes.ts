import type { Model, Step } from "./check.ts"
import { type ClockStep, sinceBefore } from "./history.ts"

/** How several processes of the service follow the clock of one server. */
export interface ProcessDesign {
  /** Where the latest time is that a look compares its clock with. */
  readonly known: "in a row for all" | "in the memory of each process"
  /** Whether `since` is taken back to before a step of the clock. */
  readonly steps: "from the last look" | "never"
  /** Whether a look begins again if another one has written an earlier time than its own meanwhile. */
  readonly beginsAgain: boolean
  /** Seconds that a watermark stays behind the clock. */
  readonly margin: number
}

/** The design of the service. */
export const realProcesses: ProcessDesign = {
  known: "in a row for all",
  steps: "from the last look",
  beginsAgain: true,
  margin: 1,
}

/** How often each thing can happen. */
export interface ProcessScope {
  readonly seconds: number
  readonly setBacks: number
  readonly changes: number
  readonly looks: number
  readonly requests: number
  /** By how many seconds the clock is set back. */
  readonly by: number
  /** True if a change is committed later than it is stamped. */
  readonly commitsLate?: true
  /** How many of the two processes have looks in which others come between the statements. */
  readonly slow: number
}

type Budget = "seconds" | "setBacks" | "changes" | "looks" | "requests"

/** A record that was inserted. */
interface Row {
  readonly seq: number
  readonly stamp: number
  readonly isOpen: boolean
}

/** A look that has begun, and what it has found so far. */
interface Look {
  readonly does: "reads" | "notes a step" | "notes its time" | "writes" | "ends"
  readonly clock: number
  readonly known: number
  readonly top: number
  readonly steps: readonly ClockStep[]
  readonly newTop: number
  /** The stamp of the oldest open change. */
  readonly oldest: number
}

interface Process {
  readonly watermark: number
  readonly steps: readonly ClockStep[]
  /** The clock of its last look. */
  readonly clock: number
  readonly look?: Look | undefined
}

interface Request {
  readonly process: number
  readonly watermark: number
}

interface ProcessWorld {
  readonly clock: number
  readonly rows: readonly Row[]
  /** What all processes share: the latest time, and the last row of then. */
  readonly state: { readonly clock: number; readonly top: number }
  readonly steps: readonly ClockStep[]
  readonly processes: readonly Process[]
  readonly partner: {
    readonly since: number
    readonly copy: readonly number[]
    readonly request?: Request | undefined
  }
  readonly used: Readonly<Partial<Record<Budget, number>>>
}

type Steps = Iterable<Step<ProcessWorld>>

/** When everything begins. */
const noon = 10

/** Two processes with one server, whose clock is set back, and a partner that polls either process. */
export class Processes implements Model<ProcessWorld> {
  readonly start: ProcessWorld
  readonly #design: ProcessDesign
  readonly #scope: ProcessScope

  constructor(design: ProcessDesign, scope: ProcessScope) {
    this.#design = design
    this.#scope = scope
    const process = { watermark: noon - design.margin, steps: [], clock: noon }
    this.start = {
      clock: noon,
      rows: [],
      state: { clock: noon, top: 0 },
      steps: [],
      processes: [process, process],
      partner: { since: noon - design.margin, copy: [] },
      used: {},
    }
  }

  *next(world: ProcessWorld): Steps {
    const { clock, rows } = world
    yield* this.#spend("seconds", world, [this.#at(world, clock + 1)])
    yield* this.#spend("setBacks", world, [this.#at(world, clock - this.#scope.by)])
    yield* this.#spend("changes", world, [insertion(world, this.#scope.commitsLate === true)])
    for (const row of rows.filter(({ isOpen }) => isOpen)) {
      const closed = rows.with(rows.indexOf(row), { ...row, isOpen: false })
      yield { does: `#${row.seq}@${row.stamp} is committed`, state: { ...world, rows: closed } }
    }
    for (const [index, process] of world.processes.entries()) {
      const isSlow = index >= world.processes.length - this.#scope.slow
      if (process.look) yield this.#lookOn(world, index)
      else yield* this.#spend("looks", world, [this.#begin(world, index, isSlow)])
    }
    yield* this.#requests(world)
  }

  /** Has everything be committed, every process look, and the partner poll once more at each. */
  problemOf(world: ProcessWorld): string | undefined {
    // Whoever has read nothing yet reads everything.
    if (world.rows.length === 0 || !world.used.requests || world.partner.request) return undefined
    for (const last of world.processes.keys()) {
      let state: ProcessWorld = {
        ...world,
        rows: world.rows.map((row) => ({ ...row, isOpen: false })),
      }
      if (state.partner.request) state = this.#answer(state).state
      for (const later of [100, 200]) {
        state = { ...state, clock: state.clock + later }
        for (const index of state.processes.keys()) state = this.#looked(state, index)
      }
      state = this.#answer(this.#ask(state, last).state).state
      const lost = state.rows.find(({ seq }) => !state.partner.copy.includes(seq))
      if (!lost) continue
      return `#${lost.seq} was inserted at ${lost.stamp}, and the partner does not have it after one more poll`
    }
    return undefined
  }

  *#spend(budget: Budget, { used }: ProcessWorld, steps: Steps): Steps {
    const count = (used[budget] ?? 0) + 1
    if (count > this.#scope[budget]) return
    for (const { does, state } of steps) {
      yield { does, state: { ...state, used: { ...used, [budget]: count } } }
    }
  }

  #at(world: ProcessWorld, clock: number): Step<ProcessWorld> {
    return { does: `the clock shows ${clock}`, state: { ...world, clock } }
  }

  *#requests(world: ProcessWorld): Steps {
    if (world.partner.request) {
      yield this.#answer(world)
      return
    }
    for (const process of world.processes.keys()) {
      yield* this.#spend("requests", world, [this.#ask(world, process)])
    }
  }

  #ask(world: ProcessWorld, process: number): Step<ProcessWorld> {
    const { watermark } = world.processes[process] as Process
    const { partner } = world
    return {
      does: `the partner asks ${nameOf(process)} for all since ${partner.since}`,
      state: { ...world, partner: { ...partner, request: { process, watermark } } },
    }
  }

  #answer(world: ProcessWorld): Step<ProcessWorld> {
    const { since, copy, request } = world.partner
    if (!request) throw new TypeError("nothing was asked")
    const now = world.processes[request.process] as Process
    // As the service does: the watermark of before the reading, and the steps of after it.
    const nextSince = request.watermark
    const from = this.#design.steps === "never" ? since : sinceBefore(since, now.steps)
    const found = world.rows.filter(({ isOpen, stamp }) => !isOpen && stamp >= from)
    const all = new Set([...copy, ...found.map(({ seq }) => seq)])
    return {
      does: `it gets ${found.map(({ seq }) => `#${seq}`).join(" ") || "nothing"} since ${from}; ` +
        `Next-Since ${nextSince}`,
      state: {
        ...world,
        partner: { since: nextSince, copy: [...all].toSorted((a, b) => a - b) },
      },
    }
  }

  #begin(world: ProcessWorld, index: number, isSlow: boolean): Step<ProcessWorld> {
    if (isSlow) return this.#lookAt(world, index)
    const state = this.#looked(world, index)
    const { watermark, steps } = state.processes[index] as Process
    const does = `${nameOf(index)} looks: watermark ${watermark}, ${steps.length} steps`
    return { does, state }
  }

  #looked(world: ProcessWorld, index: number): ProcessWorld {
    let state = world.processes[index]?.look ? world : this.#lookAt(world, index).state
    while (state.processes[index]?.look) state = this.#lookOn(state, index).state
    return state
  }

  /** Reads the clock, and what all processes know. */
  #lookAt(world: ProcessWorld, index: number): Step<ProcessWorld> {
    const { clock, state, steps } = world
    const known = this.#design.known === "in a row for all"
      ? state.clock
      : (world.processes[index] as Process).clock
    const look: Look = {
      ...{ does: "reads", clock, known, top: state.top, steps },
      ...{ newTop: 0, oldest: Infinity },
    }
    return {
      does: `${nameOf(index)} looks: it is ${clock}, and ${known} was known`,
      state: withProcess(world, index, { look }),
    }
  }

  #lookOn(world: ProcessWorld, index: number): Step<ProcessWorld> {
    const { margin } = this.#design
    const { look } = world.processes[index] as Process
    if (!look) throw new TypeError("no look has begun")
    const { clock, known } = look
    const name = nameOf(index)
    const on = (state: ProcessWorld, part: Partial<Look>) =>
      withProcess(state, index, { look: { ...look, ...part } })
    if (look.does === "reads") {
      const newTop = Math.max(0, ...world.rows.map(({ seq }) => seq))
      const oldest = Math.min(
        clock,
        ...world.rows.filter(({ isOpen }) => isOpen).map(({ stamp }) => stamp),
      )
      const added = world.rows.filter(({ seq }) => seq > look.top).map(({ stamp }) => stamp)
      const earliest = Math.min(clock, ...added)
      const reached = known > 0 ? known : earliest
      const isBack = earliest < known - margin
      const step = { reached, backTo: Math.min(earliest, reached) - margin }
      const part = { newTop, oldest, steps: isBack ? [...look.steps, step] : look.steps }
      return {
        does: `${name} reads the log up to #${newTop}`,
        state: on(world, { ...part, does: isBack ? "notes a step" : "writes" }),
      }
    }
    if (look.does === "notes a step") {
      const step = look.steps.at(-1) as ClockStep
      return {
        does: `${name} notes that the clock was set back from ${step.reached} to ${step.backTo}`,
        state: on({ ...world, steps: withStep(world.steps, step) }, { does: "notes its time" }),
      }
    }
    if (look.does === "notes its time") {
      const isSame = world.state.clock === known
      const state = isSame ? { ...world.state, clock: 0 } : world.state
      return {
        does: isSame ? `${name} forgets the time ${known}` : `${name} leaves the time as it is`,
        state: on({ ...world, state }, { does: "writes" }),
      }
    }
    if (look.does === "writes") {
      if (clock === known || world.state.clock >= clock) {
        return { does: `${name} writes nothing`, state: on(world, { does: "ends" }) }
      }
      const isSame = world.state.clock === known || world.state.clock === 0
      if (!isSame && this.#design.beginsAgain) return this.#lookAt(world, index)
      const state = { ...world, state: { clock, top: look.newTop } }
      return { does: `${name} writes the time ${clock}`, state: on(state, { does: "ends" }) }
    }
    const watermark = look.oldest - margin
    return {
      does: `${name} has the watermark ${watermark} and ${look.steps.length} steps`,
      state: withProcess(world, index, { look: undefined, watermark, steps: look.steps, clock }),
    }
  }
}

function insertion(world: ProcessWorld, isOpen: boolean): Step<ProcessWorld> {
  const row = { seq: world.rows.length + 1, stamp: world.clock, isOpen }
  return {
    does: `#${row.seq}@${row.stamp} is inserted${isOpen ? ", not committed" : ""}`,
    state: { ...world, rows: [...world.rows, row] },
  }
}

/** Keeps the earliest `backTo` of each `reached`. */
function withStep(steps: readonly ClockStep[], step: ClockStep): readonly ClockStep[] {
  const same = steps.find(({ reached }) => reached === step.reached)
  if (!same) return [...steps, step]
  const backTo = Math.min(same.backTo, step.backTo)
  return steps.with(steps.indexOf(same), { ...same, backTo })
}

function withProcess(world: ProcessWorld, index: number, part: Partial<Process>): ProcessWorld {
  const process = { ...world.processes[index] as Process, ...part }
  return { ...world, processes: world.processes.with(index, process) }
}

function nameOf(process: number): string {
  return process === 0 ? "P" : "Q"
}
