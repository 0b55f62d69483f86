/** Thrown if more wait than may wait, and the caller's groups have the most of them. */
export class Crowded extends Error {
  override readonly name = "Crowded"
}

/** Where a caller waits for its turn. */
export interface Place {
  /** The groups that the caller belongs to, each within the one before it. */
  readonly groups: readonly string[]
  /** Callers of the same lane, if they have one, take their turns one after the other. */
  readonly lane?: string
}

interface Waiting {
  readonly lane: string | symbol
  readonly groups: readonly Group[]
  start(): void
  refuse(reason: unknown): void
}

interface Group {
  readonly key: string
  waiting: number
  /** Orders the groups: when it began to wait, or had its last turn. */
  since: number
}

/**
 * Shares out turns: some at once, the rest wait. The groups with waiting callers take turns, and so do
 * the groups within each, so that a group gets no more turns by sending more callers. If too many wait,
 * the latest caller of the largest group is refused.
 */
export class Turns {
  readonly #atOnce: number
  readonly #mostWaiting: number
  readonly #waiting = new Set<Waiting>()
  readonly #groups = new Map<string, Group>()
  /** The lanes of the callers whose turn it is. */
  readonly #busy = new Set<string | symbol>()
  #clock = 0

  constructor({ atOnce, mostWaiting }: { readonly atOnce: number; readonly mostWaiting: number }) {
    this.#atOnce = atOnce
    this.#mostWaiting = mostWaiting
  }

  /**
   * Waits for a turn, which lasts until the result is disposed of.
   *
   * @throws {Crowded} if too many wait; the signal's reason if it aborts before the turn.
   */
  async take(place: Place, signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const lane = place.lane ?? Symbol("of its own")
    const waiting = { lane, groups: this.#join(place.groups), start: resolve, refuse: reject }
    const leave = () => {
      if (this.#leave(waiting)) reject(signal.reason)
    }
    signal.addEventListener("abort", leave)
    this.#waiting.add(waiting)
    this.#startNext()
    if (this.#waiting.size > this.#mostWaiting) this.#refuseOne()
    await promise
    return {
      [Symbol.dispose]: () => {
        this.#busy.delete(lane)
        this.#startNext()
      },
    }
  }

  #startNext(): void {
    while (this.#busy.size < this.#atOnce) {
      let next: Waiting | undefined
      for (const each of this.#waiting) {
        if (this.#busy.has(each.lane)) continue
        if (!next || compare(each.groups, next.groups) < 0) next = each
      }
      if (!next) return
      this.#busy.add(next.lane)
      for (const group of next.groups) group.since = ++this.#clock
      this.#leave(next)
      next.start()
    }
  }

  #refuseOne(): void {
    let among = [...this.#waiting]
    for (let level = 0; level < (among[0]?.groups.length ?? 0); level++) {
      const largest = among.reduce((one, other) =>
        (other.groups[level]?.waiting ?? 0) >= (one.groups[level]?.waiting ?? 0) ? other : one
      )
      among = among.filter(({ groups }) => groups[level] === largest.groups[level])
    }
    const latest = among.at(-1)
    if (latest && this.#leave(latest)) latest.refuse(new Crowded("too many wait"))
  }

  #join(names: readonly string[]): Group[] {
    return names.map((_, level) => {
      const key = names.slice(0, level + 1).join(" ")
      const group = this.#groups.get(key) ?? { key, waiting: 0, since: ++this.#clock }
      group.waiting++
      this.#groups.set(key, group)
      return group
    })
  }

  /** Returns false if the caller does not wait any more. */
  #leave(waiting: Waiting): boolean {
    if (!this.#waiting.delete(waiting)) return false
    for (const group of waiting.groups) {
      if (--group.waiting === 0) this.#groups.delete(group.key)
    }
    return true
  }
}

/** Compares by the widest groups that differ. Equal groups leave the order of arrival. */
function compare(one: readonly Group[], other: readonly Group[]): number {
  const level = one.findIndex((group, level) => group !== other[level])
  return (one[level]?.since ?? 0) - (other[level]?.since ?? 0)
}
