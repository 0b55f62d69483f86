import { type Kysely, sql } from "kysely"
import type { Dialect } from "../data/dialect.ts"
import type { Schema } from "../data/schema.ts"
import { type ChangeLogState, isOtherServer } from "./change-state.ts"
import { clockMargin, type ClockStep } from "./clock-steps.ts"

/** Remembers watermarks until every server that is in use has everything before them. */
export interface Floors {
  /** Seconds that a server in use may be behind. */
  readonly staleness: number
  /** The latest watermark that every server in use has everything before; undefined if none is known. */
  readonly floor: number | undefined
  /** Adds a watermark that is committed. */
  add(watermark: number): void
  /** Forgets all, if there has been a floor already. */
  beginAgain(): void
}

/** Seconds by which the clocks of servers may differ. */
export const clockSkew = 60

/**
 * Remembers that the clock was set back, if it was since the last look: it shows an earlier time, or rows that were added
 * later have one. Returns all steps.
 *
 * Another server than before counts as a clock that was set back, whatever it shows: what would tell may have been lost
 * with the former one. The step is longer than what was seen, by what a replica in use may be behind: its heartbeat
 * looks younger after the step than it is.
 */
export async function recordStep(
  db: Kysely<Schema>,
  dialect: Dialect,
  { state, added, floors }: {
    readonly state: ChangeLogState
    readonly added: readonly (number | null)[]
    readonly floors: Floors | null | undefined
  },
): Promise<readonly ClockStep[]> {
  const { clock, known, steps } = state
  const earliest = Math.min(clock, ...added.map((at) => at ?? clock))
  if (!isOtherServer(state) && earliest >= known - clockMargin) return steps
  // Zero while another look records a step: that is committed already.
  const last = known > 0 ? known : earliest
  const behind = state.floor === null ? 0 : Math.max(0, last - state.floor)
  const around = isOtherServer(state) || state.floor !== null || floors
    ? clockSkew + (floors?.staleness ?? behind)
    : 0
  const reached = around > 0 ? Math.max(last, clock) + around : last
  const backTo = Math.min(earliest, last) - Math.max(around, clockMargin)
  await noteStep(db, dialect, { reached, backTo })
  await db.updateTable("change_state").set({ clock: 0, server: state.present })
    .where("clock", "=", known).execute()
  return [...steps, { reached, backTo }]
}

/** Writes a step down: of two that reached the same time, the one that went back further. */
export async function noteStep(
  db: Kysely<Schema>,
  dialect: Dialect,
  { reached, backTo }: ClockStep,
): Promise<void> {
  await dialect.orUpdate(
    db.insertInto("clock_step").values({ reached, back_to: backTo }),
    "reached",
    { back_to: sql`case when back_to < ${backTo} then back_to else ${backTo} end` },
  ).execute()
}
