import type { Snapshot } from "../../../core/capability.ts"

/** Returns whether an account has a grant for an event at a time, from whatever network. */
export type CanRead = (accountId: string, eventId: string) => boolean

/** Reads all grants that count at a time, in Unix seconds. */
export async function readGrants({ db, run }: Snapshot, now: number): Promise<CanRead> {
  const grants = await run(
    db
      .selectFrom("access_grant as g")
      .select(["g.account_id", "g.event_id", "g.organization_id"])
      .where((eb) => eb.or([eb("g.ends", "is", null), eb("g.ends", ">", now)])),
  )
  const granted = new Set(grants.map((g) => `${g.account_id} ${g.event_id ?? g.organization_id}`))
  const events = await run(db.selectFrom("event").select(["id", "organization_id"]))
  const organizations = new Map(events.map(({ id, organization_id }) => [id, organization_id]))
  return (accountId, eventId) =>
    granted.has(`${accountId} ${eventId}`) ||
    granted.has(`${accountId} ${organizations.get(eventId)}`)
}
