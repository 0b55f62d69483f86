import { statSync } from "node:fs"
import { dirname } from "node:path"
import { sql } from "kysely"
import type { Inspection, Trigger } from "../dialect.ts"

/** Inspects an embedded database, which has no users, by the path of its file. */
export function sqliteInspection(path: string): Inspection {
  return {
    isOpenToOthers: () =>
      (statSync(path).mode & 0o006) !== 0 && (statSync(dirname(path)).mode & 0o001) !== 0,
    findDenied: () => Promise.resolve([]),
    async findMissingTriggers(db, expected) {
      const { rows } = await sql<Trigger>`
        select name, tbl_name as ${sql.ref("table")} from sqlite_master where type = 'trigger'`
        .execute(db)
      return expected.filter(({ name, table }) =>
        !rows.some((row) => row.name === name && row.table === table)
      )
    },
  }
}
