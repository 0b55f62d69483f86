import { sql } from "kysely"
import { CompiledStatement, type Database } from "../../../core/capability.ts"

/** An event of which a change has become visible. */
interface ChangedEvent {
  readonly eventId: string
  /** The id of its organization; null if the event is gone. */
  readonly organizationId: string | null
}

/** Marks are summed up modulo this: the embedded database adds no larger ones. */
const range = 2 ** 32

/** The rows of an event in the log, or the last line, which has no event. Sums may come as text. */
interface Row {
  readonly event_id: string | null
  readonly organization_id: string | null
  readonly changes: number | null
  readonly marks: number | string
  readonly later_changes: number
  readonly later_marks: number | string
}

/**
 * Finds the events that have changed from one look at the log to the next, with one statement for all. Rows may be
 * committed in another order than their numbers say. So a look compares, by event, the rows that are not settled: their
 * number, and the sum of their random marks. What is settled gets no more rows, so the next look begins behind it.
 */
export class RecentChanges {
  readonly #database: Pick<Database, "readOnce">
  /** The number behind which the next look begins; undefined before the first look. */
  #from: number | undefined
  /** By event: the rows behind that number at the last look. */
  #known = new Map<string, string>()

  constructor(database: Pick<Database, "readOnce">) {
    this.#database = database
  }

  /**
   * Returns the events of which changes have become visible since the last look: none at the first; undefined if the
   * log was emptied.
   * @throws as the database does: the next look then compares with the one before.
   */
  async look(): Promise<readonly ChangedEvent[] | undefined> {
    const from = this.#from
    const rows = await this.#database.readOnce((reader) =>
      reader.run(statement.with(reader, { from: from ?? Number.MAX_SAFE_INTEGER }))
    )
    // Of an empty log, the embedded database knows no number.
    const settled = rows.find(({ event_id }) => event_id === null)?.changes ?? from ?? 0
    this.#from = settled
    // The first look only finds out where to begin; the second one reads what is not settled then.
    if (from === undefined) return (await this.look()) && []
    const ofEvents = rows.filter(({ event_id }) => event_id !== null)
    const changed = ofEvents.filter(({ event_id, changes, marks }) =>
      this.#known.get(String(event_id)) !== signature(changes, marks)
    )
    this.#known = new Map(
      ofEvents.filter(({ later_changes }) => Number(later_changes) > 0).map((row) => [
        String(row.event_id),
        signature(row.later_changes, row.later_marks),
      ]),
    )
    if (settled < from) return undefined
    return changed.map(({ event_id, organization_id }) => ({
      eventId: String(event_id),
      organizationId: organization_id,
    }))
  }
}

function signature(changes: number | null, marks: number | string): string {
  return `${Number(changes)} ${Number(marks)}`
}

/** Returns a row per event that has changes behind `from`, and a row that says up to where all is settled. */
const statement = new CompiledStatement<"from", Row>(({ db, dialect }, slot) => {
  const settled = dialect.byPrimaryKey
    ? sql`(select settled from change_state where id = 1)`
    : sql`(select max(seq) from event_change)`
  const marks = sql`sum(recent.mark % ${sql.lit(range)})`
  const laterMarks = sql`sum(case when recent.seq > ${settled} then recent.mark % ${
    sql.lit(range)
  } else 0 end)`
  // By the column itself, the embedded database would group in the order of an index, and read all of that.
  const id = sql`concat(recent.event_id, '')`
  const groups = sql<Row>`
    select ${id} as event_id, max(event.organization_id) as organization_id, count(*) as changes, ${marks} as marks,
      sum(case when recent.seq > ${settled} then 1 else 0 end) as later_changes,
      ${laterMarks} as later_marks
    from event_change as recent ${dialect.byPrimaryKey ?? sql``}
    left join event on event.id = recent.event_id
    where recent.seq > ${slot("from")}
    group by ${id}
    union all
    select null, null, ${settled}, 0, 0, 0`
  return db.selectFrom(sql<Row>`(${groups})`.as("page")).selectAll()
})
