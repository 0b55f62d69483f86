/** A committed change of a record, with its row in the log. */
export interface Change {
  readonly kind: "change"
  /** The random mark: no two changes have the same. */
  readonly id: number
  /** The number in the log. After a failover that lost commits, another change gets the same. */
  readonly seq: number
  readonly record: string
  readonly stamp: number
  /** True for a deletion. */
  readonly gone: boolean
}

/** The heartbeat's row, as one look has left it. */
export interface Beat {
  readonly kind: "beat"
  readonly id: number
  /** The server that it was written on. */
  readonly by: number
  readonly clock: number
  readonly watermark: number
  readonly floor: number | undefined
  /** The last number in the log, of open changes, too. */
  readonly top: number
  /** The step of the clock that the look found. */
  readonly step: ClockStep | undefined
}

/** The row that the changes up to a number are folded into. */
export interface Fold {
  readonly kind: "fold"
  readonly id: number
  readonly upTo: number
  readonly marks: readonly number[]
}

export type Entry = Change | Beat | Fold

export interface ClockStep {
  readonly reached: number
  readonly backTo: number
}

/** What a server has committed or applied, in that order. A snapshot shows all of it. */
export type History = readonly Entry[]

export function changesOf(history: History): readonly Change[] {
  return history.filter((entry) => entry.kind === "change")
}

/** Returns the last change of each record, deletions included. */
export function tableOf(history: History): ReadonlyMap<string, Change> {
  return new Map(changesOf(history).map((change) => [change.record, change]))
}

/** Returns the heartbeat. Every history has one. */
export function beatOf(history: History): Beat {
  const beat = history.findLast((entry) => entry.kind === "beat")
  if (!beat) throw new TypeError("a history begins with a heartbeat")
  return beat
}

export function stepsOf(history: History): readonly ClockStep[] {
  return history.flatMap((entry) => entry.kind === "beat" && entry.step ? [entry.step] : [])
}

/** Returns the last number in the log. */
export function topOf(history: History): number {
  return Math.max(0, ...changesOf(history).map(({ seq }) => seq))
}

/** Returns the entries of one history that another lacks. */
export function missingIn(history: History, source: History): History {
  const ids = new Set(history.map(({ id }) => id))
  return source.filter(({ id }) => !ids.has(id))
}

/** Returns the earliest `since` that clients may have meant by this one, as the clock was set back. */
export function sinceBefore(since: number, steps: readonly ClockStep[]): number {
  const around = steps.filter(({ reached, backTo }) => backTo < since && since <= reached)
  const earliest = Math.min(since, ...around.map(({ backTo }) => backTo))
  return earliest === since ? since : sinceBefore(earliest, steps)
}
