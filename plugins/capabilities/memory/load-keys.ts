import { sql } from "kysely"
import {
  categories,
  type Category,
  CompiledStatement,
  type List,
  type Snapshot,
} from "../../../core/capability.ts"
import {
  beginning,
  keysOf,
  parseEventState,
  type Position,
  selectEventState,
  walkLifetime,
} from "../../../core/lists.ts"
import { choiceOf } from "./live-records.ts"
import type { Key, Vacancy } from "./live-list.ts"

/** The most places of deleted records of a list that are kept in memory. */
export const mostVacancies = 5000

/** What is to be read of a list. */
interface KeyRequest {
  readonly category: Category
  /** Keys are read from here on; undefined if none are to be read. */
  readonly after: Position | undefined
  /** True to read the places of deleted records. */
  readonly vacancies: boolean
}

/** What a snapshot says of an event and of some of its lists, in the order of the request. */
interface LoadedKeys extends ReturnType<typeof parseEventState> {
  readonly lists: readonly LoadedList[]
}

/** The keys of a list, and the places of its deleted records up to `mostVacancies` + 1; both newest first. */
interface LoadedList {
  readonly keys: readonly Key[]
  readonly vacancies: readonly Vacancy[]
}

/** Reads keys of an event's lists, up to `most` of each, and their version, in one statement. */
export async function loadKeys(
  reader: Snapshot,
  { eventId, filter, behind, wanted, most }: {
    readonly eventId: string
    /** Which records the lists have; undefined for all. */
    readonly filter?: List["filter"]
    /** The row of the log after which changes are told. */
    readonly behind: number
    readonly wanted: readonly KeyRequest[]
    readonly most: number
  },
): Promise<LoadedKeys | undefined> {
  const values: Record<string, unknown> = { eventId, behind, most }
  for (const { category, after = beginning } of wanted) {
    ;[values[`${category} time`], values[`${category} id`]] = after
  }
  const found: KeyRow[][] = []
  for (const row of await reader.run(statementFor(wanted, filter).with(reader, values))) {
    ;(found[row.part] ??= []).push(row)
  }
  const [state] = found[0] ?? []
  return state && {
    ...parseEventState(eventId, state.id),
    lists: wanted.map((_, index) => ({
      keys: (found[2 * index + 1] ?? []).map(({ id, updated, export_version }) => {
        return { id, time: updated, version: export_version ?? 0 }
      }),
      vacancies: (found[2 * index + 2] ?? []).map(({ id, updated, export_version }) => {
        return { id, time: updated, at: export_version ?? 0 }
      }),
    })),
  }
}

/**
 * In part 0, `id` is the state of the event. The other parts are keys of lists, or places of deleted records, with the time
 * of the deletion in place of a version.
 */
interface KeyRow {
  readonly part: number
  readonly id: string
  readonly updated: number
  readonly export_version: number | null
}

const statements = new Map<string, CompiledStatement<string, KeyRow>>()

function statementFor(
  wanted: readonly KeyRequest[],
  filter: List["filter"],
): CompiledStatement<string, KeyRow> {
  const parts = wanted.map((each) => ({ ...each, after: Boolean(each.after) }))
  const name = JSON.stringify([parts, choiceOf(filter)])
  const statement = statements.get(name) ?? compile(wanted, filter)
  statements.set(name, statement)
  return statement
}

function compile(wanted: readonly KeyRequest[], filter: List["filter"]) {
  return new CompiledStatement<string, KeyRow>(({ db, dialect }, slot) => {
    const eventId = sql<string>`${slot("eventId")}`
    const tables = wanted.map(({ category }) => categories[category])
    const state = db.selectNoFrom([
      selectEventState({ dialect }, { eventId, behind: slot("behind"), tables, filter }).as("id"),
      sql.lit(0).as("updated"),
      sql.lit(0).as("export_version"),
      sql.lit(0).as("part"),
    ])
    const lists = wanted.flatMap(({ category, after, vacancies }, index) => [
      ...after
        ? [
          keysOf({ db, dialect }, category, { eventId, filter })
            .behind([slot(`${category} time`), slot(`${category} id`)])
            .select(sql.lit(2 * index + 1).as("part"))
            .limit(slot("most")),
        ]
        : [],
      ...vacancies
        ? [
          keysOf({ db, dialect }, category, { eventId, filter }).vacant
            .select(["vacant.record_id as id", "vacant.updated", "vacant.at as export_version"])
            .select(sql.lit(2 * index + 2).as("part"))
            .where("vacant.at", ">=", sql<number>`${dialect.now} - ${sql.lit(walkLifetime)}`)
            .orderBy("vacant.updated", "desc")
            .orderBy("vacant.record_id", "desc")
            .limit(sql.lit(mostVacancies + 1)),
        ]
        : [],
    ])
    return lists
      .map((list, index) => db.selectFrom(list.as(`page_${index}`) as never).selectAll())
      .reduce((all, each) => all.unionAll(each as never), state)
      .$castTo<KeyRow>()
  })
}
