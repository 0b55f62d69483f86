import { sql } from "kysely"
import {
  changeOf,
  CompiledStatement,
  type Database,
  eventOfRow,
  type Found,
  listOfRow,
} from "../../../core/capability.ts"

/** A list of an event that has changed: any list, if `list` is null. */
export type ListChange = Omit<Found["changes"][number], "organization">

/** A part of the changes. */
interface Part<From> {
  readonly changes: readonly ListChange[]
  /** Where the next part begins; undefined after the last one. */
  readonly next: From | undefined
}

/** Numbers of the log that a part is of, so that no statement takes long; and events. */
const span = 50_000
const mostEvents = 500

interface Row {
  readonly event_id: string | null
  readonly list: string | null
  readonly seq: number | null
  readonly at: number | null
}

/**
 * Reads a part of all visible changes behind a number, each list with its last one. Also finds what is no longer in the
 * log, as changes of any list. @throws as the database does.
 */
export async function readBehind(
  database: Pick<Database, "readOnce">,
  from: number,
): Promise<Part<number>> {
  const upTo = from + span
  const rows = await database.readOnce((reader) => reader.run(parts.with(reader, { from, upTo })))
  const top = rows.find(({ event_id }) => event_id === null)?.seq ?? from
  const changes = rows.flatMap((row) => row.event_id === null ? [] : [changeOf(row)])
  return { changes, next: Number(top) <= upTo ? undefined : upTo }
}

/**
 * Returns all events behind an id, as changes of any list: for a log that says nothing of what has changed.
 * @throws as the database does.
 */
export async function readAll(
  database: Pick<Database, "readOnce">,
  after: string,
): Promise<Part<string>> {
  const rows = await database.readOnce(({ db, dialect, run }) =>
    run(
      db.selectFrom("event").select(["id", dialect.now.as("at")])
        .where("id", ">", after).orderBy("id").limit(mostEvents),
    )
  )
  return {
    changes: rows.map(({ id, at }) => ({
      event: id,
      list: null,
      at,
      seq: 0,
      version: `all ${at}`,
    })),
    next: rows.length < mostEvents ? undefined : rows.at(-1)?.id,
  }
}

/**
 * Returns a row per list that has changes in a range of numbers, and per event that has had some which are no longer in the
 * log; and a row with the last number that there is.
 */
const parts = new CompiledStatement<"from" | "upTo", Row>(({ db, dialect }, slot) => {
  const first = sql`(select min(seq) from event_change)`
  const top =
    sql`coalesce((select max(seq) from event_change), (select max(seq) from event_version))`
  const groups = sql<Row>`
    select ${eventOfRow} as event_id, ${listOfRow} as list, max(recent.seq) as seq, max(recent.at) as at
    from event_change as recent ${dialect.byPrimaryKey ?? sql``}
    where recent.seq > ${slot("from")} and recent.seq <= ${slot("upTo")}
    group by 1, 2
    union all
    select folded.event_id, '', folded.seq, ${dialect.now} from event_version as folded
    where folded.seq > ${slot("from")} and folded.seq <= ${slot("upTo")}
      and coalesce(${first} > ${slot("from")} + 1, 1)`
  const rows = sql<
    Row
  >`select * from (${groups}) as lists union all select null, null, ${top}, null`
  return db.selectFrom(sql<Row>`(${rows})`.as("page")).selectAll()
})
