import { randomUUID } from "node:crypto"
import { dirname, resolve } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import {
  type CapabilityHost,
  gauge,
  type OpenCapability,
  remember,
  RetryLog,
} from "../../../core/capability.ts"
import { readMapping } from "./mapping.ts"
import { openSource } from "./sources/open.ts"
import type { Source } from "./sources/source.ts"
import { type ConnectState, noteState, notingFailure, readState } from "./state.ts"
import { takeOver, type TakeOverOptions, takeUpTold } from "./take-over.ts"
import { findMissing, hasTold } from "./told.ts"

/** Milliseconds until the next attempt after a failure, and between two looks at the triggers of the source. */
const pauseBetween = 30_000

/** Milliseconds from the start of one look at the queue of keys to that of the next. */
const betweenTold = 1000

/** Seconds between two comparisons with the whole source, while triggers tell what changes. */
const aDay = 86_400

/** Compares the source again and again while its configuration is in service, if no other process does. */
export function startConnecting(host: CapabilityHost, mapping: string): OpenCapability {
  const running = run(new SourceFollower(host, mapping), host)
  const state = remember(() => readState(host.database), { fresh: 5_000 })
  return {
    metrics: async () => metricsOf(await state()),
    close: () => running,
  }
}

/** Never rejects. */
async function run(
  follower: SourceFollower,
  { log, closing: signal }: Pick<CapabilityHost, "log" | "closing">,
): Promise<void> {
  const attempts = new RetryLog(() => log, {
    failed: "cannot take records over; those that were taken over stay as they are",
    over: "records are taken over again",
  })
  while (!signal.aborted) {
    let wait = pauseBetween
    const begun = performance.now()
    try {
      // Keys that were noted during the step wait as well, so the pause counts from its start.
      wait = Math.max(0, await follower.step() + begun - performance.now())
      attempts.succeeded()
    } catch (error) {
      if (!signal.aborted) attempts.failed(error)
    }
    await pause(wait, undefined, { signal, ref: false }).catch(() => {})
  }
  await follower.close()
}

/** Takes over what has changed, step by step. */
export class SourceFollower {
  readonly #host: CapabilityHost
  readonly #mapping: string
  readonly #owner = randomUUID()
  #source: { readonly url: string; readonly source: Source } | undefined
  /** Which triggers were missing in the source at the last look; null if it has none. */
  #missing: readonly string[] | null = null
  #lookedAt = -Infinity
  #needsWhole = false

  constructor(host: CapabilityHost, mapping: string) {
    this.#host = host
    this.#mapping = mapping
  }

  /** Does what is due. Returns the milliseconds from its start to the next step. @throws as the source and the database do. */
  async step(): Promise<number> {
    return await notingFailure(this.#host.database, () => this.#step())
  }

  async #step(): Promise<number> {
    const { database, plan } = this.#host
    const mapping = readMapping(resolve(dirname(plan.file), this.#mapping), {})
    const source = await this.#connectTo(mapping.url)
    const options = { database, source, mapping, owner: this.#owner }
    const state = await readState(database)
    if (performance.now() - this.#lookedAt > pauseBetween) {
      // MySQL shows newly granted rights on new connections only.
      if (this.#missing?.length) await source.close()
      this.#missing = await findMissing(source, mapping)
      this.#lookedAt = performance.now()
    }
    const missing = JSON.stringify(this.#missing)
    const isNews = missing !== JSON.stringify(state.watching)
    const isTold = this.#missing?.length === 0
    const due = untilDue(state, mapping.hash, isTold ? aDay : mapping.every)
    // No trigger has told what changed before all of them were there.
    if (this.#needsWhole || due <= 0 || isTold && isNews) {
      if (!await this.#takeOver(options)) return betweenTold
      this.#needsWhole = false
      if (isNews) await noteState(database, { watching: missing })
      return 0
    }
    if (isNews) await noteState(database, { watching: missing })
    if (this.#missing === null) return Math.min(due, pauseBetween)
    if (await hasTold(source)) this.#needsWhole = await takeUpTold(options)
    return this.#needsWhole ? 0 : betweenTold
  }

  async close(): Promise<void> {
    await this.#source?.source.close()
  }

  async #connectTo(url: string): Promise<Source> {
    if (this.#source?.url !== url) {
      await this.close()
      this.#source = { url, source: await openSource(url) }
    }
    return this.#source.source
  }

  /** Returns false if another process takes over now. */
  async #takeOver(options: TakeOverOptions): Promise<boolean> {
    const outcome = await takeOver(options)
    if (!outcome) return false
    const { difference, removed, held, milliseconds } = outcome
    const { rows, added, changed, refusedCount: refused } = difference
    const counts = { rows, added, changed, removed, refused, held: held.length, ms: milliseconds }
    this.#host.log.info(counts, "records are taken over")
    return true
  }
}

/** Returns the milliseconds until a comparison is due: another process may just have ended one. */
function untilDue(
  { compared_at, failed_at, mapping, now }: ConnectState,
  hash: string,
  every: number,
): number {
  // Whatever has failed, a comparison shows whether it still does.
  if (compared_at === null || failed_at !== null || mapping !== hash) return 0
  const age = now - compared_at
  // The clock of the database may have been set back.
  return age < 0 ? 0 : 1000 * (every - age)
}

/** What the metrics show of the last comparison. */
type ComparisonNumbers = Pick<
  ConnectState,
  "compared_at" | "refused" | "held" | "failed_at" | "watching" | "drift"
>

/** Returns the metrics of a source; none before the first comparison. */
export function metricsOf(state: ComparisonNumbers | undefined) {
  if (!state) return []
  const { compared_at, refused, held, failed_at, watching, drift } = state
  const gone = held.reduce((sum, { gone }) => sum + gone, 0)
  const metrics = [
    ["compared_timestamp_seconds", "When the last whole comparison ended.", compared_at],
    ["rows_refused", "Rows of the source that could not be taken over.", refused],
    ["deletions_held", "Records that are gone, and wait for an operator to be deleted.", gone],
    ["triggers_missing", "Triggers that are not in the source, and should be.", watching?.length],
    ["drift_records", "Records that differed although no trigger had told so.", drift],
    ["failing", "1 while records cannot be taken over.", Number(failed_at !== null)],
  ] as const
  return metrics.map(([name, help, value]) =>
    gauge(`event_export_connect_${name}`, help, value ?? 0)
  )
}
