import { type Expression, type ExpressionBuilder, sql, type SqlBool } from "kysely"
import {
  type Gone,
  type GuestFilter,
  isChosenSql,
  isLastOfList,
} from "../../change-log/departures.ts"
import { readCompleteSince } from "../../change-log/horizon.ts"
import type { Snapshot } from "../../data/database.ts"
import type { Schema } from "../../data/schema.ts"
import { usualProblem } from "../../http/problems.ts"
import type { Category } from "../kinds/categories.ts"
import { guestDeletion, itemDeletion } from "../kinds/deletions.ts"
import { itemCategories } from "../kinds/items.ts"
import { inBucket, tableOf, unite } from "./newest-first.ts"
import {
  beginning,
  defaultSince,
  type ListResult,
  type PageRequest,
  type Position,
  spanOf,
} from "./page.ts"
import { isId, wrongId } from "../kinds/values.ts"
import { type Projection, whole } from "../kinds/projection.ts"
import { recordParameters, type Resource } from "./resource.ts"

/** The projection of deletions: with it, those of one list. */
type DeletionProjection<Name extends string> = Projection<Name> & { readonly gone?: Gone }

/** All fields of a deleted guest. */
export const wholeGuestDeletion = whole(guestDeletion)
/** All fields of a deleted item. */
export const wholeItemDeletion = whole(itemDeletion)

/** The guests of an event that have been deleted, latest first. */
export const guestDeletions = deletionResource<"GuestDeletion">("guest deletions", ["guests"])

/** The items of an event that have been deleted, of all categories in one list, latest first. */
export const itemDeletions = deletionResource<"ItemDeletion">("item deletions", itemCategories)

/**
 * Lists the last deletion of each record. A row can only move to the front, by another deletion, so no position ever
 * gets smaller. Records that have been inserted again are left out, and the rows that follow fill up the page: it never
 * looks like the last one by mistake.
 */
function deletionResource<Name extends string>(
  name: string,
  categories: readonly Category[],
): Resource<DeletionProjection<Name>> {
  return {
    name,
    summary: `The ${name} of an event, latest first.`,
    hasHorizon: true,
    scope: "event",
    parameters: recordParameters,
    categories,
    async list(snapshot, { eventId }, page, projection): Promise<ListResult> {
      const filter = projection.gone?.filter
      const completeSince = await readCompleteSince(snapshot, { eventId, categories, filter })
      const since = resolveSince(page, completeSince)
      const listing = { categories, eventId, filter, page: { ...page, since } }
      const before = page.after ? page.after[name] : await findPosition(snapshot, listing)
      if (!before) return { body: [], next: {}, completeSince }
      const found = await snapshot.run(deletionsAfter(snapshot, listing, before))
      const rows = found.slice(0, page.limit)
      const last = found.length > page.limit ? rows.at(-1) : undefined
      const next: Record<string, Position> = last ? { [name]: positionOf(last) } : {}
      const body = rows.filter(({ id }) => isId(id)).map((record) => projection.project({ record }))
      const leftOut = rows.filter(({ id }) => !isId(id)).map(() => wrongId)
      const ends = [rows[0], rows.at(-1)].map((row) => row && { updated: row.time })
      return { body, next, completeSince, leftOut, ...spanOf(ends) }
    },
  }
}

interface DeletionListing {
  readonly categories: readonly Category[]
  readonly eventId: string
  readonly filter: GuestFilter | undefined
  readonly page: PageRequest
}

/** A row of the list, which is latest first, then by id and category, descending. */
interface Row {
  readonly time: number
  readonly id: string
  readonly category: string
}

function positionOf({ time, id, category }: Row): Position {
  return [time, `${id} ${category}`]
}

/**
 * The default and a negative `since` reach back as far as deletions are known.
 * @throws {Problem} if another one reaches back further: the copy must be made again.
 */
