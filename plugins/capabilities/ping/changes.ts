import { sql } from "kysely"
import {
  changeOf,
  CompiledStatement,
  type Database,
  eventOfRow,
  listOfRow,
  type TailResult,
} from "../../../core/capability.ts"

/** An event's list that has changed; if `list` is null, any of its lists. */
export type ListChange = Omit<TailResult["changes"][number], "organization">

/** The most log numbers that a statement reads, so that none takes long. */
const span = 50_000

interface Row {
  readonly event_id: string | null
  readonly list: string | null
  readonly seq: number | null
  readonly at: number | null
}

/**
 * Reads a part of the visible changes after a log number: the last change of each list. Returns where the next part
 * begins, undefined after the last part. A change that is no longer in the log counts for all lists of its event. After
 * a negative number, all events count as changed, since the log does not say which have. @throws as the database does.
 */
export async function readBehind(
  database: Pick<Database, "readOnce">,
  from: number,
): Promise<{ readonly changes: readonly ListChange[]; readonly next: number | undefined }> {
  const upTo = from + span
  const rows = await database.readOnce((reader) => reader.run(parts.with(reader, { from, upTo })))
  const top = rows.find(({ event_id }) => event_id === null)?.seq ?? from
  const changes = rows.flatMap((row) => row.event_id === null ? [] : [changeOf(row)])
  return { changes, next: from < 0 || Number(top) <= upTo ? undefined : upTo }
}

/**
 * Returns a row per list with changes in a range of numbers, a row per event with changes that are no longer in the
 * log, and a row with the last number.
 */
const parts = new CompiledStatement<"from" | "upTo", Row>(({ db, dialect }, slot) => {
  const first = sql`(select min(seq) from event_change)`
  const top =
    sql`coalesce((select max(seq) from event_change), (select max(seq) from event_version))`
  const groups = sql<Row>`
    select ${eventOfRow} as event_id, ${listOfRow} as list, max(recent.seq) as seq, max(recent.at) as at
    from event_change as recent ${dialect.byPrimaryKey}
    where recent.seq > ${slot("from")} and recent.seq <= ${slot("upTo")} and ${slot("from")} >= 0
    group by 1, 2
    union all
    select folded.event_id, '', folded.seq, ${dialect.now} from event_version as folded
    where folded.seq > ${slot("from")} and folded.seq <= ${slot("upTo")} and ${slot("from")} >= 0
      and coalesce(${first} > ${slot("from")} + 1, 1)
    union all
    select event.id, '', 0, ${dialect.now} from event where ${slot("from")} < 0`
  const rows = sql<
    Row
  >`select * from (${groups}) as lists union all select null, null, ${top}, null`
  return db.selectFrom(sql<Row>`(${rows})`.as("page")).selectAll()
})
