import { statSync } from "node:fs"
import { dirname } from "node:path"
import { sql } from "kysely"
import { type Inspection, isSameDefinition, type TriggerFault } from "../../../core/driver.ts"

/** Inspects an embedded database, which has no users. `path` is its file. */
export function sqliteInspection(path: string): Inspection {
  return {
    isOpenToOthers: () =>
      (statSync(path).mode & 0o006) !== 0 && (statSync(dirname(path)).mode & 0o001) !== 0,
    findDenied: () => Promise.resolve([]),
    async findTriggerFaults(db, expected) {
      const { rows } = await sql<{ name: string; table: string; text: string }>`
        select name, tbl_name as ${sql.ref("table")}, sql as text
        from sqlite_master where type = 'trigger'`.execute(db)
      return expected.flatMap((trigger): TriggerFault[] => {
        const existing = rows.find(({ name, table }) =>
          name === trigger.name && table === trigger.table
        )
        if (!existing) return [{ trigger, fault: "missing" }]
        const definition = existing.text.slice(`create trigger ${trigger.name} `.length)
        return isSameDefinition(definition, trigger.definition)
          ? []
          : [{ trigger, fault: "different" }]
      })
    },
    readRole: () => Promise.resolve("alone"),
    findUnset: () => Promise.resolve([]),
    findLimits: () => Promise.resolve([]),
    findMade: () => Promise.resolve(new Map()),
  }
}
