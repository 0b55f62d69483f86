import { sql } from "kysely"
import { type EventChanges, recentChanges } from "../change-log/versions.ts"
import { CompiledStatement } from "../data/compiled-query.ts"
import type { Reader } from "../data/database.ts"
import type { Category } from "./categories.ts"
import { isAfter, newestOf } from "./newest-first.ts"
import { beginning, type ListResult, type PageRequest, type PositionedRow } from "./page.ts"
import type { Projection } from "./projection.ts"
import { joinKnown } from "./read-pages.ts"

/** A page whose records were all known, and what the version of the event consists of at the same moment. */
export interface KnownPage {
  readonly result: ListResult
  readonly changes: EventChanges
}

/** Reads the keys of a page, and puts it together; undefined if a record is not known. */
export type FindKnown = (reader: Reader) => Promise<KnownPage | undefined>

/**
 * Prepares a page of records that are kept. One statement, and so one snapshot, reads the keys of all parts and
 * the version of the event. Returns undefined if few records are likely to be known.
 */
export function prepareKnown(
  shape: "list" | "bundle",
  { eventId, page, projections }: {
    readonly eventId: string
    readonly page: PageRequest
    readonly projections: Readonly<Partial<Record<Category, Projection>>>
  },
): FindKnown | undefined {
  const { cached, after, since, limit, category } = page
  if (!cached || !isPlain(page)) return undefined
  const parts = Object.entries(projections).map(([name, projection]) => ({
    name: name as Category,
    cached: projection.rewritten ? undefined : cached(projection),
    position: category && category !== name ? undefined : after ? after[name] : beginning,
  }))
  const open = parts.filter(({ position }) => position)
  if (!open.every(({ cached }) => cached?.isWarm)) return undefined
  const names = open.map(({ name }) => name)
  const values: Record<string, unknown> = { eventId, since, most: limit + 1 }
  for (const { name, position } of open) {
    ;[values[`${name} time`], values[`${name} id`]] = position ?? beginning
  }
  return async (reader) => {
    const found: KeyRow[][] = [[], ...names.map(() => [])]
    for (const row of await reader.run(statementFor(names).with(reader, values))) {
      found[row.part]?.push(row)
    }
    const [[version] = [], ...keys] = found
    if (!version) return undefined
    const result = joinKnown(
      shape,
      Object.fromEntries(parts.map(({ name, cached }) => {
        return [name, { cached, limit, found: keys[names.indexOf(name)] ?? [] }]
      })),
    )
    const { id: recent, updated: foldedChanges, export_version: foldedMark = null } = version
    return result && { result, changes: { id: eventId, recent, foldedChanges, foldedMark } }
  }
}

/** Offsets count deleted records, too; the others are too rare for statements of their own. */
function isPlain({ offset, after, terms, bucket = "", hash = "" }: PageRequest): boolean {
  return (offset === 0 || after !== undefined) && terms.length === 0 && bucket + hash === ""
}

/** A key of a part, from 1 on. Part 0 is the version of the event: recent changes, folded ones and their mark. */
type KeyRow = PositionedRow & { readonly part: number }

const statements = new Map<string, CompiledStatement<string, KeyRow>>()

function statementFor(names: readonly Category[]): CompiledStatement<string, KeyRow> {
  const key = names.join()
  const statement = statements.get(key) ?? compile(names)
  statements.set(key, statement)
  return statement
}

function compile(names: readonly Category[]) {
  return new CompiledStatement<string, KeyRow>(({ db, dialect }, slot) => {
    const eventId = sql<string>`${slot("eventId")}`
    const folded = (column: "changes" | "mark") =>
      db.selectFrom("event_version").select(column).where("event_id", "=", eventId)
    const version = db.selectNoFrom([
      sql.lit(0).as("part"),
      recentChanges(eventId).as("id"),
      folded("changes").as("updated"),
      folded("mark").as("export_version"),
    ])
    const pages = names.map((name, index) =>
      db.selectFrom(
        newestOf({ db, dialect }, name, { eventId, since: slot("since") })
          .select(sql.lit(index + 1).as("part"))
          .select(["record.id", "record.updated", "record.export_version"])
          .where(isAfter([slot(`${name} time`), slot(`${name} id`)]))
          .limit(slot("most"))
          .as(`page_${index}`),
      ).selectAll()
    )
    return pages.reduce((all, page) => all.unionAll(page as never), version)
      .$castTo<KeyRow>()
  })
}
