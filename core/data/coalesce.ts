/**
 * Does the same thing once for all who ask for it at the same time. Who asks while it is being done
 * waits until it has ended and is done again: every answer was begun after its question, so nobody
 * is told what was true before they asked.
 */
export class Turns<T> {
  readonly #running = new Map<string, Promise<T>>()
  readonly #next = new Map<string, Promise<T>>()

  /** Answers what `work` answers, or fails as it does; those who give the same `name` share it. */
  take(name: string, work: () => Promise<T>): Promise<T> {
    const next = this.#next.get(name)
    if (next) return next
    const running = this.#running.get(name)
    if (!running) return this.#begin(name, work)
    const begin = () => {
      this.#next.delete(name)
      return this.#begin(name, work)
    }
    const turn = running.then(begin, begin)
    this.#next.set(name, turn)
    return turn
  }

  #begin(name: string, work: () => Promise<T>): Promise<T> {
    const working = work().finally(() => this.#running.delete(name))
    this.#running.set(name, working)
    return working
  }
}
