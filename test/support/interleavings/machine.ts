import type { TableRow } from "./table.ts"

/** Somebody who takes steps in a fixed order, at any time. */
export interface Actor {
  readonly name: string
  /** The number of steps. */
  readonly steps: number
}

/**
 * A system whose actors' steps are merged in every order. Its states are never changed, so that merges
 * that begin in the same way share the work of their beginning.
 */
export interface Machine<State> {
  readonly actors: readonly Actor[]
  readonly start: State
  /** Returns the state after a step of an actor. */
  next(state: State, actor: number, step: number): State
  /**
   * Returns a text that is the same for two states only if they cannot be told apart from then on, by equal steps. With
   * it, merges that come to the same state also share the work of their end.
   */
  keyOf?(state: State): string
  /** Returns what is wrong after all steps, or undefined. */
  problemOf(state: State): string | undefined
  /** Returns the rows that show what happened, one per step and any number after them. */
  tell(history: readonly Moment<State>[]): readonly TableRow[]
}

/** A step that was taken, and the state after it. */
export interface Moment<State> {
  readonly actor: number
  readonly step: number
  readonly state: State
}

/** Returns the number of steps of each actor. */
export function lengthsOf({ actors }: { readonly actors: readonly Actor[] }): readonly number[] {
  return actors.map(({ steps }) => steps)
}
