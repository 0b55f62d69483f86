import { type Kysely, sql } from "kysely"
import type { Dialect } from "./dialect.ts"
import { recordTables } from "./record-tables.ts"
import { serviceTables } from "./service-tables.ts"
import type { Storage } from "./storage.ts"

/** The records, and what the kernel keeps for itself. */
export const kernelStorage: Storage = {
  name: "kernel",
  tables: { ...recordTables, ...serviceTables },
  fill,
}

async function fill(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  // In a database without organizations nothing can have been deleted yet: all deletions are known.
  await sql`insert into change_state (id, complete_since, clock, top, settled, epoch)
    select 1, case when exists (select 1 from organization) then ${dialect.now} else 0 end, 0, 0, 0, 0
    from (select 1 as one) as single
    where not exists (select 1 from change_state)`.execute(db)
  // Records that no trigger has seen yet also have a version.
  await sql`insert into event_version (event_id, seq, changes, mark)
    select id, 0, 0, 0 from event
    where not exists (select 1 from event_version)`.execute(db)
}
