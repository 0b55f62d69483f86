import { sql } from "kysely"
import {
  CompiledStatement,
  type Database,
  eventOfRow,
  listOfRow,
  type VisibleChange,
} from "../../../core/capability.ts"

/** A list of an event that has changed: any list, if `list` is null. */
export type Change = Omit<VisibleChange, "organization">

/** A part of the changes behind a number. */
export interface Part {
  readonly changes: readonly Change[]
  /** The number behind which the next part begins; undefined after the last one. */
  readonly next: number | undefined
}

/** Numbers of the log that a part is of, so that no statement takes long. */
const span = 50_000

/** The most changes of a part, where one of any list counts as three: memory has room for all that they stand for. */
export const mostChanges = 400

/** The same, if each is of any list. */
const mostEvents = Math.floor(mostChanges / 3)

interface Row {
  readonly event_id: string | null
  readonly list: string | null
  readonly seq: number | null
  readonly at: number | null
}

/** Reads what has changed, for receivers that are behind what the tail of the log tells. */
export class Changes {
  readonly #database: Pick<Database, "readOnce">

  constructor(database: Pick<Database, "readOnce">) {
    this.#database = database
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
    const all = rows.flatMap((row) => row.event_id === null ? [] : [changeOf(row)])
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
        at: now,
        seq: 0,
        version: `all ${now}`,
      })),
      next: rows.length < mostEvents ? undefined : rows.at(-1)?.id,
    }
  }
}

function changeOf({ event_id, list, seq, at }: Row): Change {
  return {
    event: String(event_id),
    list: list === "guests" || list === "events" || list === "items" ? list : null,
    at: Number(at),
    seq: Number(seq),
    version: `${seq}`,
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
      and coalesce(${first} > ${slot("from")} + 1, 1)
    order by seq limit ${sql.lit(mostChanges)}`
  const rows = sql<
    Row
  >`select * from (${groups}) as lists union all select null, null, ${top}, null`
  return db.selectFrom(sql<Row>`(${rows})`.as("page")).selectAll()
})
