import { sql } from "kysely"
import type { Snapshot } from "../../../core/capability.ts"
import { thresholds } from "./definitions.ts"

/** Counts the events that are not over, that an account may read, and of which it has read no list lately. */
export async function countUnreadEvents(
  { db, run }: Snapshot,
  { now, accountId }: { readonly now: number; readonly accountId: string },
): Promise<number> {
  const ofGrants = (column: "id" | "organization_id") =>
    db
      .selectFrom("access_grant as g")
      .innerJoin("event", `event.${column}`, column === "id" ? "g.event_id" : "g.organization_id")
      .select("event.id")
      .where("g.account_id", "=", accountId)
      .where(isOpen(now))
      .where((eb) => eb.or([eb("g.ends", "is", null), eb("g.ends", ">", now)]))
      .where(({ not, exists, selectFrom }) =>
        not(exists(
          selectFrom("sync_state as s").select("s.list")
            .whereRef("s.account_id", "=", "g.account_id").whereRef("s.event_id", "=", "event.id")
            .where("s.last_poll", ">=", now - thresholds.abandoned),
        ))
      )
  return (await run(ofGrants("id").union(ofGrants("organization_id")))).length
}

/** True for events that are not over and have existed long enough to be read. */
const isOpen = (now: number) =>
  sql<boolean>`event.status <> 'closed'
    and event.created <= ${now - thresholds.interval - thresholds.grace}`
