import { sql } from "kysely"
import { itemCategories, type Snapshot } from "../../../core/capability.ts"
import type { Reading } from "./definitions.ts"
import { isCounted } from "./list-conditions.ts"
import { byFilter, timesOf } from "./list-filters.ts"

/** Seconds after which it counts whether anything was deleted since a list has acknowledged something. */
const longUnacknowledged = 3 * 86_400

const kinds = ["guest deletions", "item deletions"] as const

/**
 * Returns the time of what each account loses next of what was deleted, see `forgottenFrom`. An account that has
 * acknowledged something of all of its lists in the last three days is looked up in an index only: it has polled, so its
 * lists count.
 */
export async function readAcknowledged(
  { db, run }: Snapshot,
  by: Pick<Reading, "now" | "completeSince" | "filters">,
  accountId: string | undefined,
): Promise<ReadonlyMap<string, number>> {
  const { now } = by
  const ofKind = (kind: (typeof kinds)[number]) =>
    db.selectFrom("sync_state").select("account_id")
      .select((eb) => eb.fn.min<number | null>("acknowledged").as("at"))
      .where("kind", "=", kind)
      .$if(accountId !== undefined, (query) => query.where("account_id", "=", accountId ?? ""))
      .groupBy("account_id")
  const rows = await run(ofKind(kinds[0]).unionAll(ofKind(kinds[1])))
  const first = leastOf(rows)
  const old = [...first].flatMap(([id, at]) => at < now - longUnacknowledged ? id : [])
  if (old.length === 0) return first
  const exact = await run(
    db.selectFrom("sync_state as s").select("s.account_id")
      .select(sql<number | null>`min(${forgottenFrom(by)})`.as("at"))
      .where("s.account_id", "in", old)
      .where("s.kind", "in", kinds)
      .where(isCounted(now))
      .groupBy("s.account_id"),
  )
  for (const id of old) first.delete(id)
  return new Map([...first, ...leastOf(exact)])
}

function leastOf(rows: readonly { readonly account_id: string; readonly at: number | null }[]) {
  const least = new Map<string, number>()
  for (const { account_id, at } of rows) {
    if (at !== null) least.set(account_id, Math.min(at, least.get(account_id) ?? at))
  }
  return least
}

/**
 * The time of what a list of deletions loses next: of the first deletion since what it has acknowledged, or now if there
 * is none. If it has acknowledged nothing that early, or if that was forgotten already: what it has acknowledged.
 */
export function forgottenFrom(
  { now, completeSince, filters }: Pick<Reading, "now" | "completeSince" | "filters">,
) {
  const kind = "guest deletions"
  const firstGuest = byFilter(filters, (filter) => {
    const times = timesOf({ kind, category: "guests", filter }, { from: "acknowledged" })
    return sql<number | null>`${times.clearOrderBy().orderBy("deletion.at").limit(1)}`
  })
  const departures = byFilter(
    filters,
    (filter) => sql<boolean>`${filter ? sql.ref("v.forgotten_departures") : sql.lit(null)}`,
  )
  const firstItem = sql`(select min(d.at) from deletion as d where d.event_id = s.event_id
    and d.category in (${sql.join(itemCategories.map((category) => sql.lit(category)))})
    and d.at >= s.acknowledged)`
  return sql<number | null>`case when s.acknowledged is null
      or s.acknowledged >= ${now - longUnacknowledged} or s.acknowledged < ${completeSince}
      or exists (select 1 from event_version as v where v.event_id = s.event_id and (
        v.forgotten >= s.acknowledged or case s.kind
          when 'guest deletions'
            then s.acknowledged <= v.forgotten_guests or s.acknowledged <= ${departures}
          else s.acknowledged <= v.forgotten_items end))
    then s.acknowledged
    else coalesce(case s.kind when 'guest deletions' then ${firstGuest}
      else ${firstItem} end, ${now}) end`
}
