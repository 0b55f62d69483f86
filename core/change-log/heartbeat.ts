import { sql } from "kysely"
import type { Database } from "../data/database.ts"
import type { Dialect } from "../data/dialect.ts"
import { Unavailable } from "../data/unavailable.ts"
import { type ClockStep, sinceBefore } from "./clock-steps.ts"

/**
 * What a snapshot says about itself, on whatever server. It is a row that the services write on the primary once a
 * second, and that is copied to the other servers in the order of all commits.
 */
export interface Heartbeat {
  /** When it was written, in Unix seconds on the primary's clock. */
  readonly at: number
  /** All changes that the snapshot lacks are, or will be, stamped with this time or later. */
  readonly watermark: number
  /** A former watermark, before which every server in use has everything; null if only the primary is in use. */
  readonly floor: number | null
  /** When the primary's clock was set back. */
  readonly steps: readonly ClockStep[]
  /** True if the server takes no writes, so that another one may have newer data. */
  readonly isReadOnly: boolean
}

/** The server that was asked is behind what the request needs to see. Another one may have it. */
export class ServerBehind extends Unavailable {}

/** Columns of a heartbeat. */
export interface HeartbeatColumns {
  readonly heartbeat_at: number | null
  readonly watermark: number | null
  readonly floor: number | null
  /** JSON: pairs of `reached` and `back_to`; null if there are none. */
  readonly steps: string | null
  readonly is_read_only: number
}

/** Selects a heartbeat as part of another statement, and so of its snapshot. */
export function heartbeatColumns({ isReadOnly }: Pick<Dialect, "isReadOnly">) {
  return [
    sql<number | null>`(select clock from change_state where id = 1)`.as("heartbeat_at"),
    sql<number | null>`(select watermark from change_state where id = 1)`.as("watermark"),
    sql<number | null>`(select floor from change_state where id = 1)`.as("floor"),
    sql<string | null>`(select json_arrayagg(json_array(reached, back_to)) from clock_step)`
      .as("steps"),
    isReadOnly.as("is_read_only"),
  ] as const
}

/** Returns when the heartbeat was written that a server has; undefined if it has none. @throws as the database does. */
export async function readHeartbeatTime({ background }: Database): Promise<number | undefined> {
  const row = await background.selectFrom("change_state").select("clock")
    // While it is noted that the clock was set back, there is no time.
    .where("id", "=", 1).where("clock", ">", 0).where("watermark", "is not", null)
    .executeTakeFirst()
  return row?.clock
}

/** Says why a server cannot tell how far it is. */
export const noHeartbeat =
  "This server has no heartbeat yet: no service has written one, or it has not arrived."

/** @throws {ServerBehind} if the server has none yet. */
export function heartbeatOf(
  { heartbeat_at: at, watermark, floor, steps, is_read_only: isReadOnly }: HeartbeatColumns,
): Heartbeat {
  if (at === null || watermark === null) throw new ServerBehind(noHeartbeat)
  const pairs = JSON.parse(steps ?? "[]") as [number, number][]
  return {
    at,
    watermark,
    floor,
    isReadOnly: Boolean(isReadOnly),
    steps: pairs.map(([reached, backTo]) => ({ reached, backTo })),
  }
}

/**
 * Checks that a snapshot has all that one with this watermark had: a walk never continues at a server that is further
 * behind. A watermark from around a time when the clock was set back cannot be compared, so only the primary may
 * continue then.
 *
 * @throws {ServerBehind} if it may lack something.
 */
export function assertReached(
  { watermark, steps }: Heartbeat,
  needed: number,
  isPrimary: boolean,
): void {
  if (watermark >= needed || (isPrimary && sinceBefore(needed, steps) !== needed)) return
  throw new ServerBehind(
    `This server knows the changes up to ${watermark}; the walk needs ${needed}.`,
  )
}
