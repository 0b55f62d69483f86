import type { Actor, Machine, Moment } from "../machine.ts"
import type { TableRow } from "../table.ts"
import {
  apply,
  type Base,
  commitBase,
  commitRow,
  committedPart,
  contentsOf,
  emptyLog,
  handOut,
  type Log,
  rollBackRow,
  writeRow,
} from "./log.ts"
import { findBase, type VersionDesign, versionOf } from "./version-design.ts"

/** A step of a writer, of the service, of a server that takes over or follows, or of a reader. */
export type VersionStep =
  | "begin"
  | "write the row"
  | "commit"
  | "roll back"
  | "find a base"
  | "move the base"
  | "copy"
  | "fail over"
  | "apply the next commit"
  | `apply ${string}`
  | "request"
  | "request from the other instance"
  | "request from the follower"

/** Programs by the names of their actors. */
export type VersionScenario = Readonly<Record<string, readonly VersionStep[]>>

/** The state of two servers, and of all who have seen a version. */
export interface VersionState {
  readonly steps: number
  readonly primary: Log
  /** The server that takes over, or follows. */
  readonly other: Log
  readonly failovers: number
  /** By actor: the number of failovers when its transaction began, or its base was found. */
  readonly begun: Readonly<Record<string, number>>
  readonly found: Readonly<Record<string, Base>>
  /** The contents under each version that a reader has seen: its cached page. */
  readonly cached: Readonly<Record<string, string>>
  readonly got: string
  readonly problem: string | undefined
}

/** Merges writers with the upkeep of versions, and caches contents under the version. */
export class VersionMachine implements Machine<VersionState> {
  readonly actors: readonly Actor[]
  readonly start: VersionState = {
    steps: 0,
    primary: emptyLog,
    other: emptyLog,
    failovers: 0,
    begun: {},
    found: {},
    cached: {},
    got: "",
    problem: undefined,
  }
  readonly #design: VersionDesign
  readonly #programs: readonly (readonly [name: string, steps: readonly VersionStep[]])[]

  constructor(design: VersionDesign, scenario: VersionScenario) {
    this.#design = design
    this.#programs = Object.entries(scenario)
    this.actors = this.#programs.map(([name, { length: steps }]) => ({ name, steps }))
  }

  next(before: VersionState, actor: number, step: number): VersionState {
    const [name, does] = this.#stepOf(actor, step)
    const state = { ...before, steps: before.steps + 1, got: "" }
    const { primary, other, failovers, found } = state
    const isOurs = state.begun[name] === failovers
    const begun = { ...state.begun, [name]: failovers }
    switch (does) {
      case "begin":
        return { ...state, begun, primary: handOut(primary, name) }
      case "write the row":
        // Marks are random: powers of two have different sums.
        return isOurs ? { ...state, primary: writeRow(primary, name, 2 ** state.steps) } : state
      case "commit":
        return isOurs ? { ...state, primary: commitRow(primary, name) } : state
      case "roll back":
        return isOurs ? { ...state, primary: rollBackRow(primary, name) } : state
      case "find a base": {
        const base = findBase(this.#design, primary)
        return { ...state, begun, found: { ...found, [name]: base }, got: `up to ${base.upTo}` }
      }
      case "move the base": {
        const base = found[name]
        if (!base || (!isOurs && !this.#design.survivesFailover)) return state
        if (this.#design.base === "in memory") return state
        return { ...state, primary: commitBase(primary, base) }
      }
      case "copy":
        return { ...state, other: committedPart(primary) }
      case "fail over":
        return { ...state, primary: other, failovers: failovers + 1 }
      case "request":
        return this.#request(state, primary, found["instance"]?.upTo)
      case "request from the other instance":
        return this.#request(state, primary, found["other instance"]?.upTo)
      case "request from the follower":
        return this.#request(state, other, 0)
      default:
        return { ...state, other: follow(state, does) }
    }
  }

  problemOf({ problem }: VersionState): string | undefined {
    return problem
  }

  tell(history: readonly Moment<VersionState>[]): readonly TableRow[] {
    return history.map(({ actor, step, state }) => {
      const [, does] = this.#stepOf(actor, step)
      return { clock: state.steps, actor, does, got: state.got }
    })
  }

  #stepOf(actor: number, step: number): readonly [name: string, step: VersionStep] {
    const [name, steps] = this.#programs[actor] ?? ["", []]
    return [name, steps[step] ?? "request"]
  }

  /** Reads contents with their version. A reader that has seen the version keeps what it has. */
  #request(state: VersionState, log: Log, memory = 0): VersionState {
    const version = versionOf(this.#design, log, memory)
    const contents = contentsOf(log)
    const known = state.cached[version]
    const got = `version ${version} of ${contents || "nothing"}`
    if (known === undefined) {
      return { ...state, cached: { ...state.cached, [version]: contents }, got }
    }
    if (known === contents) return { ...state, got: `${got}: 304` }
    const problem = state.problem ?? `version ${version} is of "${known}" and of "${contents}"`
    return { ...state, got: `${got}: 304, although it has ${known || "nothing"}`, problem }
  }
}

/** Applies a commit of the primary to its follower: the next one, or that of an actor. */
function follow({ primary, other }: VersionState, does: VersionStep): Log {
  const missing = primary.commits.filter((commit) => !other.commits.includes(commit))
  const wanted = does.slice("apply ".length)
  const commit = does === "apply the next commit"
    ? missing[0]
    : missing.find((each) => "base" in each ? wanted === "base" : each.writer === wanted)
  return commit ? apply(other, commit) : other
}
