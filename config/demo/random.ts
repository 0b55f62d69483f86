/** Generates random values, the same sequence per seed (mulberry32). */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** Begins the sequence of a seed. */
  seed(seed: number): void {
    this.#state = seed
  }

  /** Returns a number from `min`, which is 0 if it is left out, to below `max`. */
  float(max: number, min = 0): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let value = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return min + ((value ^ (value >>> 14)) >>> 0) / 2 ** 32 * (max - min)
  }

  /** Returns a whole number from `least` to `most`. */
  between(least: number, most: number): number {
    return least + Math.floor(this.float(most - least + 1))
  }

  /** Returns true with the given probability. */
  chance(probability: number): boolean {
    return this.float(1) < probability
  }

  /** Returns an element of a list that is not empty. */
  pick<T>(list: readonly T[]): T {
    return list[this.between(0, list.length - 1)] as T
  }

  /** Returns one of the values; one with twice the weight is returned twice as often. */
  pickWeighted<T>(all: readonly { readonly value: T; readonly weight: number }[]): T {
    let left = this.float(all.reduce((sum, { weight }) => sum + weight, 0))
    return (all.find(({ weight }) => (left -= weight) < 0) ?? all[0])?.value as T
  }

  /** Replaces each # by a digit. */
  digits(pattern: string): string {
    return pattern.replaceAll("#", () => String(this.between(0, 9)))
  }

  /** Returns a UUID of version 4. */
  uuid(): string {
    return "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx".replaceAll(/[xy]/g, (letter) => {
      const digit = this.between(0, 15)
      return (letter === "y" ? digit & 3 | 8 : digit).toString(16)
    })
  }
}
