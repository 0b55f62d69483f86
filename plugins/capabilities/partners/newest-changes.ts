import { sql } from "kysely"
import {
  categories,
  type Category,
  itemCategories,
  type Snapshot,
} from "../../../core/capability.ts"
import type { ListKind } from "./tables.ts"

/** The kinds of lists that change: those of events. */
export const changingKinds = ["guests", "items", "guest deletions", "item deletions"] as const

type ChangingKind = (typeof changingKinds)[number]

/** Which events: all, unless it says one, or those of which an account has requested a list. */
interface Which {
  readonly eventId?: string | undefined
  readonly accountId?: string | undefined
  /** True if lists have filters: then deletions of guests are also what these may have lost. */
  readonly withDepartures?: boolean
}

/**
 * The newest change of the lists of a kind, by event: rows of `event_id` and `at`. Of all events, MySQL jumps from one to
 * the next in the indexes; of an account's, each is looked up there.
 */
export function newestOf(
  { db }: Pick<Snapshot, "db">,
  kind: ChangingKind,
  { eventId, accountId, withDepartures = false }: Which = {},
) {
  const only = kind.startsWith("guest") ? ["guests" as const] : itemCategories
  const isOfRecords = kind === "guests" || kind === "items"
  const where = eventId === undefined ? sql`` : sql`and event_id = ${eventId}`
  const departures = withDepartures && kind === "guest deletions"
  const branches = accountId !== undefined
    ? [
      ...only.map((category: Category) => newestOfAccount(accountId, category, isOfRecords)),
      ...departures ? [newestOfAccount(accountId, "departures", isOfRecords)] : [],
    ]
    : isOfRecords
    ? only.map((category: Category) =>
      sql`select event_id, max(updated) as at from ${sql.table(categories[category])}
        where 1 = 1 ${where} group by event_id`
    )
    : [
      sql`select event_id, max(at) as at from deletion
        where category in (${sql.join(only.map((each) => sql.lit(each)))}) ${where}
        group by event_id, category`,
      ...departures
        ? [
          sql`select event_id, max(at) as at from departure where 1 = 1 ${where} group by event_id`,
        ]
        : [],
    ]
  const all = sql<{ event_id: string; at: number }>`(${sql.join(branches, sql` union all `)})`
  return db
    .selectFrom(all.as("each_change"))
    .select("event_id")
    .select((eb) => eb.fn.max<number>("at").as("at"))
    .where("at", "is not", null)
    .groupBy("event_id")
}

function newestOfAccount(
  accountId: string,
  category: Category | "departures",
  isOfRecords: boolean,
) {
  const newest = category === "departures"
    ? sql`select max(c.at) from departure as c where c.event_id = r.event_id`
    : isOfRecords
    ? sql`select max(c.updated) from ${sql.table(categories[category])} as c
        where c.event_id = r.event_id`
    : sql`select max(c.at) from deletion as c
        where c.event_id = r.event_id and c.category = ${sql.lit(category)}`
  return sql`select r.event_id, (${newest}) as at
    from (select distinct event_id from sync_state where account_id = ${accountId}) as r`
}

/** The newest changes of the lists of all kinds: rows of `event_id`, `kind` and `at`. */
export function newestChanges(reader: Pick<Snapshot, "db">, which: Which) {
  const ofKind = (kind: ChangingKind) =>
    reader.db
      .selectFrom(newestOf(reader, kind, which).as("newest"))
      .select(["event_id", "at", sql<ListKind>`${sql.lit(kind)}`.as("kind")])
  const [first, ...others] = changingKinds
  return others.reduce((before, kind) => before.unionAll(ofKind(kind)), ofKind(first))
}
