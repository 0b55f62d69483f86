import type { SourceKind } from "./kinds.ts"
import type { Cover, KnownRow } from "./known-rows.ts"
import { longestKey, type Places, RowReader, type SourceRecord } from "./rows.ts"
import type { SourceRow, SourceRows } from "./sources/source.ts"
import { type ReadingRules, RowRefusal } from "./values.ts"

/** Rows of one kind, and the known rows that they cover: a known row that is covered and not among them is gone. */
export interface KindRows {
  readonly kind: SourceKind
  /** Undefined if the source has no such rows. */
  readonly selection: SourceRows | undefined
  readonly covers: Cover
}

/** A row that cannot be taken over. */
export interface RefusedRow {
  readonly kind: SourceKind
  readonly key: string
  readonly reason: string
  readonly column: string
  /** True if it was taken over before: that copy stays as it is. */
  readonly hasCopy: boolean
}

/** Records of one kind and event that are no longer selected. */
export interface GoneRecords {
  readonly kind: SourceKind
  /** Empty for events and organizations. */
  readonly event: string
  readonly ids: readonly string[]
  /** True if all rows of the kind were asked for, and none came. */
  readonly isAll: boolean
}

/** What a comparison has found. */
export interface Difference {
  readonly rows: number
  readonly added: number
  readonly changed: number
  readonly refused: readonly RefusedRow[]
  /** How many rows were refused: `refused` has the first of them. */
  readonly refusedCount: number
  /** By kind: the number of rows whose event or organization was refused, or is not selected. */
  readonly leftOut: ReadonlyMap<SourceKind, number>
  readonly gone: readonly GoneRecords[]
  /** Records that differ although the source has not told their keys. */
  readonly untold: number
}

/** What rows are compared with, and by which rules they are read. */
export interface ComparisonOptions {
  readonly rules: ReadingRules
  readonly places: Places
  readonly file?: string
  /** Returns a map that the comparison may take rows out of. */
  readonly readKnown: (kind: SourceKind, covers: Cover) => Promise<Map<string, KnownRow>>
  /** Takes records that are new or differ, in portions. */
  readonly write: (rows: readonly ChangedRecord[]) => Promise<readonly RefusedRow[]>
  /** True if the source has told the key of a record. */
  readonly isTold?: (kind: SourceKind, key: string) => boolean
}

export interface ChangedRecord extends SourceRecord {
  /** What was taken over before; undefined if it is new. */
  readonly before: KnownRow | undefined
}

/** Refused rows that are kept to be shown. */
const mostRefused = 1000

/** Records that are handed over together. */
const portionOfRecords = 10_000

/**
 * Compares rows with what was taken over, wherever they come from: a database, keys that it has told, or a file. What
 * differs goes to `write` as it is found. What is gone is only returned: nobody knows it before all rows have been read.
 * @throws as the source and the database do, and {UserError} for a SELECT without the right columns.
 */
export async function compare(
  parts: AsyncIterable<KindRows>,
  options: ComparisonOptions,
): Promise<Difference> {
  const findings = new Findings(options)
  for await (const part of parts) {
    const known = await options.readKnown(part.kind, part.covers)
    const size = known.size
    if (part.selection) await findings.read(part.kind, part.selection, known)
    findings.addGone(part, known, size)
  }
  return findings
}

class Findings implements Difference {
  rows = 0
  added = 0
  changed = 0
  untold = 0
  refusedCount = 0
  readonly refused: RefusedRow[] = []
  readonly leftOut = new Map<SourceKind, number>()
  readonly gone: GoneRecords[] = []
  readonly #options: ComparisonOptions
  #waiting: ChangedRecord[] = []

  constructor(options: ComparisonOptions) {
    this.#options = options
  }

  /** Compares all rows of a kind. Takes those that it finds out of `known`. */
  async read(
    kind: SourceKind,
    { columns, rows }: SourceRows,
    known: Map<string, KnownRow>,
  ): Promise<void> {
    const reader = new RowReader(kind, columns, this.#options)
    const seen = new Set<string>()
    for await (const portion of rows) {
      for (const row of portion) {
        const owner = reader.ownerOf(row)
        if (owner === undefined) {
          this.leftOut.set(kind, (this.leftOut.get(kind) ?? 0) + 1)
          continue
        }
        const key = reader.keyOf(row)
        const before = known.get(key)
        try {
          if (seen.size === seen.add(key).size) throw new RowRefusal("another row has the same id")
          this.#compareRow(row, reader, { kind, key, owner, before })
          known.delete(key)
        } catch (error) {
          if (!(error instanceof RowRefusal)) throw error
          const { reason, column } = error
          this.#refuse({ kind, key, reason, column, hasCopy: known.delete(key) })
        }
      }
      this.rows += portion.length
      if (this.#waiting.length >= portionOfRecords) await this.#write()
    }
    await this.#write()
  }

  #compareRow(
    row: SourceRow,
    reader: RowReader,
    { kind, key, owner, before }: {
      readonly kind: SourceKind
      readonly key: string
      readonly owner: string
      readonly before: KnownRow | undefined
    },
  ): void {
    const read = reader.read(row, { key, owner })
    if (before?.hash === read.hash) return
    this.#waiting.push({ ...reader.recordOf(read), before })
    if (before) this.changed++
    else this.added++
    if (!this.#options.isTold?.(kind, key)) this.untold++
  }

  async #write(): Promise<void> {
    const rows = this.#waiting
    this.#waiting = []
    for (const refused of await this.#options.write(rows)) this.#refuse(refused)
  }

  #refuse({ key, ...row }: RefusedRow): void {
    this.refusedCount++
    if (this.refused.length >= mostRefused) return
    this.refused.push({ ...row, key: key.length > longestKey ? `${key.slice(0, 40)}…` : key })
  }

  /** Adds what is left of the known rows of a part. */
  addGone({ kind, covers }: KindRows, left: ReadonlyMap<string, KnownRow>, size: number): void {
    const isAll = covers.ids === undefined && left.size === size
    const { events, organizations } = this.#options.places
    for (const [event, rows] of Map.groupBy(left, ([, { eventId }]) => eventId ?? "")) {
      const ids = rows.map(([, { id }]) => id)
      for (const id of ids) {
        if (kind === "event") events.delete(id)
        if (kind === "organization") organizations.delete(id)
      }
      this.untold += rows.filter(([key]) => !this.#options.isTold?.(kind, key)).length
      this.gone.push({ kind, event, ids, isAll })
    }
  }
}
