/** Thrown if too many wait. */
export class QueueFull extends Error {
  override readonly name = "QueueFull"
}

/** Where an attempt to log in waits for its turn. */
export interface QueuePlace {
  /** Where it comes from: the largest network that one caller may control. */
  readonly network: string
  /** True if the account has logged in from there before. */
  readonly isKnown: boolean
  /** Attempts of the same lane, if they have one, take their turns one after the other. */
  readonly lane?: string
}

interface QueueLimits {
  /** Attempts that have their turn at the same time. */
  readonly atOnce: number
  /** Attempts of one network, and of all networks, that may wait. Known networks and others are counted apart. */
  readonly ofNetwork: number
  readonly inAll: number
}

/**
 * Lets a few attempts at a time do their work; the others wait, in their order. While known ones and others wait, they
 * get every second turn each, so strangers delay nobody for long who has logged in before. Few of a network may wait: if
 * it floods the queue, its own attempts are refused, and nobody else's.
 */
export class LogInQueue {
  readonly #limits: QueueLimits
  /** In the order of their arrival. */
  readonly #waiting = new Map<QueuePlace, () => void>()
  readonly #running = new Set<QueuePlace>()
  #wasKnown = false

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  /** Does `work` in a turn. @throws {QueueFull} if too many wait; the signal's reason if it aborts before the turn. */
  async run<T>(place: QueuePlace, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = (reason: unknown) => {
      if (this.#waiting.delete(place)) reject(reason)
    }
    const stop = () => leave(signal.reason)
    signal.addEventListener("abort", stop)
    this.#waiting.set(place, resolve)
    this.#startNext()
    if (this.#isFull(place)) leave(new QueueFull("too many wait"))
    await promise.finally(() => signal.removeEventListener("abort", stop))
    try {
      return await work()
    } finally {
      this.#running.delete(place)
      this.#startNext()
    }
  }

  #isFull({ network, isKnown }: QueuePlace): boolean {
    const alike = [...this.#waiting.keys()].filter((each) => each.isKnown === isKnown)
    const ofNetwork = alike.filter((each) => each.network === network)
    return alike.length > this.#limits.inAll || ofNetwork.length > this.#limits.ofNetwork
  }

  #startNext(): void {
    while (this.#running.size < this.#limits.atOnce) {
      const ready = [...this.#waiting.keys()].filter(({ lane }) => !this.#isBusy(lane))
      const next = ready.find(({ isKnown }) => isKnown !== this.#wasKnown) ?? ready[0]
      if (!next) return
      this.#wasKnown = next.isKnown
      this.#running.add(next)
      const start = this.#waiting.get(next)
      this.#waiting.delete(next)
      start?.()
    }
  }

  #isBusy(lane: string | undefined): boolean {
    return lane !== undefined && [...this.#running].some((each) => each.lane === lane)
  }
}
