/** Requests at a time. */
export const mostSlots = 64

/** Requests at a time to receivers that failed last time: those that hang take no more. */
export const mostFailingSlots = 8

/** Requests that wait, of either kind. */
const mostWaiting = 1000

/** Gives a slot back. */
export type Release = () => void

/** Bounds the requests that are made at a time. Those to failing receivers wait for each other only. */
export class Slots {
  #taken = 0
  #failing = 0
  readonly #good: ((release: Release) => void)[] = []
  readonly #bad: ((release: Release) => void)[] = []

  /** Waits for a slot, in order; undefined if too many wait already. */
  async take(isFailing: boolean): Promise<Release | undefined> {
    const queue = isFailing ? this.#bad : this.#good
    if (queue.length === 0 && this.#hasRoom(isFailing)) return this.#grant(isFailing)
    if (queue.length >= mostWaiting) return undefined
    return new Promise((granted) => queue.push(granted))
  }

  #hasRoom(isFailing: boolean): boolean {
    return this.#taken < mostSlots && !(isFailing && this.#failing >= mostFailingSlots)
  }

  #grant(isFailing: boolean): Release {
    this.#taken++
    if (isFailing) this.#failing++
    return () => {
      this.#taken--
      if (isFailing) this.#failing--
      this.#grantNext(this.#good, false)
      this.#grantNext(this.#bad, true)
    }
  }

  #grantNext(queue: ((release: Release) => void)[], isFailing: boolean): void {
    if (queue.length > 0 && this.#hasRoom(isFailing)) queue.shift()?.(this.#grant(isFailing))
  }
}
