import type { Snapshot } from "../data/database.ts"
import type { Access } from "./admission.ts"

/** Returns the slugs of the organizations that have at least one event the account may read. */
export async function findGrantedOrganizations(
  { db, run }: Pick<Snapshot, "db" | "run">,
  { organizationIds, eventIds }: Access,
): Promise<string[]> {
  const ofEvents = eventIds.length === 0
    ? []
    : await run(db.selectFrom("event").select("organization_id").where("id", "in", eventIds))
  const ids = [...organizationIds, ...ofEvents.map(({ organization_id }) => organization_id)]
  if (ids.length === 0) return []
  const rows = await run(db.selectFrom("organization").select("slug").where("id", "in", ids))
  return rows.map(({ slug }) => slug)
}

/** An event that an account may read, and the slug of its organization. */
export interface ReadableEvent {
  readonly id: string
  readonly name: string
  readonly organization: string
}

/** Returns the events that changed last of those that an account may read: at most 50. */
export async function findNewestEvents(
  { db, run }: Pick<Snapshot, "db" | "run">,
  { organizationIds, eventIds }: Access,
): Promise<readonly ReadableEvent[]> {
  if (organizationIds.length === 0 && eventIds.length === 0) return []
  return await run(
    db
      .selectFrom("event")
      .innerJoin("organization", "organization.id", "event.organization_id")
      .select(["event.id", "event.name", "organization.slug as organization"])
      .where((eb) =>
        eb.or([
          ...(organizationIds.length > 0
            ? [eb("event.organization_id", "in", organizationIds)]
            : []),
          ...(eventIds.length > 0 ? [eb("event.id", "in", eventIds)] : []),
        ])
      )
      .orderBy("event.updated", "desc")
      .orderBy("event.id", "desc")
      .limit(50),
  )
}
