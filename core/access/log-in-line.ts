/** Thrown if too many wait. */
export class LineFull extends Error {
  override readonly name = "LineFull"
}

/** Attempts that may wait: of one network, and of all. */
interface LineLimits {
  readonly ofNetwork: number
  readonly inAll: number
}

/**
 * Lets attempts to log in do their work one after the other, in the order of their arrival. If a network floods the line,
 * its own attempts are refused, and nobody else's.
 */
export class LogInLine {
  readonly #limits: LineLimits
  /** The networks of those that wait. */
  readonly #waiting = new Set<{ readonly network: string }>()
  /** Resolves when the last in the line has done its work. */
  #last: Promise<void> = Promise.resolve()

  constructor(limits: LineLimits) {
    this.#limits = limits
  }

  /**
   * Does `work` in a turn. `network` is the largest that one caller may control.
   * @throws {LineFull} if too many wait; the signal's reason if it aborts before the turn; what `work` throws.
   */
  async run<T>(network: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    const ofNetwork = [...this.#waiting].filter((each) => each.network === network)
    const { ofNetwork: most, inAll } = this.#limits
    if (ofNetwork.length >= most || this.#waiting.size >= inAll) throw new LineFull()
    const place = { network }
    this.#waiting.add(place)
    const turn = this.#last
    const { promise: done, resolve: leave } = Promise.withResolvers<void>()
    this.#last = turn.then(() => done)
    try {
      await unlessAborted(turn, signal)
      this.#waiting.delete(place)
      return await work()
    } finally {
      this.#waiting.delete(place)
      leave()
    }
  }
}

/** Waits. @throws the reason of the signal, if it aborts before. */
async function unlessAborted(turn: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener("abort", abort)
  try {
    await Promise.race([turn, aborted])
  } finally {
    signal.removeEventListener("abort", abort)
  }
}
