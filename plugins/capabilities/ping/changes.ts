import { type RawBuilder, sql } from "kysely"
import { CompiledStatement, type Database, type Dialect } from "../../../core/capability.ts"
import type { ListName } from "./pending.ts"

/** A list of an event that has changed: any list, if `list` is null. */
export interface Change {
  readonly event: string
  readonly list: ListName | null
  /** The time of the last change, in Unix seconds. */
  readonly changed: number
  /** The number of the last change in the log. */
  readonly seq: number
  /** Another one whenever a change has become visible: one may with a number before the last one. */
  readonly version: string
}

/** What a look has found. */
export interface Look {
  readonly changes: readonly Change[]
  /** The number up to which all changes were visible; undefined if the log is empty and the database counts nothing. */
  readonly settled: number | undefined
}

/** A part of the changes behind a number. */
export interface Part {
  readonly changes: readonly Change[]
  /** The number behind which the next part begins; undefined after the last one. */
  readonly next: number | undefined
}

/** Marks are summed up modulo this: the embedded database adds no larger ones. */
const range = 2 ** 32

/** Numbers of the log that a part is of, so that no statement takes long. */
const span = 50_000

/** The most changes of a part, where one of any list counts as three: memory has room for all that they stand for. */
export const mostChanges = 400

/** The same, if each is of any list. */
const mostEvents = Math.floor(mostChanges / 3)

/** A row per event and list. Sums may come as text. */
interface Row {
  readonly event_id: string | null
  readonly list: string | null
  readonly seq: number | null
  readonly at: number | null
  readonly changes: number
  readonly marks: number | string
  readonly later_changes: number
  readonly later_marks: number | string
}

/**
 * Finds the lists that have changed from one look at the log to the next, with one statement for all. Rows may be
 * committed in another order than their numbers say: so a look compares, by list, the rows that are not settled: how many
 * there are, and the sum of their random marks. What is settled gets no more rows, so the next look begins behind it.
 */
export class Changes {
  readonly #database: Pick<Database, "readOnce">
  /** The number behind which the next look begins; undefined before the first look. */
  #from: number | undefined
  /** By list: the rows behind that number at the last look. */
  #known = new Map<string, { readonly signature: string; readonly seq: number }>()

  constructor(database: Pick<Database, "readOnce">) {
    this.#database = database
  }

  /**
   * Returns the lists of which changes have become visible since the last look; none at the first.
   * @throws as the database does: the next look then compares with the one before.
   */
  async look(): Promise<Look> {
    const from = this.#from
    const rows = await this.#database.readOnce((reader) =>
      reader.run(looks.with(reader, { from: from ?? Number.MAX_SAFE_INTEGER }))
    )
    const settled = rows.find(({ event_id }) => event_id === null)?.seq ?? undefined
    this.#from = settled ?? from ?? 0
    // The first look only finds out where to begin; the second one reads what is not settled then.
    if (from === undefined) return { changes: [], settled: (await this.look()).settled }
    const lists = rows.filter(({ event_id }) => event_id !== null)
    const changes = lists.flatMap((row) => {
      const known = this.#known.get(keyOf(row))
      if (known?.signature === signature(row.changes, row.marks)) return []
      const { seq } = row
      const isLate = known !== undefined && known.seq >= Number(seq)
      return [changeOf(row, isLate ? `${seq} ${row.marks}` : `${seq}`)]
    })
    this.#known = new Map(
      lists.filter(({ later_changes }) => Number(later_changes) > 0).map((row) => [
        keyOf(row),
        { signature: signature(row.later_changes, row.later_marks), seq: Number(row.seq) },
      ]),
    )
    return { changes, settled }
  }

  /**
   * Reads a part of all visible changes behind a number, each list with its last one, in the order of these. After it, a
   * list is either in it or has a later change behind `next`. Also finds what is no longer in the log, as changes of any list.
   * @throws as the database does.
   */
  async readBehind(from: number): Promise<Part> {
    const upTo = from + span
    const rows = await this.#database.readOnce((reader) =>
      reader.run(parts.with(reader, { from, upTo }))
    )
    const top = rows.find(({ event_id }) => event_id === null)?.seq ?? from
    const all = rows.flatMap((row) => row.event_id === null ? [] : [changeOf(row, `${row.seq}`)])
    let count = 0
    const changes = all.filter(({ list }) => (count += list === null ? 3 : 1) <= mostChanges)
    const last = count >= mostChanges ? changes.at(-1)?.seq : undefined
    return { changes, next: last ?? (Number(top) <= upTo ? undefined : upTo) }
  }

  /**
   * Returns ids of events that an account may read as changes of any list, in their order behind one: for a log that says
   * nothing of what has changed. `next` is the last id; undefined after the last part.
   * @throws as the database does.
   */
  async readAll(
    accountId: string,
    after: string,
  ): Promise<{ readonly changes: readonly Change[]; readonly next: string | undefined }> {
    const rows = await this.#database.readOnce(({ db, dialect, run }) =>
      run(
        db.selectFrom("event").select(["event.id", dialect.now.as("now")])
          .where("event.id", ">", after)
          .where((eb) =>
            eb.exists(
              eb.selectFrom("access_grant as g").select("g.id")
                .where("g.account_id", "=", accountId)
                .where((eb) =>
                  eb.or([
                    eb("g.organization_id", "=", eb.ref("event.organization_id")),
                    eb("g.event_id", "=", eb.ref("event.id")),
                  ])
                ),
            )
          )
          .orderBy("event.id").limit(mostEvents),
      )
    )
    return {
      changes: rows.map(({ id, now }) => ({
        event: id,
        list: null,
        changed: now,
        seq: 0,
        version: `all ${now}`,
      })),
      next: rows.length < mostEvents ? undefined : rows.at(-1)?.id,
    }
  }
}

