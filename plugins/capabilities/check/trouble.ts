import {
  findObstacles,
  findWarnings,
  type Plan,
  type Warning,
  withConfigured,
} from "../../../core/capability.ts"
import { findConfigWarnings } from "./find-warnings.ts"

/** What is wrong with a configuration and its database. */
interface Trouble {
  /** Reasons why the service would not start. */
  readonly errors: readonly string[]
  readonly warnings: readonly Warning[]
}

/** Finds what is wrong, apart from mistakes in the file: `readPlan` reports those. */
export async function findTrouble(plan: Plan): Promise<Trouble> {
  try {
    return await withConfigured(plan, async (database) => {
      const errors = await findObstacles(database, plan)
      const warnings = errors.length > 0
        ? findConfigWarnings(plan)
        : await findWarnings(database, plan)
      return { errors, warnings }
    })
  } catch (error) {
    return { errors: [(error as Error).message], warnings: findConfigWarnings(plan) }
  }
}
