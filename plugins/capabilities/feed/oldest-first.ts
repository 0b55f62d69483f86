import { sql, type SqlBool } from "kysely"
import {
  categories,
  type Category,
  contentOf,
  isId,
  type List,
  type OmittedRecord,
  type Snapshot,
  unite,
} from "../../../core/capability.ts"
import type { FeedPosition } from "./walk.ts"

/** The key of a change of an event: of a present record, or of a deletion. */
export interface ChangeKey {
  /** The record's `updated`, or when it was deleted; Unix seconds. */
  readonly time: number
  readonly category: Category
  readonly id: string
  readonly isDeleted: boolean
}

/** Which changes of an event are read. */
export interface ChangesQuery {
  readonly eventId: string
  readonly categories: readonly Category[]
  /** Which guests the family has; undefined for all. */
  readonly filter?: List["filter"]
  /** Records that changed since then. */
  readonly since: number
  /** Records that were deleted since then. */
  readonly gone: number
  /** Only changes after this one; undefined for the first page. */
  readonly after: FeedPosition | undefined
  readonly limit: number
}

/** Consecutive changes. */
interface OldestChanges {
  /** Without those whose id is not a UUID. */
  readonly changes: readonly ChangeKey[]
  /** The place of the last one, which may be left out; undefined if there is none. */
  readonly last: FeedPosition | undefined
  /** True if others follow. */
  readonly more: boolean
  readonly leftOut: readonly OmittedRecord[]
}

/** A stream is the deletions or the records of a category. Positions contain its number, which never changes. */
const names = Object.keys(categories) as readonly Category[]
const firstOfRecords = 100

/**
 * Reads the keys of changes, oldest first: of the records in the snapshot, and of deletions whose records were not inserted
 * again. Reads a range of an index for each stream, at most one row more than the limit.
 */
export async function oldestFirst(snapshot: Snapshot, query: ChangesQuery): Promise<OldestChanges> {
  const { limit } = query
  const parts = query.categories.flatMap((category) => {
    const stream = names.indexOf(category)
    return [
      ...rangesOf(stream, query.gone, query).map((range) => deleted(snapshot, query, range)),
      ...rangesOf(stream + firstOfRecords, query.since, query)
        .map((range) => present(snapshot, query, range)),
    ]
  })
  const found = await snapshot.run(
    snapshot.db.selectFrom(unite(snapshot.db, parts).as("page")).selectAll()
      .orderBy("page.time").orderBy("page.stream").orderBy("page.id").limit(limit + 1),
  )
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const changes = rows.filter(({ id }) => isId(id)).map(keyOf)
  return {
    changes,
    last: last && [last.time, last.stream, last.id],
    more: found.length > limit,
    leftOut: rows.filter(({ id }) => !isId(id)).map(() => ({ id: undefined, column: "id" })),
  }
}

/** Finds the records with an id, as given or in lower case. Several categories may have the same id. */
export async function findById(
  snapshot: Snapshot,
  { id, ...query }: Pick<ChangesQuery, "eventId" | "categories" | "filter"> & {
    readonly id: string
  },
): Promise<readonly ChangeKey[]> {
  const parts = query.categories.map((category) =>
    records(snapshot, query, category).where("record.id", "in", [id, id.toLowerCase()])
  )
  return (await snapshot.run(unite(snapshot.db, parts))).map(keyOf)
}

interface Row {
  readonly time: number
  readonly stream: number
  readonly id: string
}

function keyOf({ time, stream, id }: Row): ChangeKey {
  const category = names[stream % firstOfRecords] as Category
  const isDeleted = stream < firstOfRecords
  return { time, category, id, isDeleted }
}

/** A range of a stream and its index: everything from a time on, or the ids of one time after an id. */
interface Range {
  readonly stream: number
  readonly time: number
  readonly behind?: string
}

/** Returns the ranges of a stream after the position. */
function rangesOf(stream: number, from: number, { after }: ChangesQuery): readonly Range[] {
  if (!after) return [{ stream, time: from }]
  const [time, at, behind] = after
  const rest = { stream, time: Math.max(from, stream > at ? time : time + 1) }
  return stream === at ? [{ stream, time, behind }, rest] : [rest]
}

function isIn({ time, behind }: Range, at: string, id: string) {
  if (behind === undefined) return sql<SqlBool>`${sql.ref(at)} >= ${time}`
  return sql<SqlBool>`(${sql.ref(at)} = ${time} and ${sql.ref(id)} > ${behind})`
}

function records(
  { db }: Snapshot,
  query: Pick<ChangesQuery, "eventId" | "filter">,
  category: Category,
) {
  const stream = sql.lit(names.indexOf(category) + firstOfRecords)
  return contentOf({ db }, category, chosenBy(query, category)).records
    .select(["record.id", "record.updated as time", stream.as("stream")])
    .$castTo<Row>()
}

/** Filters apply to guests only. */
function chosenBy({ eventId, filter }: Pick<ChangesQuery, "eventId" | "filter">, of: Category) {
  return { eventId, filter: of === "guests" ? filter : undefined }
}

function present(snapshot: Snapshot, query: ChangesQuery, range: Range) {
  const category = names[range.stream - firstOfRecords] as Category
  return records(snapshot, query, category)
    .modifyFront(snapshot.dialect.byIndex("record", `${categories[category]}_newest`))
    .where(isIn(range, "record.updated", "record.id"))
    .orderBy("record.updated")
    .orderBy("record.id")
    .limit(query.limit + 1)
}

function deleted({ db }: Snapshot, query: ChangesQuery, range: Range) {
  const category = names[range.stream] as Category
  const { deletions, isGone } = contentOf({ db }, category, chosenBy(query, category))
  return deletions
    .select(["deletion.record_id as id", "deletion.at as time"])
    .select(sql.lit(range.stream).as("stream"))
    .where(isIn(range, "deletion.at", "deletion.record_id"))
    .where(isGone)
    .orderBy("deletion.at")
    .orderBy("deletion.record_id")
    .limit(query.limit + 1)
    .$castTo<Row>()
}
