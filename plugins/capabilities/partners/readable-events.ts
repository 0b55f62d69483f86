import type { Snapshot } from "../../../core/capability.ts"

/** A row about an event that an account reads. */
interface Reading {
  readonly account_id: string
  readonly event_id: string
}

/** Returns the rows whose account has a grant for the event, from any network. `now` is in Unix seconds. */
export async function keepReadable<Row extends Reading>(
  { db, run }: Snapshot,
  now: number,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  if (rows.length === 0) return rows
  const grants = await run(
    db
      .selectFrom("access_grant as g")
      .select(["g.account_id", "g.event_id", "g.organization_id"])
      .where((eb) => eb.or([eb("g.ends", "is", null), eb("g.ends", ">", now)])),
  )
  const granted = new Map(
    [...Map.groupBy(grants, ({ account_id }) => account_id)].map(([id, own]) => [
      id,
      new Set(own.map(({ event_id, organization_id }) => event_id ?? organization_id)),
    ]),
  )
  const events = await run(db.selectFrom("event").select(["id", "organization_id"]))
  const organizations = new Map(events.map(({ id, organization_id }) => [id, organization_id]))
  return rows.filter(({ account_id, event_id }) => {
    const own = granted.get(account_id)
    return own?.has(event_id) === true || own?.has(organizations.get(event_id) ?? "") === true
  })
}
