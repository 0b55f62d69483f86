import type { Drops } from "./recorders.ts"

/** What a process keeps while configurations come and go. */
export class Kept {
  /** The counts of what batches have dropped. */
  readonly drops: Drops = new Map()
  readonly #things = new Map<string, unknown>()

  /** Returns what is kept under a name, and makes it the first time. */
  get<T>(name: string, make: () => T): T {
    if (!this.#things.has(name)) this.#things.set(name, make())
    return this.#things.get(name) as T
  }
}
