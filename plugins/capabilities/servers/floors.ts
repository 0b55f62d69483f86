import { performance } from "node:perf_hooks"
import type { Floors } from "../../../core/nodes.ts"

/** Seconds added to the staleness: a server may have been asked just before it became too old. */
const slack = 2

/**
 * Remembers watermarks until every server in use has everything before them.
 *
 * A partner combines responses of several servers: it reads records from one, and deletions from another that may be
 * further behind. So `Next-Since` is not the watermark of the response itself but the floor: a watermark committed
 * longer ago than any server in use may be behind.
 */
export class CommittedFloors implements Floors {
  /** Seconds that a server in use may be behind. */
  readonly staleness: number
  readonly #age: number
  #hasFloor = false
  readonly #known: { readonly watermark: number; readonly since: number }[] = []

  constructor(staleness: number) {
    this.staleness = staleness
    this.#age = (staleness + slack) * 1000
  }

  /** Adds a committed watermark. */
  add(watermark: number): void {
    const latest = this.#known.at(-1)
    // The clock was set back, or commits were lost.
    if (latest && watermark < latest.watermark) this.#known.length = 0
    if (watermark !== this.#known.at(-1)?.watermark) {
      this.#known.push({ watermark, since: performance.now() })
    }
  }

  /** Forgets all watermarks if there has been a floor. */
  beginAgain(): void {
    if (this.#hasFloor) this.#known.length = 0
    this.#hasFloor = false
  }

  /** The latest watermark committed long enough ago; undefined if there is none. */
  get floor(): number | undefined {
    const before = performance.now() - this.#age
    const next = this.#known.findIndex(({ since }) => since > before)
    const old = next < 0 ? this.#known.length - 1 : next - 1
    if (old > 0) this.#known.splice(0, old)
    this.#hasFloor ||= old >= 0
    return old < 0 ? undefined : this.#known[0]?.watermark
  }
}
