import { type Kysely, sql } from "kysely"
import { creating } from "./create-tables.ts"
import type { Dialect } from "./dialect.ts"
import { recordTables } from "./record-tables.ts"
import { serviceTables } from "./service-tables.ts"

const { up: createTables } = creating({ ...recordTables, ...serviceTables })

/** Creates the kernel's tables as they are declared: later migrations find nothing to do. `migrate` adds triggers. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await createTables(db, dialect)
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
