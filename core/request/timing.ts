import { performance } from "node:perf_hooks"
import type { Waits } from "../data/database.ts"

/**
 * What the time of a request goes to: finding out who calls and what they may, waiting for the
 * database, turning rows into records, and writing these as text.
 */
export const phases = ["auth", "db", "project", "encode"] as const
export type Phase = (typeof phases)[number]

/** A stretch of time on the clock of `performance.now()`. */
export interface Lap {
  readonly phase: Phase
  readonly from: number
  readonly to: number
}

/**
 * Tells how long a request spends in each phase. At any moment it is in one phase or in none, so the
 * phases never add up to more than the whole; waiting for the database interrupts whatever goes on.
 */
export class Stopwatch implements Waits {
  readonly started = performance.now()
  /** Every stretch by itself, where `keepLaps` has asked for them. */
  laps: Lap[] | undefined
  readonly #spent: Record<Phase, number> = { auth: 0, db: 0, project: 0, encode: 0 }
  #phase: Phase | undefined
  #since = this.started
  #waits = 0
  #stopped: number | undefined

  constructor({ keepLaps = false }: { readonly keepLaps?: boolean } = {}) {
    if (keepLaps) this.laps = []
  }

  /** From here on time goes to this phase. */
  enter(phase: Phase): void {
    if (this.#waits === 0) this.#closeLap()
    this.#phase = phase
  }

  /** The request waits for the database, for one thing more than before. */
  begin(): void {
    if (this.#waits === 0) this.#closeLap()
    this.#waits++
  }

  /** One of the things that it waited for has come, or never will. */
  end(): void {
    // Past a time limit, answers come for waits that were given up.
    if (this.#waits === 0) return
    if (this.#waits === 1) this.#closeLap()
    this.#waits--
  }

  /** Ends the request. Answers its milliseconds; what comes later is not counted. */
  stop(): number {
    if (this.#stopped === undefined) {
      this.#closeLap()
      this.#stopped = this.#since
    }
    return this.#stopped - this.started
  }

  /** Milliseconds spent in a phase so far. */
  spent(phase: Phase): number {
    return this.#spent[phase]
  }

  /** All phases and the whole, as the `Server-Timing` header has them. */
  header(): string {
    const each = phases.map((phase) => `${phase};dur=${roundMilliseconds(this.#spent[phase])}`)
    return [...each, `total;dur=${roundMilliseconds(this.stop())}`].join(", ")
  }

  #closeLap(): void {
    if (this.#stopped !== undefined) return
    const from = this.#since
    const to = this.#since = performance.now()
    const phase = this.#waits > 0 ? "db" : this.#phase
    if (phase === undefined) return
    this.#spent[phase] += to - from
    this.laps?.push({ phase, from, to })
  }
}

/** Milliseconds as people read them: to a tenth, or to a hundredth below one. */
export function roundMilliseconds(milliseconds: number): number {
  const scale = milliseconds < 1 ? 100 : 10
  return Math.round(milliseconds * scale) / scale
}
