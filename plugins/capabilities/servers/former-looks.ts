import type { Kysely } from "kysely"
import { type ClockStep, type Dialect, type Log, sinceBefore } from "../../../core/capability.ts"
import {
  type ChangeLog,
  clockSkew,
  type Look,
  noteStep,
  reportLostCommits,
} from "../../../core/nodes.ts"
import type { Schema } from "../../../core/tables.ts"

/** What this process last read from a server that it took for the primary. */
export interface FormerLook {
  /** The server's time. */
  readonly time: number
  readonly steps: readonly ClockStep[]
}

/** Returns what this process last read from servers. */
export function formerLooks(logs: readonly ChangeLog[]): FormerLook[] {
  return logs.flatMap(({ clock, steps }) => clock ? [{ time: clock.time, steps }] : [])
}

/**
 * Notes a split: this process kept using a former primary after another process had noted the step to this one. The
 * times that it has handed out since then are meaningless here. Returns another step, which takes all of them back.
 */
export async function noteSplit(
  db: Kysely<Schema>,
  dialect: Dialect,
  { clock, steps, former, staleness }: {
    readonly clock: number
    readonly steps: readonly ClockStep[]
    readonly former: readonly FormerLook[]
    /** Seconds that a server in use may be behind. */
    readonly staleness: number
  },
): Promise<ClockStep | undefined> {
  const backTo = Math.min(...former.map(({ time, steps: known }) => {
    const missed = steps.filter((step) => !known.some(({ reached }) => reached === step.reached))
    const earliest = Math.min(...missed.map((step) => step.backTo))
    return earliest < sinceBefore(time, steps) ? earliest : Infinity
  }))
  if (backTo === Infinity) return undefined
  const reached = Math.max(clock, ...former.map(({ time }) => time)) + clockSkew + staleness
  await noteStep(db, dialect, { reached, backTo })
  return { reached, backTo }
}

/** Logs what reading the primary shows about the former one. `logs` follow all servers. */
export function reportLosses(
  look: Look,
  split: ClockStep | undefined,
  { log, logs }: { readonly log: Log; readonly logs: readonly ChangeLog[] },
): void {
  if (split) {
    log.error(
      {},
      "a former primary took writes after another server had become the primary: what was written to it is lost, and " +
        'partners read again what they may have missed. Run "event-export resync", and fence former primaries',
    )
  }
  reportLostCommits(look, Math.max(...logs.map(({ heartbeatTime: beat = 0 }) => beat)), log)
}
