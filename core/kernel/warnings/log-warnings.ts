import type { Database } from "../../data/database.ts"
import type { Log } from "../../log.ts"
import type { Plan } from "../../routes/plan.ts"
import { findConfigWarnings, findServedWarnings } from "./find-warnings.ts"

/** Logs what leads to trouble although the service starts. */
export async function logWarnings(
  database: Database,
  { config, log }: { readonly config: Plan; readonly log: Log },
): Promise<void> {
  const warnings = [
    ...findConfigWarnings(config),
    ...await findServedWarnings(database, config),
  ]
  for (const { about, message } of warnings) log.warn({ about }, `${about}: ${message}`)
}
