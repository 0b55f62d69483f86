/** A record as a page shows it. */
export interface ModelRecord {
  readonly id: number
  readonly updated: number
  readonly value: number
}

export type Operation = "update" | "insert" | "delete" | "insert again"

/** A row of the change log. */
export interface Change {
  /** Its number. The number of a change that is rolled back is never used again. */
  readonly seq: number
  /** The clock of the change. */
  readonly at: number
  readonly id: number
  readonly before: ModelRecord | undefined
  readonly after: ModelRecord | undefined
  /** A random number, by which sums of different rows differ. */
  readonly mark: number
  /** The writer whose transaction is open; undefined if the change is committed. */
  readonly openBy: number | undefined
}

/** The state of a database: what is committed, and the changes of open transactions. Never changes. */
export class Tables {
  readonly records: readonly (ModelRecord | undefined)[]
  readonly log: readonly Change[]
  readonly #lastSeq: number
  readonly #sorted: (readonly ModelRecord[] | undefined)[] = []
  #version: number | undefined

  constructor(
    records: readonly (ModelRecord | undefined)[],
    log: readonly Change[] = [],
    lastSeq = 0,
  ) {
    this.records = records
    this.log = log
    this.#lastSeq = lastSeq
  }

  /**
   * Changes a record in a writer's transaction. An insertion again restores the first value. The stamp
   * of a record may be older than the row of the log, but never than the record's last one.
   */
  change(writer: number, operation: Operation, id: number, at: number, stamp = at): Tables {
    const seq = this.#lastSeq + 1
    const before = this.log.findLast((change) => change.id === id)?.after ?? this.records[id]
    const value = operation === "insert again" ? 0 : seq
    const updated = Math.max(stamp, before?.updated ?? stamp)
    const after = operation === "delete" ? undefined : { id, updated, value }
    const mark = seq * 2_654_435_761 % 2 ** 31
    const change = { seq, at, id, before, after, mark, openBy: writer }
    return new Tables(this.records, [...this.log, change], seq)
  }

  /** Commits a writer's transaction. */
  commit(writer: number): Tables {
    const records = [...this.records]
    const log = this.log.map((change) => {
      if (change.openBy !== writer) return change
      records[change.id] = change.after
      return { ...change, openBy: undefined }
    })
    return new Tables(records, log, this.#lastSeq)
  }

  /** Rolls a writer's transaction back. */
  rollBack(writer: number): Tables {
    const log = this.log.filter(({ openBy }) => openBy !== writer)
    return new Tables(this.records, log, this.#lastSeq)
  }

  /** A text that is the same for tables that cannot be told apart. */
  get contents(): string {
    return JSON.stringify(["tables", this.records, this.log, this.#lastSeq])
  }

  /** Returns true if a snapshot of this state has a change. */
  hasCommitted(seq: number): boolean {
    for (const change of this.log) {
      if (change.seq === seq) return change.openBy === undefined
    }
    return false
  }

  /** The number of committed changes and the sum of their marks, as one number. */
  get version(): number {
    return this.#version ??= this.log.reduce(
      (sum, { openBy, mark }) => openBy === undefined ? sum + 2 ** 40 + mark : sum,
      0,
    )
  }

  /** Returns the committed records in an order, which has a number. */
  sorted(order: number, compare: (a: ModelRecord, b: ModelRecord) => number) {
    return this.#sorted[order] ??= this.records.filter((record) => record !== undefined)
      .sort(compare)
  }
}
