import { Random } from "../../../support/random.ts"
import { type Simulation, type Step, Violation } from "../simulation.ts"
import type { World } from "../world.ts"
import { isPassing, NotNow } from "./asking.ts"

/** A program of a partner that keeps a copy. */
export interface Keeper {
  /** Who it is in the story. */
  readonly name: string
  /** Where it is, in a few words. */
  readonly state: string
  /** True if it was interrupted in a poll, and goes on with it next. */
  readonly isInterrupted: boolean
  /** False while its filter changes, so that tables have what no poll has to know yet. */
  readonly isComparable?: boolean
  /** Forgets what it has not stored, as when it is killed. */
  crash(): void
  /**
   * Reads until a poll is finished. If it is calm, it does nothing that disturbs that.
   * @throws {NotNow} {TypeError} if that fails now. @throws {Violation}
   */
  poll(random: Random, isCalm?: boolean): Promise<void>
  /** Returns the first differences of its copy from the tables, while nobody writes. */
  differences(): Promise<readonly string[]>
}

interface KeepOptions {
  readonly weight: number
  /** How many of them are compared at each rest; 0.5 is one at every second. */
  readonly compared: number
  /** The name of the invariant. */
  readonly invariant: string
}

/** How often a poll is repeated when nothing fails any more. */
const mostAttempts = 20

/** Lets programs poll at any moment, and compares their copies with the tables whenever nobody writes. */
export function keep(
  world: World,
  keepers: readonly Keeper[],
  { weight, compared, invariant }: KeepOptions,
): Simulation {
  const busy = new Set<Keeper>()
  let turn = 0
  let due = 0

  const step = (keeper: Keeper): Step => ({
    name: `${keeper.name} polls`,
    weight,
    async run(random) {
      if (busy.has(keeper)) return "is still at it"
      busy.add(keeper)
      try {
        if (random.below(8) === 0) keeper.crash()
        await keeper.poll(random)
        return keeper.state
      } catch (error) {
        if (!isPassing(error)) throw error
        return (error as Error).message
      } finally {
        busy.delete(keeper)
      }
    },
  })

  /** Returns the first differences of a copy; none if it cannot be read now. */
  const differencesOf = async (keeper: Keeper): Promise<readonly string[]> => {
    const random = new Random(++turn)
    if (keeper.isComparable === false) return []
    try {
      // What was begun before may have missed what comes with the next poll.
      if (keeper.isInterrupted) await keeper.poll(random, true)
      await keeper.poll(random, true)
      const differences = await keeper.differences()
      world.compared++
      return differences
    } catch (error) {
      if (!isPassing(error)) throw error
      return []
    }
  }

  const compare = async (keeper: Keeper): Promise<void> => {
    const differences = await differencesOf(keeper)
    if (differences.length === 0) return
    throw new Violation(`the copy of ${keeper.name} (${keeper.state}): ${differences.join("; ")}`)
  }

  return {
    steps: keepers.map(step),
    invariants: [{
      name: invariant,
      async atRest() {
        for (due += compared; due >= 1; due--) {
          await compare(keepers[turn++ % keepers.length] as Keeper)
        }
      },
      async atEnd() {
        for (const keeper of keepers) await compare(keeper)
      },
    }],
    async settle() {
      for (const keeper of keepers) await settle(world, keeper)
    },
  }
}

/** Polls until that succeeds, or is refused for good. */
async function settle(world: World, keeper: Keeper): Promise<void> {
  for (let attempt = 0;; attempt++) {
    try {
      await keeper.poll(new Random(attempt), true)
      return
    } catch (error) {
      if (!isPassing(error)) throw error
      if (error instanceof NotNow && [401, 403, 404].includes(error.status)) return
      if (attempt === mostAttempts) {
        throw new Violation(`${keeper.name} cannot poll although all is well: ${error}`)
      }
      await world.time.sleep(30_000)
    }
  }
}