function resolveSince({ since }: PageRequest, completeSince: number): number {
  if (since === defaultSince || since < 0) return Math.max(since, completeSince)
  if (since >= completeSince) return since
  throw usualProblem("resync_required", { headers: { "complete-since": String(completeSince) } })
}

/** Finds where `offset` rows have been skipped; undefined past the end. Counts rows that are left out as well. */
async function findPosition(
  snapshot: Snapshot,
  listing: DeletionListing,
): Promise<Position | undefined> {
  const { categories, page: { offset } } = listing
  if (offset === 0) return beginning
  const lists = categories.map((category) => deletionsIn(snapshot, category, listing).limit(offset))
  const [row] = await snapshot.run(sorted(snapshot, lists).limit(1).offset(offset - 1))
  return row && positionOf(row)
}

function deletionsAfter(snapshot: Snapshot, listing: DeletionListing, position: Position) {
  const { categories, page: { limit } } = listing
  const lists = categories.map((category) =>
    deletionsIn(snapshot, category, listing)
      .where(isAfterRow(position, category))
      .where(contentOf(snapshot, category, listing).isGone)
      .limit(limit + 1)
  )
  return sorted(snapshot, lists).limit(limit + 1)
}

/**
 * The records of a category that an event has in a list, as `record`, and its deletions, as `deletion`; with a filter, the
 * last one of each guest that has left the list. `isGone` matches those of records that have not come back.
 */
export function contentOf(
  { db }: { readonly db: Pick<Snapshot["db"], "selectFrom"> },
  category: Category,
  { eventId, filter }: {
    readonly eventId: string | Expression<string>
    readonly filter: GuestFilter | undefined
  },
) {
  const departures = "departure as deletion" as "deletion"
  return {
    records: db.selectFrom(tableOf(category))
      .where("record.event_id", "=", eventId)
      .$if(filter !== undefined, (query) => query.where(isChosenSql(filter))),
    deletions: db.selectFrom(filter ? departures : "deletion")
      .where("deletion.event_id", "=", eventId)
      .where(filter ? isLastOfList(filter) : (eb) => eb("deletion.category", "=", category)),
    isGone: ({ not, exists, selectFrom }: ExpressionBuilder<Schema, "deletion">) =>
      not(exists(
        selectFrom(tableOf(category))
          .select("record.id")
          .where("record.event_id", "=", eventId)
          .whereRef("record.id", "=", "deletion.record_id")
          .$if(filter !== undefined, (query) => query.where(isChosenSql(filter))),
      )),
  }
}

/** Matches the rows of a category after a position. The first condition gives databases a range of the index. */
function isAfterRow([time, place]: Position, category: Category) {
  const [id = "", last = ""] = place.split(" ")
  return sql<SqlBool>`(deletion.at <= ${time} and (deletion.at < ${time}
    or deletion.record_id < ${id}
    or (deletion.record_id = ${id} and ${sql.lit(category < last ? 1 : 0)} = 1)))`
}

/** The deletions of one category, latest first. */
function deletionsIn(
  { db, dialect }: Snapshot,
  category: Category,
  { eventId, filter, page }: DeletionListing,
) {
  const own = "deletion.category" as const
  return contentOf({ db }, category, { eventId, filter }).deletions
    .select("deletion.record_id as id")
    .select(filter ? sql.lit<string>(category).as("category") : own)
    .select("deletion.at as time")
    .where("deletion.at", ">=", page.since)
    .where(inBucket(dialect, "deletion.record_id", page))
    .orderBy("deletion.at", "desc")
    .orderBy("deletion.record_id", "desc")
}

/** Unites the lists of several categories into one, latest first. */
function sorted({ db }: Snapshot, lists: readonly ReturnType<typeof deletionsIn>[]) {
  return db
    .selectFrom(unite(db, lists).as("page"))
    .selectAll()
    .orderBy("page.time", "desc")
    .orderBy("page.id", "desc")
    .orderBy("page.category", "desc")
}
