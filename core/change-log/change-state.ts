import type { Kysely } from "kysely"
import type { Dialect } from "../data/dialect.ts"
import type { Schema } from "../data/schema.ts"
import { type ClockStep, readSteps } from "./clock-steps.ts"

/** The clock, and what all instances have found so far. */
export interface ChangeLogState {
  readonly clock: number
  /** The latest time that any instance has seen. */
  readonly known: number
  /** The last row that existed then. */
  readonly top: number
  readonly settled: number
  readonly floor: number | null
  /** What the last look of any instance has returned; null if there was none. */
  readonly watermark: number | null
  /** The server that was written to before; null if none was. */
  readonly server: string | null
  /** The server that is. */
  readonly present: string
  readonly steps: readonly ClockStep[]
}

/** Reads the state. The clock is read before anything else. */
export async function readState(db: Kysely<Schema>, dialect: Dialect): Promise<ChangeLogState> {
  const state = await db
    .selectFrom("change_state")
    .select([
      dialect.now.as("clock"),
      "clock as known",
      "top",
      "settled",
      "floor",
      "watermark",
      "server",
      dialect.server.as("present"),
    ])
    .where("id", "=", 1)
    .executeTakeFirstOrThrow()
  return { ...state, steps: await readSteps(db) }
}

/** Returns true if another server was written to before. */
export function isOtherServer({ server, present }: ChangeLogState): boolean {
  return server !== null && server !== present
}
