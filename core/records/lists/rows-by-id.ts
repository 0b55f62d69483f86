import { sql } from "kysely"
import type { Reader } from "../../data/database.ts"
import type { AddressKind } from "../../data/record-tables.ts"
import { categories, type Category } from "../kinds/categories.ts"
import type { Projection } from "../kinds/projection.ts"
import type { Companion, CompanionRow } from "./read-pages.ts"

/** Records whose ids are known. */
export interface RecordsQuery {
  readonly eventId: string
  readonly category: Category
  readonly projection: Projection
  /** True to read their versions. */
  readonly isVersioned?: boolean
}

/**
 * Returns how records with known ids are read with everything that belongs to them: by one statement, because a few
 * records cost less in wide look-ups than in several statements.
 */
export function recordsIn(reader: Reader, query: RecordsQuery): Companion {
  const version = query.isVersioned ? ["record.export_version"] : []
  const columns = [...columnsOf(query.projection, "record"), ...version]
  return companion(reader, query, {
    relations: ["record"],
    tables: { [`${categories[query.category]} as record`]: "id" },
    columns,
  })
}

/**
 * Returns how the consents and addresses of guests are read (items have none): by a statement of their own, because
 * four wide look-ups per guest in one join would take longer.
 */
export function belongingsIn(reader: Reader, query: RecordsQuery): readonly Companion[] {
  const found = companion(reader, query, { relations: [], tables: {}, columns: [] })
  return found.relations.length + (found.kinds?.length ?? 0) > 0 ? [found] : []
}

/** The relations of a guest's addresses: each is named after a kind. */
const addressKinds: readonly AddressKind[] = ["main", "gift_aid", "tax_receipt"]

/** Returns how the consents and addresses that a projection needs are read beside other tables. */
function companion(
  reader: Reader,
  { eventId, projection }: RecordsQuery,
  { relations, tables, columns }: {
    readonly relations: readonly string[]
    /** With the column that has the id of the record. */
    readonly tables: Readonly<Record<string, string>>
    readonly columns: readonly string[]
  },
): Companion {
  const consent = columnsOf(projection, "consent")
  const addresses = addressKinds.flatMap((kind) => columnsOf(projection, kind))
    .map((column) => column.replace(/^\w+/, "address"))
  const address = addresses.length > 0 ? ["address.kind", ...addresses] : []
  const all = {
    ...tables,
    ...consent.length > 0 && { consent: "guest_id" },
    ...address.length > 0 && { address: "guest_id" },
  }
  return {
    relations: [...relations, ...consent.length > 0 ? ["consent"] : []],
    kinds: address.length > 0 ? addressKinds : [],
    query: (ids) =>
      queryRows(reader, eventId, {
        tables: all,
        columns: new Set([...columns, ...consent, ...address]),
        ids,
      }),
  }
}

/**
 * Queries the rows that belong to some records: those of `tables`, by the column that has the id of the record. A record
 * without one has a row of nulls, because the join is from the left. All columns must have different names.
 */
export function queryRows(
  { db, dialect }: Reader,
  eventId: string,
  { tables, columns, ids }: {
    readonly tables: Readonly<Record<string, string>>
    readonly columns: Iterable<string>
    readonly ids: readonly string[]
  },
) {
  const wanted = db.selectFrom(dialect.tableOf(ids).as("wanted")).select("wanted.place")
  return Object.entries(tables)
    .reduce((query, [table, id]) => {
      const alias = table.replace(/^.* as /, "")
      return query.leftJoin(
        table as "guest as record",
        (join) =>
          join.onRef(`${alias}.${id}` as "record.id", "=", "wanted.id")
            .on(`${alias}.event_id` as "record.event_id", "=", eventId),
      ) as never
    }, wanted)
    .select(selections(columns) as never)
    .$castTo<CompanionRow>()
}

/** Returns the columns of one relation that a projection needs. */
export function columnsOf({ columns }: Projection, relation: string): string[] {
  return columns.filter((column) => column.startsWith(`${relation}.`))
}

/** Columns (`relation.column`), each selected under its own name. */
export function selections(columns: Iterable<string>) {
  return [...columns].map((column) => sql.ref(column).as(column.slice(column.indexOf(".") + 1)))
}
