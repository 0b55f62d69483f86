import type { Database, Warning } from "../../../core/capability.ts"
import {
  describeFault,
  findRebuilt,
  findTriggerFaults,
  findUnusedTables,
} from "../../../core/inspection.ts"
import { tablesOf } from "../../../core/tables.ts"

/** Finds what the database lacks, although it can be served. Writes nothing. */
export async function findDatabaseWarnings(database: Database): Promise<Warning[]> {
  const { dialect, writer, storages } = database
  const denied = await dialect.inspection.findDenied(writer, tablesOf(storages))
  const triggers = await findTriggerFaults(database)
  const rebuilt = await findRebuilt(database)
  const unset = await database.findUnset()
  const limits = await dialect.inspection.findLimits(writer)
  const warnings = [
    dialect.inspection.isOpenToOthers() && {
      about: "database.url",
      message: "every user of this machine can read or change the file, which has personal data " +
        "and password hashes: run chmod 600 on it, and on the -wal and -shm beside it",
    },
    denied.length > 0 && {
      about: "database.url",
      message: `the user may not ${denied.join(", ")}: requests or background work that need it ` +
        `fail. "event-export grants" prints the statements that allow it`,
    },
    unset.length > 0 && {
      about: "database.url",
      message:
        `${unset.join(", ")}, although each connection sets it: the server or a proxy before ` +
        `it does not keep what sessions set, so pages may be of several moments, or wrong. Let the ` +
        `proxy keep each connection on a session of its own, or connect to the server itself`,
    },
    limits.length > 0 && {
      about: "database.url",
      message: `${
        limits.join("; ")
      }. Change it in the configuration of the server, and restart both`,
    },
    triggers.length > 0 && {
      about: "triggers",
      message: `there is no ${triggers.map(describeFault).join(", ")}: polls and deletions miss ` +
        `changes of these tables, and no page is cached. "event-export migrate" creates them again`,
    },
    ...(await findUnusedTables(database)).map(({ storage, tables }) => ({
      about: tables.join(", "),
      message: `left of ${storage}, which is off: nothing writes them now. Turn it on again, or ` +
        `drop them with "event-export migrate --drop-unused"`,
    })),
    rebuilt.length > 0 && {
      about: rebuilt.join(", "),
      message: `rebuilt since "event-export migrate" last looked, so the triggers may be lost, ` +
        `and no page is cached. Run "event-export migrate"`,
    },
  ]
  return warnings.filter((each) => each !== false)
}
