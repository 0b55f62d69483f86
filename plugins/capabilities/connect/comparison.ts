import type { Database } from "../../../core/capability.ts"
import { movedFrom, RowReader, type Taken } from "./convert.ts"
import { type Kind, kinds } from "./kinds.ts"
import { type KnownRow, readKnownRows } from "./known-rows.ts"
import type { Mapping } from "./mapping.ts"
import type { SourceReader, SourceRow } from "./sources/source.ts"
import { decimalsOf, type Reason, Refused } from "./values.ts"

/** A row that cannot be taken over. */
export interface RefusedRow {
  readonly kind: Kind
  readonly key: string
  readonly reason: Reason
  readonly column: string
  /** True if it was taken over before: that copy stays as it is. */
  readonly hasCopy: boolean
}

/** What differs between a source and what was taken over from it. */
export interface Difference {
  readonly rows: number
  readonly added: number
  readonly changed: number
  readonly refused: readonly RefusedRow[]
  /** How many rows were refused: `refused` has the first of them. */
  readonly refusedCount: number
  /** Records that are no longer selected, by kind and event (empty for events and organizations). */
  readonly gone: readonly GoneRecords[]
}

/** Records of one kind and event that are no longer selected, of so many that were taken over. */
export interface GoneRecords {
  readonly kind: Kind
  readonly event: string
  readonly ids: readonly string[]
  readonly known: number
}

/** What is done with rows that differ, portion by portion. */
export interface Taker {
  /** Rows that are new, or became another record. */
  write(rows: readonly Taken[]): Promise<void>
  /** Rows that look different, and became the same record. */
  note(rows: readonly Taken[]): Promise<void>
}

/** Refused rows that are kept to be shown. */
const mostRefused = 1000

/**
 * Compares a source with what was taken over from it, in one snapshot of the source. What differs goes to `taker` as it is
 * found; what is gone is only returned, at the end: nothing is gone before all has been read.
 * @throws as the source and the database do, and {UserError} for a SELECT without the right columns.
 */
export async function compare(
  reader: SourceReader,
  { database, mapping, taker, isAgainstNothing = false }: {
    readonly database: Pick<Database, "readOnce">
    readonly mapping: Mapping
    readonly taker: Taker
    /** True to compare as if nothing had been taken over: then `taker` gets every row. */
    readonly isAgainstNothing?: boolean
  },
): Promise<Difference> {
  const organizations = new Set<string>()
  const events = new Map<string, number>()
  const findings = new Findings()
  for (const kind of kinds) {
    const known = isAgainstNothing
      ? new Map<string, KnownRow>()
      : await readKnownRows(database, { kind, origin: "database" })
    const sizes = countByEvent(known)
    const select = mapping.selects.get(kind)
    if (select !== undefined) {
      const { columns, rows } = await reader.select(select)
      const reading = new RowReader(kind, columns, { mapping, places: { organizations, events } })
      await compareRows(rows, { kind, reading, known, findings, taker }, ({ id, taken }) => {
        if (kind === "organization" && id !== undefined) organizations.add(id)
        if (kind === "event" && taken) {
          events.set(taken.id, decimalsOf(String(taken.record["currency"])))
        }
      })
    }
    if (kind === "event") await addKept(events, findings.keptEvents, database)
    findings.addGone(kind, known, sizes)
  }
  return findings
}

/** Compares portions of rows of one kind with those that are known, and tells of each. What stays in `known` is gone. */
export async function compareRows(
  portions: AsyncIterable<readonly SourceRow[]>,
  { taker, ...comparing }: Comparing & { readonly taker: Taker },
  tell: (difference: RowDifference) => void = () => {},
): Promise<void> {
  const compareRow = rowComparison(comparing)
  for await (const portion of portions) {
    const written: Taken[] = []
    const noted: Taken[] = []
    for (const row of portion) {
      const difference = compareRow(row)
      const { taken, isChanged } = difference
      tell(difference)
      if (taken && isChanged !== undefined) (isChanged ? written : noted).push(taken)
    }
    await taker.write(written)
    await taker.note(noted)
  }
}

/** What rows of one kind are compared with. */
interface Comparing {
  readonly kind: Kind
  readonly reading: RowReader
  readonly known: Map<string, KnownRow>
  readonly findings: Findings
}

/** What a comparison has found so far. */
export class Findings implements Difference {
  rows = 0
  added = 0
  changed = 0
  refusedCount = 0
  readonly refused: RefusedRow[] = []
  readonly gone: GoneRecords[] = []
  /** Events that are refused, and stay as they were, with all their records. */
  readonly keptEvents: string[] = []

  refuse(row: RefusedRow): void {
    this.refusedCount++
    if (this.refused.length < mostRefused) this.refused.push(row)
  }

  /** Adds what is left of the known rows of a kind. */
  addGone(
    kind: Kind,
    left: ReadonlyMap<string, KnownRow>,
    sizes: ReadonlyMap<string, number>,
  ): void {
    const byEvent = Map.groupBy(left, ([, { eventId }]) => eventId ?? "")
    for (const [event, rows] of byEvent) {
      this.gone.push({
        kind,
        event,
        ids: rows.map(([id]) => id),
        known: sizes.get(event) ?? rows.length,
      })
    }
  }
}

interface RowDifference {
  /** Undefined if the row has no place among the service's records. */
  readonly id?: string
  /** What it has become, if that was looked at. */
  readonly taken?: Taken
  /** True if that is new or another record, false if it only looks different; undefined if it is as it was. */
  readonly isChanged?: boolean
}

/** Returns a function that compares one row, takes it out of `known`, and counts it. */
function rowComparison(
  { kind, reading, known, findings }: Comparing,
): (row: SourceRow) => RowDifference {
  const seen = new Set<string>()
  // Other rows need to know them.
  const isAlwaysRead = kind === "event"
  return (row) => {
    findings.rows++
    const key = reading.keyOf(row)
    const id = reading.idOf(row)
    const before = known.get(id)
    try {
      if (seen.has(id)) throw new Refused("twice")
      seen.add(id)
      const isSame = before?.sourceHash === reading.sourceHashOf(row)
      if (isSame && !isAlwaysRead) {
        known.delete(id)
        return { id }
      }
      const taken = reading.read(row)
      known.delete(id)
      if (isSame) return { id, taken }
      if (before?.hash === taken.hash) return { id, taken, isChanged: false }
      if (before) findings.changed++
      else findings.added++
      return { id, taken: movedFrom(taken, before), isChanged: true }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      const { reason, column } = error
      findings.refuse({ kind, key, reason, column, hasCopy: before !== undefined })
      // What belongs to nothing that is selected is not selected either.
      if (reason === "no event" || reason === "no organization") return {}
      known.delete(id)
      if (kind === "event" && before) findings.keptEvents.push(id)
      return before ? { id } : {}
    }
  }
}

/** Adds the events that stay as they were, with the currency that they have. */
async function addKept(
  events: Map<string, number>,
  kept: readonly string[],
  database: Pick<Database, "readOnce">,
): Promise<void> {
  if (kept.length === 0) return
  const rows = await database.readOnce(({ db, run }) =>
    run(db.selectFrom("event").select(["id", "currency"]).where("id", "in", kept))
  )
  for (const { id, currency } of rows) events.set(id, decimalsOf(currency))
}

export function countByEvent(known: ReadonlyMap<string, KnownRow>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { eventId } of known.values()) {
    counts.set(eventId ?? "", (counts.get(eventId ?? "") ?? 0) + 1)
  }
  return counts
}
