import { type FeedDesign, type FeedStep, playFeed } from "../../feed/feed-model.ts"
import type { Actor, Machine, Moment } from "../machine.ts"
import type { TableRow } from "../table.ts"

/** What is merged: the steps of writers, of the service's looks, and of a client of the feed. */
export interface FeedScenario {
  readonly servers: number
  /** What has happened before. */
  readonly before: readonly FeedStep[]
  readonly actors: Readonly<Record<string, readonly FeedStep[]>>
  /** Seconds from each step to the next, over and over. */
  readonly ticks: readonly number[]
}

/** Merges writers with a client of a feed of some design. A state is all the steps so far. */
export class FeedMachine implements Machine<readonly FeedStep[]> {
  readonly actors: readonly Actor[]
  readonly start: readonly FeedStep[] = []
  readonly #design: FeedDesign
  readonly #scenario: FeedScenario

  constructor(design: FeedDesign, scenario: FeedScenario) {
    this.#design = design
    this.#scenario = scenario
    this.actors = Object.entries(scenario.actors).map(([name, steps]) => ({
      name,
      steps: steps.length,
    }))
  }

  next(state: readonly FeedStep[], actor: number, step: number): readonly FeedStep[] {
    const { actors, ticks } = this.#scenario
    const seconds = ticks[state.length / 2 % ticks.length] ?? 0
    const [, steps = []] = Object.entries(actors)[actor] ?? []
    return [...state, steps[step] as FeedStep, { do: "wait", seconds }]
  }

  problemOf(state: readonly FeedStep[]): string | undefined {
    const { servers, before } = this.#scenario
    try {
      const played = playFeed(
        { servers, startsNow: false, steps: [...before, ...state] },
        this.#design,
      )
      const [copy, truth] = [played.copy.join("; "), played.truth.join("; ")]
      return copy === truth ? undefined : `${copy} is in the copy and ${truth} in the table`
    } catch (error) {
      return (error as Error).message
    }
  }

  tell(history: readonly Moment<readonly FeedStep[]>[]): readonly TableRow[] {
    return history.map(({ actor, state }, index) => ({
      clock: index,
      actor,
      does: JSON.stringify(state.at(-2)),
      got: "",
    }))
  }
}
