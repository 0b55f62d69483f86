import type { ExpressionBuilder } from "kysely"
import type { Snapshot } from "../data/database.ts"
import type { Schema } from "../data/schema.ts"
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
  access: Access,
): Promise<readonly ReadableEvent[]> {
  return await run(
    db
      .selectFrom("event as record")
      .innerJoin("organization", "organization.id", "record.organization_id")
      .select(["record.id", "record.name", "organization.slug as organization"])
      .where((eb) => isGranted(eb, access))
      .orderBy("record.updated", "desc")
      .orderBy("record.id", "desc")
      .limit(50),
  )
}

/** Matches the events (`record`) that an account may read: none without a grant. */
export function isGranted(
  eb: ExpressionBuilder<{ record: Schema["event"] }, "record">,
  { organizationIds, eventIds }: Access,
) {
  return eb.or([
    ...(organizationIds.length > 0 ? [eb("record.organization_id", "in", organizationIds)] : []),
    ...(eventIds.length > 0 ? [eb("record.id", "in", eventIds)] : []),
  ])
}
