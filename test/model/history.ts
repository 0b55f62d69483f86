import type { Design } from "./design.ts"

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
  /** The last number in the log, of open changes, too. */
  readonly top: number
  /** The step of the clock that the look found. */
  readonly step?: ClockStep | undefined
}

/** The row of an event's log that the changes up to a number are folded into. */
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

/** Returns the last change of each record, deletions included. */
export function tableOf(history: History): ReadonlyMap<string, Change> {
  return new Map(changesOf(history).map((change) => [change.record, change]))
}

export function changesOf(history: History): readonly Change[] {
  return history.filter((entry) => entry.kind === "change")
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

/** Returns the last number up to which every number has a row. */
export function settledOf(history: History): number {
  const numbers = new Set(changesOf(history).map(({ seq }) => seq))
  let settled = 0
  while (numbers.has(settled + 1)) settled++
  return settled
}

/** Returns the version of all records. `base` is the one that a service remembers, if the design has it do so. */
export function versionOf(history: History, { version, base: kept }: Design, base: number): string {
  const fold = kept === "in a row" ? history.findLast((entry) => entry.kind === "fold") : undefined
  const upTo = kept === "in a row" ? fold?.upTo ?? 0 : base
  const rest = changesOf(history).filter(({ seq }) => seq > upTo)
  const told = rest.map(({ id, seq }) => version === "marks" ? id : seq)
  const all = [...fold?.marks ?? [], ...told].toSorted((one, other) => one - other)
  return kept === "in a row" ? all.join("+") : `${upTo}: ${all.join("+")}`
}
