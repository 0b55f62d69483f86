/** A system that takes one of several steps at a time. Its states are never changed. */
export interface Model<State extends object> {
  readonly start: State
  /** Returns every step that may come next, each with a sentence that says what happens. */
  next(state: State): Iterable<Step<State>>
  /** Returns what is wrong in a state, or undefined. Says nothing about states in which all is well. */
  problemOf(state: State): string | undefined
}

export interface Step<State extends object> {
  readonly does: string
  readonly state: State
}

/** What a search through all states found. */
export interface Exploration {
  /** Different states that were reached. */
  readonly states: number
  /** Steps that were taken. Many lead to states that others have reached. */
  readonly steps: number
  /** The most steps that a state is away from the start. */
  readonly depth: number
  /** The shortest way to a state that is wrong; undefined if there is none. */
  readonly counterexample: Counterexample | undefined
}

export interface Counterexample {
  readonly problem: string
  /** The sentences of its steps. */
  readonly trace: readonly string[]
}

/** How a state was reached first. */
interface Reached<State> {
  /** Undefined once its steps have been taken. */
  state: State | undefined
  readonly before: number
  readonly does: string
  readonly depth: number
}

/**
 * Visits every state that a model can reach, the nearest first, until one is wrong.
 *
 * @throws {RangeError} if there are more than `most`: a scope that is too large to be searched.
 */
export function check<State extends object>(
  model: Model<State>,
  { most = 1_000_000 }: { readonly most?: number } = {},
): Exploration {
  const texts = new Texts()
  const known = new Set([texts.of(model.start)])
  const reached: Reached<State>[] = [{ state: model.start, before: -1, does: "", depth: 0 }]
  let steps = 0
  const found = (problem: string | undefined, last: number): Exploration => ({
    states: reached.length,
    steps,
    depth: reached.at(-1)?.depth ?? 0,
    counterexample: problem === undefined ? undefined : { problem, trace: traceTo(reached, last) },
  })
  const wrong = model.problemOf(model.start)
  if (wrong !== undefined) return found(wrong, 0)
  for (let index = 0; index < reached.length; index++) {
    const from = reached[index] as Reached<State>
    const { state, depth } = from
    if (!state) continue
    from.state = undefined
    for (const next of model.next(state)) {
      steps++
      const text = texts.of(next.state)
      if (known.has(text)) continue
      known.add(text)
      reached.push({ state: next.state, before: index, does: next.does, depth: depth + 1 })
      const problem = model.problemOf(next.state)
      if (problem !== undefined) return found(problem, reached.length - 1)
      if (reached.length > most) throw new RangeError(`there are more than ${most} states`)
    }
  }
  return found(undefined, 0)
}

/** Prints a counterexample: its steps with numbers, and what is wrong after the last one. */
export function explain({ problem, trace }: Counterexample): string {
  return [...trace.map((does, index) => `${index + 1}. ${does}`), `→ ${problem}`].join("\n")
}

function traceTo(reached: readonly Reached<unknown>[], last: number): readonly string[] {
  const trace: string[] = []
  for (let index = last; index > 0;) {
    const { does, before } = reached[index] as Reached<unknown>
    trace.unshift(does)
    index = before
  }
  return trace
}

/** Writes states as JSON whose keys are sorted, so that equal states have equal texts. */
class Texts {
  /** States share most of their parts. */
  readonly #known = new WeakMap<object, string>()

  of(value: unknown): string {
    if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
    const known = this.#known.get(value)
    if (known !== undefined) return known
    const text = Array.isArray(value)
      ? `[${value.map((each) => this.of(each)).join()}]`
      : `{${
        Object.entries(value).filter(([, each]) => each !== undefined)
          .sort(([one], [other]) => one < other ? -1 : 1)
          .map(([name, each]) => `${JSON.stringify(name)}:${this.of(each)}`).join()
      }}`
    this.#known.set(value, text)
    return text
  }
}
