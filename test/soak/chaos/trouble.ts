import { setTimeout as sleep } from "node:timers/promises"
import type { Random } from "../../support/random.ts"
import { timeLimit } from "./configuration.ts"

/** Lets a fault last: usually shorter than the time limit of a request, sometimes longer. */
export async function trouble(random: Random): Promise<void> {
  const limit = timeLimit * 1000
  await sleep(
    random.below(3) === 0 ? random.between(limit, 1.5 * limit) : random.between(200, limit / 2),
  )
}
