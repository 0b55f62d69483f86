import type { Plan } from "../routes/plan.ts"
import { withConfigured } from "./configured-database.ts"
import { findObstacles } from "./obstacles.ts"
import { findConfigWarnings, findServedWarnings } from "./warnings/find-warnings.ts"
import type { Warning } from "./warnings/warning.ts"

/** What is wrong with a configuration and its database. */
interface Trouble {
  /** Reasons why the service would not start. */
  readonly errors: readonly string[]
  readonly warnings: readonly Warning[]
}

/** Finds what is wrong, apart from mistakes in the file: `readPlan` reports those. */
export async function findTrouble(plan: Plan): Promise<Trouble> {
  const own = findConfigWarnings(plan)
  try {
    return await withConfigured(plan, async (database) => {
      const errors = await findObstacles(database, plan)
      const served = errors.length > 0 ? [] : await findServedWarnings(database, plan)
      return { errors, warnings: [...own, ...served] }
    })
  } catch (error) {
    return { errors: [(error as Error).message], warnings: own }
  }
}
