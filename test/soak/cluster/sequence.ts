import type { Random } from "../../support/random.ts"
import type { ClusterFault } from "./fault.ts"

/**
 * Seconds after which a reader that had lost something before a failover would still lack it: until then, all read again
 * what is younger than a minute before it.
 */
const healing = 75

/**
 * Returns faults in an order that the seed decides. Those that make another server the primary come last in each round,
 * after a comparison: they make partners read again what they may have lost.
 */
export function* sequence(
  { faults, seconds, random }: {
    readonly faults: readonly ClusterFault[]
    readonly seconds: number
    readonly random: Random
  },
): Generator<ClusterFault | "compare"> {
  const began = performance.now()
  const isOver = () => performance.now() - began > seconds * 1000
  const calm = shuffled(faults.filter(({ moves }) => !moves), random)
  const moving = shuffled(faults.filter(({ moves }) => moves), random)
  for (let least = 0; !isOver(); least = healing * 1000) {
    const round = performance.now()
    for (let count = 0; count < 2 || performance.now() - round < least; count++) {
      const { value } = calm.next()
      if (!value || isOver()) break
      yield value
    }
    yield "compare"
    const most = random.between(1, 3)
    for (let count = 0; count < most; count++) {
      const { value } = moving.next()
      // In a short run, at least one.
      if (!value || (isOver() && least + count > 0)) break
      yield value
    }
  }
}

/** Returns each as often as the others, in another order each time; nothing if there is none. */
function* shuffled<T>(all: readonly T[], random: Random): Generator<T, undefined> {
  while (all.length > 0) yield* random.shuffle(all)
  return undefined
}
