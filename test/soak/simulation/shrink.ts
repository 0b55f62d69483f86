import type { Burst, Plan } from "./plan.ts"

/** Runs a plan. Returns what does not hold; undefined if all does. */
export type Try = (plan: Plan) => Promise<string | undefined>

/**
 * Leaves out of a plan that fails whatever it fails without: bursts, then steps, then pauses. It has to fail in the same
 * way. Returns the smallest plan that was found before `isOver` returned true.
 */
export async function shrink(plan: Plan, run: Try, isOver: () => boolean): Promise<Plan> {
  const way = wayOf(await run(plan))
  const fails = async (plan: Plan) => !isOver() && wayOf(await run(plan)) === way
  let smallest = plan
  for (let size = Infinity; sizeOf(smallest) < size && !isOver();) {
    size = sizeOf(smallest)
    smallest = await leaveOut(smallest, (bursts) => fails(bursts))
    for (const index of smallest.keys()) {
      const withSteps = (steps: Burst["steps"]): Plan =>
        smallest.map((burst, at) => at === index ? { ...burst, steps } : burst)
      const steps = smallest[index]?.steps ?? []
      smallest = withSteps(await leaveOut(steps, (steps) => fails(withSteps(steps))))
    }
    for (const index of smallest.keys()) {
      const without = smallest.map((burst, at) => at === index ? { ...burst, pause: 0 } : burst)
      if (smallest[index]?.pause && await fails(without)) smallest = without
    }
  }
  return smallest
}

/** Leaves out parts of a list, halves first, as long as the rest `fails`. */
async function leaveOut<T>(
  list: readonly T[],
  fails: (rest: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let left = list
  for (
    let size = Math.ceil(left.length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let start = 0; start < left.length;) {
      const rest = left.toSpliced(start, size)
      if (rest.length < left.length && await fails(rest)) left = rest
      else start += size
    }
  }
  return left
}

function sizeOf(plan: Plan): number {
  return plan.reduce((sum, { steps, pause }) => sum + 1 + 2 * steps.length + Number(pause > 0), 0)
}

/** Returns the invariant that a violation names, which other plans may violate with other numbers. */
function wayOf(violation: string | undefined): string | undefined {
  return violation?.split(":")[0]
}
