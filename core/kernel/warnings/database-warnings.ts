import type { Database } from "../../data/database.ts"
import { describeFault, findRebuilt, findTriggerFaults } from "../../data/triggers.ts"
import type { Plan } from "../../routes/plan.ts"
import { findUnloggedViews, tables } from "../../records/tables.ts"
import type { Warning } from "./warning.ts"

/** Finds what the database lacks, although it can be served. Writes nothing. */
export async function findDatabaseWarnings(
  database: Database,
  plan: Pick<Plan, "database">,
): Promise<Warning[]> {
  const { dialect, writer } = database
  const views = await findUnloggedViews(database, plan)
  const denied = await dialect.inspection.findDenied(writer, tables)
  const triggers = await findTriggerFaults(database)
  const rebuilt = await findRebuilt(database)
  return [
    ...dialect.inspection.isOpenToOthers()
      ? [{
        about: "database.url",
        message:
          "every user of this machine can read or change the file, which has personal data " +
          "and password hashes: run chmod 600 on it, and on the -wal and -shm beside it",
      }]
      : [],
    ...denied.length > 0
      ? [{
        about: "database.url",
        message:
          `the user may not ${denied.join(", ")}: requests or background work that need it ` +
          `fail. "event-export grants" prints the statements that allow it`,
      }]
      : [],
    ...views.length > 0
      ? [{
        about: views.join(", "),
        message:
          "views have no triggers, so deletions cannot be known: the lists of deletions are 404 " +
          "not_available, and partners keep what you delete unless they compare digests. " +
          "Let triggers on your tables log the changes, and set database.own_triggers",
      }]
      : [],
    ...triggers.length > 0
      ? [{
        about: "triggers",
        message:
          `there is no ${triggers.map(describeFault).join(", ")}: polls and deletions miss ` +
          `changes of these tables, and no page is cached. "event-export migrate" creates them again`,
      }]
      : [],
    ...rebuilt.length > 0
      ? [{
        about: rebuilt.join(", "),
        message:
          `made anew since "event-export migrate" last looked, so the triggers may be lost, ` +
          `and no page is cached. Run "event-export migrate"`,
      }]
      : [],
  ]
}
