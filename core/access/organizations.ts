import type { ExpressionBuilder } from "kysely"
import type { Snapshot } from "../data/database.ts"
import type { Schema } from "../data/schema.ts"
import { type Access, accessOf } from "./admission.ts"

/** An event that an account may read, and the slug of its organization. */
export interface ReadableEvent {
  readonly id: string
  readonly name: string
  readonly organization: string
}

/** What an account may read now: the slugs of organizations, and the 50 events that changed last. */
interface ReadAccess {
  readonly organizations: readonly string[]
  readonly events: readonly ReadableEvent[]
}

/** Finds what an account may read now from an IP address. */
export async function findReadable(
  snapshot: Snapshot,
  accountId: string,
  address: string,
): Promise<ReadAccess> {
  const { db, dialect, run } = snapshot
  const grants = await run(
    db
      .selectFrom("access_grant")
      .select(["organization_id", "event_id", "ends", "networks", dialect.now.as("now")])
      .where("account_id", "=", accountId),
  )
  const access = accessOf(grants, { now: grants[0]?.now ?? 0, address })
  const events = await run(
    db
      .selectFrom("event as record")
      .innerJoin("organization", "organization.id", "record.organization_id")
      .select(["record.id", "record.name", "organization.slug as organization"])
      .where((eb) => isGranted(eb, access))
      .orderBy("record.updated", "desc")
      .orderBy("record.id", "desc")
      .limit(50),
  )
  return { organizations: await findGrantedOrganizations(snapshot, access), events }
}

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

/** Matches the events (`record`) that an account may read: none without a grant. */
export function isGranted(
  eb: ExpressionBuilder<{ record: Schema["event"] }, "record">,
  { organizationIds, eventIds, only }: Access,
) {
  const isGranted = eb.or([
    ...(organizationIds.length > 0 ? [eb("record.organization_id", "in", organizationIds)] : []),
    ...(eventIds.length > 0 ? [eb("record.id", "in", eventIds)] : []),
  ])
  return only ? eb.and([isGranted, eb("record.id", "in", only)]) : isGranted
}