function signature(changes: number, marks: number | string): string {
  return `${Number(changes)} ${Number(marks)}`
}

function keyOf({ event_id, list }: Row): string {
  return `${event_id} ${list}`
}

function changeOf({ event_id, list, seq, at }: Row, version: string): Change {
  const name = list === "guests" || list === "events" || list === "items" ? list : null
  return {
    event: String(event_id),
    list: name,
    changed: Number(at),
    seq: Number(seq),
    version,
  }
}

/** Returns the number up to which all changes are visible, as a part of a statement. */
export function settledBy({ byPrimaryKey }: Dialect): RawBuilder<number> {
  return byPrimaryKey
    ? sql`(select settled from change_state where id = 1)`
    : sql`(select max(seq) from event_change)`
}

/** The list of a row of the log; empty if anything may have changed. */
const listOfRow = sql`case when recent.category is null then ''
  when recent.category in ('guests', 'events') then recent.category else 'items' end`

/** By the column itself, the embedded database would group in the order of an index, and read all of that. */
const eventOfRow = sql`concat(recent.event_id, '')`

/** Returns a row per list that has changes behind `from`, and a row that says up to where all is settled. */
const looks = new CompiledStatement<"from", Row>(({ db, dialect }, slot) => {
  const settled = settledBy(dialect)
  const marks = sql`recent.mark % ${sql.lit(range)}`
  const groups = sql<Row>`
    select ${eventOfRow} as event_id, ${listOfRow} as list, max(recent.seq) as seq,
      max(recent.at) as at, count(*) as changes, sum(${marks}) as marks,
      sum(case when recent.seq > ${settled} then 1 else 0 end) as later_changes,
      sum(case when recent.seq > ${settled} then ${marks} else 0 end) as later_marks
    from event_change as recent ${dialect.byPrimaryKey ?? sql``}
    where recent.seq > ${slot("from")}
    group by 1, 2
    union all
    select null, null, ${settled}, 0, 0, 0, 0, 0`
  return db.selectFrom(sql<Row>`(${groups})`.as("page")).selectAll()
})

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
      and coalesce(${first} > ${slot("from")} + 1, 1)
    order by seq limit ${sql.lit(mostChanges)}`
  const rows = sql<
    Row
  >`select * from (${groups}) as lists union all select null, null, ${top}, null`
  return db.selectFrom(sql<Row>`(${rows})`.as("page")).selectAll()
})
