import { accessOf } from "../../../../core/accounts.ts"
import type { Database } from "../../../../core/capability.ts"
import { byTrouble, type ListHealth, readLists } from "../list-health.ts"
import { readPartners } from "../list-partners.ts"
import { type PartnerHealth, readAtOneTime } from "../partner-health.ts"
import { countUnreadEvents } from "../unread-events.ts"

const aDay = 86_400

/** How a partner is doing, as far as the partner itself may know. Times are Unix seconds. */
export interface OwnReport {
  readonly health: PartnerHealth
  readonly at: number
  /** Worst first. An event that may not be read from the reader's address has no name. */
  readonly lists: readonly ListHealth[]
  /** Grants that ended in the last 30 days or end in the next 30. */
  readonly grants: readonly { readonly target: string; readonly ends: number }[]
  /** Number of events that have not ended and of which it reads no list. */
  readonly unreadEvents: number
}

/**
 * Returns how an account is doing; undefined if it is not a partner's. Reads only data stored by account id: the audit
 * log contains names and who changed something. `address` is the reader's.
 *
 * @throws {Unavailable}
 */
export async function readOwn(
  database: Database,
  { id, username }: { readonly id: string; readonly username: string },
  { retention, address }: { readonly retention: number; readonly address: string },
): Promise<OwnReport | undefined> {
  return await readAtOneTime(database, { retention }, async (snapshot, reading) => {
    const { db, run } = snapshot
    const by = { ...reading, hasAudit: false }
    const { now } = by
    const [health] = await readPartners(snapshot, by, username)
    if (health?.accountId !== id) return undefined
    const grants = await run(
      db
        .selectFrom("access_grant as g")
        .leftJoin("organization", "organization.id", "g.organization_id")
        .select(["g.event_id", "g.organization_id", "g.ends", "g.networks", "organization.slug"])
        .where("g.account_id", "=", id)
        .orderBy("g.ends"),
    )
    const access = accessOf(grants, { now, address })
    const slugs = grants.flatMap(({ organization_id, slug }) =>
      organization_id !== null && access.organizationIds.includes(organization_id) ? slug ?? [] : []
    )
    const lists = await readLists(snapshot, by, { accountId: id })
    return {
      health,
      at: now,
      unreadEvents: await countUnreadEvents(snapshot, { now, accountId: id }),
      lists: lists.toSorted(byTrouble).map((list) => {
        const { eventId, organization } = list
        const isReadable = list.hasGrant && (access.eventIds.includes(eventId ?? "") ||
          slugs.includes(organization ?? ""))
        return isReadable ? list : { ...list, eventName: null, eventStatus: null }
      }),
      grants: grants.flatMap(({ event_id, slug, ends }) =>
        ends !== null && Math.abs(ends - now) < 30 * aDay
          ? [{ target: event_id ?? slug ?? "", ends }]
          : []
      ),
    }
  })
}
