import { type RawBuilder, sql } from "kysely"
import { type GuestFilter, isChosenSql } from "./departures.ts"
import type { Reader } from "../data/database.ts"
import { loggedTables } from "../data/triggers.ts"
import { type EventChanges, selectRecentChanges } from "./versions.ts"

/** A row of the log, with the key that its record has at the same moment. */
export interface LoggedChange {
  readonly seq: number
  readonly mark: number
  /** The list that its record is of; `events` for the event itself; null if anything may have changed. */
  readonly category: string | null
  readonly id: string | null
  readonly isDeletion: boolean
  /** The record's time and version; undefined if it does not exist, or is of another table than those asked for. */
  readonly key: { readonly time: number; readonly version: number } | undefined
}

/** The newest rows of the log behind some row. */
export interface ChangesBehind {
  /** In no order. */
  readonly rows: readonly LoggedChange[]
  /** True if there are older ones as well. */
  readonly isCut: boolean
}

/** Upper bound for the rows that are read. */
const mostRows = 200

/**
 * Selects the rows of an event's log behind the row `behind` as one text, for `parseChanges`. Records of other tables than
 * `tables` have no key.
 */
export function selectChangesBehind(
  { dialect }: Pick<Reader, "dialect">,
  { eventId, behind, tables, filter }: {
    readonly eventId: RawBuilder<string>
    readonly behind: RawBuilder<number>
    readonly tables: readonly string[]
    /** Guests that it does not let through have no key. */
    readonly filter?: GuestFilter | undefined
  },
): RawBuilder<string | null> {
  const named = tables.map((table, index) => ({ table, alias: `record_${index}` }))
  const joins = named.map(({ table, alias }) =>
    sql`left join ${sql.table(table)} as ${sql.ref(alias)}
      on rest.category = ${sql.lit(loggedTables[table as keyof typeof loggedTables])}
      and ${sql.ref(`${alias}.event_id`)} = ${eventId}
      and ${sql.ref(`${alias}.id`)} = rest.record_id${
      filter ? sql` and ${isChosenSql(filter, alias)}` : sql``
    }`
  )
  const first = (column: string) =>
    sql`coalesce(null, ${sql.join(named.map(({ alias }) => sql.ref(`${alias}.${column}`)))})`
  const row = sql`json_array(seq, mark, category, record_id, deleted,
    ${first("updated")}, ${first("export_version")})`
  return sql`(select cast(${dialect.arrayOf(row)} as char) from (
    select ${dialect.byIndex("event_change", "event_change_event")}
      seq, mark, category, record_id, deleted from event_change
    where event_id = ${eventId} and seq > ${behind}
    order by seq desc limit ${sql.lit(mostRows + 1)}) as rest ${sql.join(joins, sql` `)})`
}

type Row = [number, number, string | null, string | null, number, number | null, number | null]

/** Reads what `selectChangesBehind` selects. */
export function parseChanges(text: string | null): ChangesBehind {
  const rows = (JSON.parse(text ?? "null") ?? []) as Row[]
  const isCut = rows.length > mostRows
  const oldest = isCut ? Math.min(...rows.map(([seq]) => seq)) : -Infinity
  return {
    isCut,
    rows: rows.filter(([seq]) => seq > oldest).map(
      ([seq, mark, category, id, deleted, time, version]) => ({
        seq,
        mark,
        // Without a version, a record may be any.
        category: time !== null && version === null ? null : category,
        id,
        isDeletion: deleted === 1,
        key: time === null || version === null ? undefined : { time, version },
      }),
    ),
  }
}

/** Selects what an event's version is made of, and the changes behind a row of its log, as one text for `parseEventState`. */
export function selectEventState(
  reader: Pick<Reader, "dialect">,
  { eventId, ...behind }: Parameters<typeof selectChangesBehind>[1],
): RawBuilder<string> {
  const folded = (column: "changes" | "mark") =>
    sql`coalesce((select ${sql.ref(column)} from event_version where event_id = ${eventId}), '')`
  return sql<string>`concat(${selectRecentChanges(eventId)}, '|', ${folded("changes")}, '|',
    ${folded("mark")}, '|', coalesce(${
    selectChangesBehind(reader, { eventId, ...behind })
  }, 'null'))`
}

/** Reads what `selectEventState` selects. */
export function parseEventState(
  id: string,
  text: string,
): { readonly event: EventChanges; readonly changes: ChangesBehind } {
  const [recent = "", changes = "", mark = ""] = text.split("|", 3)
  const numberOf = (folded: string) => folded === "" ? null : Number(folded)
  return {
    event: { id, recent, foldedChanges: numberOf(changes), foldedMark: numberOf(mark) },
    changes: parseChanges(text.split("|").slice(3).join("|")),
  }
}
