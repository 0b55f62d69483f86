/** A response to a request that the audit log has to list. */
export interface AuditedRead {
  readonly requestId: string
  /** The life of the process that sent it: `service 1, life 2`. */
  readonly life: string
  /** When the request was sent and when its response had arrived, on the clock of `performance.now()`. */
  readonly sent: number
  readonly arrived: number
}

/** A `Next-Since` that a partner got, and when its response had arrived, on the clock of `performance.now()`. */
interface Bound {
  readonly nextSince: number
  readonly arrived: number
}

/** A transaction: a time of the database by which it had changed something, and when its commit was about to be sent. */
interface OpenChange {
  readonly at: number
  readonly until: number
}

/** What happened in a run: responses by fault, reads to find in the audit log, and violations. */
export class Observations {
  readonly reads: AuditedRead[] = []
  readonly bounds: Bound[] = []
  /** Of transactions that were committed. */
  readonly openChanges: OpenChange[] = []
  /** Lives of processes that were killed, so that entries waiting in their memory are lost. */
  readonly killedLives = new Set<string>()
  readonly #outcomes = new Map<string, Map<string, number>>()
  readonly #violations = new Map<string, number>()
  /** The fault that is being injected, or `none`. */
  fault = "none"

  /** Counts the outcome of a request: its status, or `refused` or `broken` if there was none. */
  count(outcome: string): void {
    const counts = this.#outcomes.get(this.fault) ?? new Map<string, number>()
    this.#outcomes.set(this.fault, counts.set(outcome, (counts.get(outcome) ?? 0) + 1))
  }

  /** Reports what must never happen. Equal texts are counted, so leave out ids and numbers. */
  violate(text: string): void {
    const where = `during ${this.fault}: ${text}`
    this.#violations.set(where, (this.#violations.get(where) ?? 0) + 1)
  }

  /**
   * Reports each `Next-Since` that is later than a change which was still open when it had arrived: who polls from there
   * never gets the change, even if somebody else's later poll does.
   */
  checkBounds(): void {
    const bounds = this.bounds.toSorted((a, b) => a.arrived - b.arrived).values()
    let bound = bounds.next()
    let latest: Bound | undefined
    for (const { at, until } of this.openChanges.toSorted((a, b) => a.until - b.until)) {
      for (; bound.value && bound.value.arrived < until; bound = bounds.next()) {
        if (!latest || bound.value.nextSince > latest.nextSince) latest = bound.value
      }
      if (!latest || latest.nextSince <= at) continue
      this.violate(
        `a Next-Since is ${latest.nextSince - at} s later than a change that was committed ` +
          `${Math.round(until - latest.arrived)} ms after it had arrived`,
      )
    }
  }

  /** Returns the counted outcomes of a fault, or of the whole run. */
  outcomes(fault?: string): ReadonlyMap<string, number> {
    if (fault !== undefined) return this.#outcomes.get(fault) ?? new Map()
    const sum = new Map<string, number>()
    for (const [outcome, count] of [...this.#outcomes.values()].flatMap((each) => [...each])) {
      sum.set(outcome, (sum.get(outcome) ?? 0) + count)
    }
    return sum
  }

  get violations(): string[] {
    return [...this.#violations].map(([text, count]) =>
      count === 1 ? text : `${text} (${count} times)`
    )
  }
}

/** Returns a path without ids and parameters, for messages. */
export function routeOf(path: string): string {
  return path.replace(/\?.*/, "").replace(/[0-9a-f-]{36}/, "{event}")
}
