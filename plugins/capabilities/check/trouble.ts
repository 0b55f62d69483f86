import type { Database, Plan, Warning } from "../../../core/capability.ts"
import { withConfigured } from "../../../core/commands.ts"
import { findObstacles, findWarnings } from "../../../core/inspection.ts"
import { findAccountWarnings } from "./account-warnings.ts"
import { findDatabaseWarnings } from "./database-warnings.ts"
import { findPlanWarnings } from "./plan-warnings.ts"
import { findServerWarnings } from "./server-warnings.ts"

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
    const { message } = error as Error
    return { errors: [message], warnings: findConfigWarnings(plan) }
  }
}

/** Finds what is wrong with a configuration, and with a database that can be served with it. */
export async function findOwnWarnings(
  { database, plan }: { readonly database: Database; readonly plan: Plan },
): Promise<readonly Warning[]> {
  return [
    ...findConfigWarnings(plan),
    ...await findAccountWarnings(database, plan),
    ...await findDatabaseWarnings(database),
  ]
}

function findConfigWarnings(plan: Plan): Warning[] {
  return [...findServerWarnings(plan), ...findPlanWarnings(plan)]
}
