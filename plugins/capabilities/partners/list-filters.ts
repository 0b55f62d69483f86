import { type Expression, expressionBuilder, type RawBuilder, sql } from "kysely"
import { type Category, contentOf, type Database, type Snapshot } from "../../../core/capability.ts"
import { filterNamed } from "../../../core/filters.ts"
import type { GuestFilter } from "../../../core/plugin.ts"
import type { Schema } from "../../../core/tables.ts"
import type { ListKind } from "./tables.ts"

/** A current or former filter of a family's lists of guests, for the events of some organizations. */
export interface ListFilter {
  /** The prefix of the family's paths. */
  readonly prefix: string
  /** Slugs. */
  readonly organizations: readonly string[]
  /** Once the filter was removed: one that finds the guests who had left the lists by then. */
  readonly filter: GuestFilter
}

/** Reads the current and former filters of all lists; none if the service has no filters. */
export async function readFilters(
  { db, run }: Snapshot,
  { storages }: Pick<Database, "storages">,
): Promise<readonly ListFilter[]> {
  if (!storages.on.some(({ tables }) => "list_filter" in tables)) return []
  const rows = await run(
    db.selectFrom("list_filter").select(["scope", "organization", "filter"])
      .where("narrowed", "=", 1),
  )
  const same = Map.groupBy(rows, ({ scope, filter }) => `${scope} ${filter}`)
  return [...same.values()].flatMap((all) => {
    const [{ scope, filter: name } = { scope: "", filter: "" }] = all
    const filter = filterNamed(name || "everyone", scope)
    const [prefix = ""] = scope.split("/events/")
    return filter
      ? [{ prefix, organizations: all.map(({ organization }) => organization), filter }]
      : []
  })
}

/** Selects an expression that depends on the filter of a list of guests: of row `s` of `sync_state`. */
export function byFilter<Value>(
  filters: readonly ListFilter[],
  select: (filter: GuestFilter | undefined, place: number) => Expression<Value>,
): RawBuilder<Value> {
  if (filters.length === 0) return sql`${select(undefined, -1)}`
  const cases = filters.map(({ prefix, organizations, filter }, place) =>
    sql`when s.prefix = ${prefix} and exists (select 1 from event
      inner join organization on organization.id = event.organization_id
      where event.id = s.event_id and organization.slug in (${sql.join(organizations)}))
      then ${select(filter, place)}`
  )
  return sql`case ${sql.join(cases, sql` `)} else ${select(undefined, -1)} end`
}

/** Selects the index of the filter of row `s`; -1 if it has none. */
export function placeOf(filters: readonly ListFilter[]): RawBuilder<number> {
  const place = byFilter(filters, (_, place) => sql<number>`${sql.lit(place)}`)
  return sql`case when s.kind in ('guests', 'guest deletions') then ${place} else -1 end`
}

type Column = keyof Schema["sync_state"]

/**
 * Selects, as `at`, the times of a category's records or deletions that the list of row `s` has or had. `from`
 * (inclusive) and `before` name columns of `s` as bounds.
 */
export function timesOf(
  { kind, category, filter }: {
    readonly kind: ListKind
    readonly category: Category
    readonly filter: GuestFilter | undefined
  },
  { from, before }: { readonly from?: Column; readonly before?: Column } = {},
) {
  const eventId = sql<string>`s.event_id`
  const { records, deletions } = contentOf({ db: expressionBuilder<Schema>() }, category, {
    eventId,
    filter,
  })
  const isOfRecords = kind === "guests" || kind === "items"
  const at = sql.ref<number>(isOfRecords ? "record.updated" : "deletion.at")
  const column = (name = "") => sql.ref<number>(`s.${name}`)
  // Only the table names differ.
  return (isOfRecords ? records as unknown as typeof deletions : deletions)
    .select(at.as("at"))
    .$if(
      from !== undefined,
      (query) => query.where(at, ">=", sql<number>`coalesce(${column(from)}, -1)`),
    )
    .$if(before !== undefined, (query) => query.where(at, "<", column(before)))
    .orderBy(at, "desc")
}
