/** Generates random numbers, the same sequence per seed (mulberry32). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** Returns a whole number from 0 to `bound` - 1. */
  below(bound: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let value = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) % bound
  }

  /** Returns a whole number from `least` to `most`. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1)
  }

  /** Returns an element of a list that is not empty. */
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }

  /** Returns the list in another order. */
  shuffle<T>(list: readonly T[]): T[] {
    const left = [...list]
    return list.map(() => left.splice(this.below(left.length), 1)[0] as T)
  }

  /** Returns a generator with a sequence of its own. */
  fork(): Random {
    return new Random(this.below(2 ** 32))
  }
}
