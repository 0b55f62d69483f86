import type { Database, Plan, Warning } from "../../../core/capability.ts"
import { findAccountWarnings } from "./account-warnings.ts"
import { findDatabaseWarnings } from "./database-warnings.ts"
import { findPlanWarnings } from "./plan-warnings.ts"
import { findServerWarnings } from "./server-warnings.ts"

/** Finds what is wrong with a configuration by itself. */
export function findConfigWarnings(plan: Plan): Warning[] {
  return [...findServerWarnings(plan), ...findPlanWarnings(plan)]
}

/** Finds what is wrong with a configuration, and with a database that can be served with it. */
export async function findOwnWarnings(
  { database, plan }: { readonly database: Database; readonly plan: Plan },
): Promise<readonly Warning[]> {
  return [
    ...findConfigWarnings(plan),
    ...await findAccountWarnings(database, plan),
    ...await findDatabaseWarnings(database, plan),
  ]
}
