import type { Snapshot } from "../data/database.ts"
import type { AddressKind } from "../data/record-tables.ts"
import { prepareKnown } from "./known-pages.ts"
import { columnsOf, queryPage, selections } from "./newest-first.ts"
import { isSkipping } from "./page.ts"
import type { Projection } from "./projection.ts"
import { type Companion, type CompanionRow, readPages } from "./read-pages.ts"
import { recordParameters, type Resource } from "./resource.ts"
import { rankOfOffset } from "./stable-offset.ts"

/** The guests of an event, as a JSON array of what the projection lets through. */
export const guests: Resource<Projection<"Guest">> = {
  name: "guests",
  summary: "The guests of an event, newest first.",
  scope: "event",
  parameters: recordParameters,
  records: "Guest",
  categories: ["guests"],
  emptyBody: [],
  async list(snapshot, { eventId }, page, projection) {
    const { searched } = projection
    const listing = { category: "guests", eventId, page, searched } as const
    const companions = [
      ...consentsOf(projection, snapshot, eventId),
      ...addressesOf(projection, snapshot, eventId),
    ]
    const ranks = isSkipping(page) ? await rankOfOffset(snapshot, [listing]) : {}
    const { guests: offset = page.offset } = ranks
    const query = queryPage(snapshot, listing, { projection, offset, companions })
    return await readPages(snapshot, page.asLines ? "lines" : "list", { guests: query })
  },
  known: ({ eventId }, page, projection) =>
    prepareKnown("list", { eventId, page, projections: { guests: projection } }),
}

/** The consent records of guests; none if the projection needs no column of them. */
function consentsOf(
  projection: Projection<"Guest">,
  snapshot: Snapshot,
  eventId: string,
): Companion[] {
  const columns = columnsOf(projection, "consent")
  const query: Companion["query"] = (ids) =>
    companionRows(snapshot, "consent", { eventId, ids, columns })
  return columns.length > 0 ? [{ relations: ["consent"], query }] : []
}

const addressKinds: readonly AddressKind[] = ["main", "gift_aid", "tax_receipt"]

/** The addresses of guests, each under a relation that is named after its kind; none if none is needed. */
function addressesOf(
  projection: Projection<"Guest">,
  snapshot: Snapshot,
  eventId: string,
): Companion[] {
  const wanted = addressKinds.flatMap((kind) => columnsOf(projection, kind))
  const columns = ["address.kind", ...wanted]
  const query: Companion["query"] = (ids) =>
    companionRows(snapshot, "address", { eventId, ids, columns })
  return wanted.length > 0 ? [{ relations: addressKinds, query }] : []
}

/**
 * Queries the rows of a table that belong to some guests: these columns, and the guest's place among
 * the ids. A guest without one has a row of nulls, because the join is from the left. Consents and
 * addresses are read by statements of their own: four wide look-ups per guest in one join would take
 * twice the time.
 */
function companionRows(
  { db, dialect }: Snapshot,
  table: "consent" | "address",
  { eventId, ids, columns }: {
    readonly eventId: string
    readonly ids: readonly string[]
    readonly columns: readonly string[]
  },
) {
  return db
    .selectFrom(dialect.tableOf(ids).as("wanted"))
    .leftJoin(
      // Both tables have the columns that are used here.
      `${table} as beside` as "address as beside",
      (join) => join.onRef("beside.guest_id", "=", "wanted.id").on("beside.event_id", "=", eventId),
    )
    .select("wanted.place")
    .select(selections(new Set(columns.map((column) => column.replace(/^\w+/, "beside")))))
    .$castTo<CompanionRow>()
}
