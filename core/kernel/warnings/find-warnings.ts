import type { Database } from "../../data/database.ts"
import type { Plan } from "../../routes/plan.ts"
import { findAccountWarnings } from "./account-warnings.ts"
import { findDatabaseWarnings } from "./database-warnings.ts"
import { findPlanWarnings } from "./plan-warnings.ts"
import { findReplicationWarnings } from "./replication-warnings.ts"
import { findServerWarnings } from "./server-warnings.ts"
import { findCapabilityWarnings } from "../capabilities.ts"
import { capabilitiesOf } from "../capability.ts"
import type { Warning } from "./warning.ts"

/** Finds what is wrong with a configuration by itself. */
export function findConfigWarnings(plan: Plan): Warning[] {
  return [...findServerWarnings(plan), ...findPlanWarnings(plan)]
}

/** Finds what is wrong with a database that can be served, for a configuration. */
export async function findServedWarnings(database: Database, plan: Plan): Promise<Warning[]> {
  return [
    ...await findAccountWarnings(database, plan),
    ...await findDatabaseWarnings(database, plan),
    ...await findReplicationWarnings(database, plan),
    ...await findCapabilityWarnings(capabilitiesOf(plan), { database, plan }),
  ]
}
