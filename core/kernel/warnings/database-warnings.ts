import type { Database } from "../../data/database.ts"
import { findMissingTriggers } from "../../data/check-triggers.ts"
import { findUnloggedViews, tables, triggersOf } from "../../records/tables.ts"
import type { Warning } from "./warning.ts"

/** Finds what the database lacks, although it can be served. Writes nothing. */
export async function findDatabaseWarnings(database: Database): Promise<Warning[]> {
  const { dialect, writer } = database
  const views = await findUnloggedViews(database)
  const denied = await dialect.inspection.findDenied(writer, tables)
  const triggers = await findMissingTriggers(database, triggersOf(dialect))
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
          "views have no triggers, so deletions cannot be known: the lists of deletions are " +
          "empty, and partners keep what you delete. Let your platform append its deletions to " +
          "change_log, or tell partners to compare the digests",
      }]
      : [],
    ...triggers.length > 0
      ? [{
        about: "triggers",
        message: `there is no ${triggers.join(", ")}: polls, deletions and cached pages miss ` +
          `changes of these tables. Create them again, as in a database that is newly migrated`,
      }]
      : [],
  ]
}
