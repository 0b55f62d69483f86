import { randomUUID } from "node:crypto"
import { dirname, resolve } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import {
  Attempts,
  gauge,
  type Host,
  type Metric,
  type OpenCapability,
  remember,
} from "../../../core/capability.ts"
import { findWatching, hasTold } from "./follow.ts"
import { type Mapping, readMapping } from "./mapping.ts"
import { openSource } from "./sources/open.ts"
import { type ConnectState, noteWatching, readState } from "./state.ts"
import { takeOver, type TakeOverOptions, takeUpTold } from "./take-over.ts"

/** Milliseconds until the next attempt after one that failed. */
const pauseAfterFailure = 30_000

/** Milliseconds from one look at the triggers of the source to the next. */
const betweenLooks = 30_000

/** Milliseconds from one look at the queue of keys to the next. */
const betweenTold = 1000

/** Seconds from one comparison with the whole source to the next, while triggers tell what changes. */
const aDay = 86_400

/** Compares the source again and again while its configuration is in service, if no other process does. */
export function startConnecting(host: Host, mapping: string): OpenCapability {
  const running = run(new Connection(host, mapping), host, host.closing)
  const state = remember(() => readState(host.database), { fresh: 5_000 })
  return {
    metrics: async () => metricsOf(await state()),
    close: () => running,
  }
}

/** Never rejects. */
async function run(
  connection: Connection,
  { log }: Pick<Host, "log">,
  signal: AbortSignal,
): Promise<void> {
  const attempts = new Attempts(() => log, {
    failed: "cannot take records over; those that were taken over stay as they are",
    over: "records are taken over again",
  })
  while (!signal.aborted) {
    let wait = pauseAfterFailure
    try {
      wait = await connection.step()
      attempts.succeeded()
    } catch (error) {
      if (!signal.aborted) attempts.failed(error)
    }
    await pause(wait, undefined, { signal, ref: false }).catch(() => {})
  }
}

/** Takes over what has changed, step by step. */
class Connection {
  readonly #host: Host
  readonly #mapping: string
  readonly #owner = randomUUID()
  /** What triggers the source has, as of the last look. */
  #watching: Awaited<ReturnType<typeof findWatching>> = { hasQueue: false, missing: [] }
  #lookedAt = -Infinity
  #isWholeDue = false

  constructor(host: Host, mapping: string) {
    this.#host = host
    this.#mapping = mapping
  }

  /** Does what is due. Returns the milliseconds until the next step. @throws as the source and the database do. */
  async step(): Promise<number> {
    const { database, plan } = this.#host
    const mapping = readMapping(resolve(dirname(plan.file), this.#mapping), {})
    const source = await openSource(mapping.url)
    const options = { database, source, mapping, owner: this.#owner }
    if (performance.now() - this.#lookedAt > betweenLooks) {
      this.#watching = await findWatching(source, mapping)
      this.#lookedAt = performance.now()
      await noteWatching(database, this.#watching.hasQueue ? this.#watching.missing : null)
    }
    const { hasQueue, missing } = this.#watching
    const isTold = hasQueue && missing.length === 0
    const due = this.#isWholeDue
      ? 0
      : await whenDue(this.#host, { ...mapping, every: isTold ? aDay : mapping.every })
    if (due <= 0) {
      this.#isWholeDue = false
      await this.#takeOver(options)
      return 0
    }
    if (!hasQueue) return Math.min(due, betweenLooks)
    if (!await hasTold(source)) return betweenTold
    const { hasMore, whole } = await takeUpTold(options)
    this.#isWholeDue = whole
    return hasMore ? 0 : betweenTold
  }

  async #takeOver(options: TakeOverOptions): Promise<void> {
    const { difference, removed, held, milliseconds } = await takeOver(options)
    const { rows, added, changed, refusedCount: refused } = difference
    const counts = { rows, added, changed, removed, refused, held: held.length, ms: milliseconds }
    this.#host.log.info(counts, "records are taken over")
  }
}

/** Returns the milliseconds until a comparison is due: another process may just have ended one. */
async function whenDue(
  { database }: Pick<Host, "database">,
  { every, hash }: Pick<Mapping, "every" | "hash">,
): Promise<number> {
  const state = await readState(database)
  if (!state || state.compared_at === null || state.mapping !== hash) return 0
  const age = state.now - state.compared_at
  // The clock of the database may have been set back.
  return age < 0 ? 0 : 1000 * (every - age)
}

/** What the metrics show of the last comparison. */
type Measured = Pick<ConnectState, "compared_at" | "refused" | "held" | "failed_at" | "watching">

/** Returns the metrics of a source; none before the first comparison. */
export function metricsOf(state: Measured | undefined): readonly Metric[] {
  if (!state) return []
  const { compared_at, refused, held, failed_at, watching } = state
  return [
    gauge(
      "event_export_connect_compared_timestamp_seconds",
      "When the last whole comparison with the source ended.",
      compared_at ?? 0,
    ),
    gauge(
      "event_export_connect_rows_refused",
      "Rows of the source that could not be taken over.",
      refused,
    ),
    gauge(
      "event_export_connect_deletions_held",
      "Records that are gone from the source, and are not deleted before an operator says so.",
      held.reduce((sum, { gone }) => sum + gone, 0),
    ),
    gauge(
      "event_export_connect_triggers_missing",
      "Triggers that should tell what changes in the source, and are not there.",
      watching?.length ?? 0,
    ),
    gauge(
      "event_export_connect_failing",
      "1 while records cannot be taken over.",
      Number(failed_at !== null),
    ),
  ]
}
