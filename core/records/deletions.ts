import { sql, type SqlBool } from "kysely"
import * as v from "valibot"
import { categories, type Category } from "./categories.ts"
import type { Snapshot } from "../data/database.ts"
import { integer, text, uuid } from "./fields.ts"
import { itemCategories } from "./items.ts"
import { inBucket } from "./newest.ts"
import { defaultSince, type ListResult, type PageRequest, type Position } from "./page.ts"
import { pick, type Projection, recordType } from "./projection.ts"
import { recordParameters, type Resource, type Scope } from "./resource.ts"

/** A guest that is gone; `deleted` is when, in Unix seconds. */
export const guestDeletion = recordType("GuestDeletion", {
  id: uuid("record.id"),
  deleted: integer("record.time"),
})

/** An item that is gone, and the category it was in. */
export const itemDeletion = recordType("ItemDeletion", {
  id: uuid("record.id"),
  category: { ...text("record.category"), schema: v.picklist(itemCategories) },
  deleted: integer("record.time"),
})

/** Everything about a deleted guest that is still known. */
export const wholeGuestDeletion = pick(guestDeletion, ["id", "deleted"])
/** Everything about a deleted item that is still known. */
export const wholeItemDeletion = pick(itemDeletion, ["id", "category", "deleted"])

/** The guests of an event that have been deleted, latest first. */
export const guestDeletions = deletionsOf<"GuestDeletion">("guest deletions", ["guests"])

/** The items of an event that have been deleted, of all categories in one list, latest first. */
export const itemDeletions = deletionsOf<"ItemDeletion">("item deletions", itemCategories)

/** A `since` from before which deletions are no longer known. The copy has to be made anew. */
export class ResyncRequired extends Error {
  override readonly name = "ResyncRequired"
  /** Unix seconds from which on deletions are known. */
  readonly completeSince: number

  constructor(completeSince: number) {
    super(`Deletions are known from ${completeSince} on.`)
    this.completeSince = completeSince
  }
}

/**
 * Deletions come from the change log. Its rows are only added, so that they have fixed positions
 * from the end on. A record that is there again is left out: within the snapshot it is not deleted.
 * The page is filled up from what follows, so leaving out never makes a page look like the last.
 */
function deletionsOf<Name extends string>(
  name: string,
  among: readonly Category[],
): Resource<Projection<Name>> {
  return {
    name,
    summary: `The ${name} of an event, latest first.`,
    hasHorizon: true,
    scope: "event",
    parameters: recordParameters,
    async list(snapshot, scope, page, projection): Promise<ListResult> {
      const completeSince = await findHorizon(snapshot)
      const since = sinceIn(page, completeSince)
      const listing = { among, scope, page: { ...page, since } }
      const from = page.after
        ? page.after[name] && after(page.after[name])
        : await findPosition(snapshot, listing)
      if (!from) return { body: [], next: {}, completeSince }
      const found = await snapshot.run(deletionsFrom(snapshot, listing, from))
      const rows = found.slice(0, page.limit)
      const last = found.length > page.limit ? rows.at(-1) : undefined
      const next: Record<string, Position> = last ? { [name]: [last.time, String(last.seq)] } : {}
      return { body: rows.map((record) => projection.project({ record })), next, completeSince }
    },
  }
}

interface DeletionListing {
  readonly among: readonly Category[]
  readonly scope: Scope
  readonly page: PageRequest
}

/** Where a page begins: at this row of the log, if it is there, and with what is older. */
interface From {
  readonly time: number
  readonly seq: number
}

const fromTheFirst: From = { time: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER }

function after([time, seq]: Position): From {
  return { time, seq: Number(seq) - 1 }
}

/** The default of `since` reaches back as far as the log does; any other must be within it. */
function sinceIn({ since }: PageRequest, completeSince: number): number {
  if (since === defaultSince) return Math.max(since, completeSince)
  if (Math.max(since, 0) < completeSince) throw new ResyncRequired(completeSince)
  return since
}

/** From when on the log has every deletion. */
export async function findHorizon({ db, run }: Pick<Snapshot, "db" | "run">): Promise<number> {
  const [row] = await run(
    db.selectFrom("change_log_horizon").select("complete_since").where("id", "=", 1),
  )
  return row?.complete_since ?? 0
}

/** The row at position `offset`; undefined behind the last one. Positions count what was left out, too. */
async function findPosition(
  snapshot: Snapshot,
  { among, scope, page }: DeletionListing,
): Promise<From | undefined> {
  if (page.offset === 0) return fromTheFirst
  const branches = among.map((category) =>
    logOf(snapshot, { category, scope, page }).limit(page.offset + 1)
  )
  const [row] = await snapshot.run(
    union(snapshot, branches).limit(1).offset(page.offset),
  )
  return row
}

function deletionsFrom(snapshot: Snapshot, { among, scope, page }: DeletionListing, from: From) {
  const branches = among.map((category) =>
    logOf(snapshot, { category, scope, page })
      .where(sql<SqlBool>`log.at <= ${from.time}`)
      .where(sql<SqlBool>`(log.at < ${from.time} or log.seq <= ${from.seq})`)
      .where(({ not, exists, selectFrom }) =>
        not(exists(
          selectFrom(`${categories[category]} as record` as "guest as record")
            .select("record.id")
            .where("record.event_id", "=", scope.eventId)
            .whereRef("record.id", "=", "log.record_id"),
        ))
      )
      .limit(page.limit + 1)
  )
  return union(snapshot, branches).limit(page.limit + 1)
}

/** The deletions of one category, latest first. */
function logOf(
  { db }: Snapshot,
  { category, scope, page }: {
    readonly category: Category
    readonly scope: Scope
    readonly page: PageRequest
  },
) {
  return db
    .selectFrom("change_log as log")
    .select([
      "log.record_id as id",
      "log.category",
      "log.at as time",
      "log.seq",
    ])
    .where("log.event_id", "=", scope.eventId)
    .where("log.category", "=", category)
    .where("log.operation", "=", "delete")
    .where("log.at", ">=", page.since)
    .$if(
      Boolean(page.bucket),
      (query) => query.where(inBucket("log.record_id", page.bucket ?? "")),
    )
    .orderBy("log.at", "desc")
    .orderBy("log.seq", "desc")
}

/** Several limited lists as one, latest first. */
function union({ db }: Snapshot, branches: readonly ReturnType<typeof logOf>[]) {
  const [first, ...others] = branches.map((branch, index) =>
    db.selectFrom(branch.as(`page_${index}`)).selectAll()
  )
  if (!first) throw new TypeError("Cannot list deletions of no category")
  const all = others.reduce((union, other) => union.unionAll(other), first)
  return db
    .selectFrom(all.as("page"))
    .selectAll()
    .orderBy("page.time", "desc")
    .orderBy("page.seq", "desc")
}
