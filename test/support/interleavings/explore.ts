import { lengthsOf, type Machine } from "./machine.ts"

/** What a search through all merges found. */
export interface Exploration {
  /** The merges that were played: all, unless one failed. */
  readonly merges: number
  /** The steps that were taken. A step that merges share counts once, one that leads to a known state as well. */
  readonly nodes: number
  /** The first merge that fails. */
  readonly failure: { readonly index: number; readonly problem: string } | undefined
}

/** Plays all merges of a machine in the order of their indexes, until one fails. */
export function explore<State>(machine: Machine<State>): Exploration {
  const lengths = lengthsOf(machine)
  const taken = lengths.map(() => 0)
  const total = lengths.reduce((sum, length) => sum + length, 0)
  let merges = 0
  let nodes = 0
  let failure: Exploration["failure"]
  /** The merges that go on from a state that was visited, none of which fails. */
  const visited = new Map<string, number>()

  const visit = (state: State, depth: number): void => {
    const key = machine.keyOf && `${taken} ${machine.keyOf(state)}`
    const known = key === undefined ? undefined : visited.get(key)
    if (known !== undefined) {
      merges += known
      return
    }
    const before = merges
    visitAnew(state, depth)
    if (key !== undefined) visited.set(key, merges - before)
  }
  const visitAnew = (state: State, depth: number): void => {
    if (depth === total) {
      const problem = machine.problemOf(state)
      if (problem !== undefined) failure = { index: merges, problem }
      merges++
      return
    }
    for (let actor = 0; actor < lengths.length; actor++) {
      const step = taken[actor] as number
      if (step === lengths[actor]) continue
      taken[actor] = step + 1
      nodes++
      visit(machine.next(state, actor, step), depth + 1)
      taken[actor] = step
      if (failure) return
    }
  }
  visit(machine.start, 0)
  return { merges, nodes, failure }
}
