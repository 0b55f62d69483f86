import type { KyselyPlugin } from "kysely"

/** Stops work on a database after some of its statements, so that others can act in between. */
export class Gate {
  /** Give it to the connection of the work. */
  readonly plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      await this.#pass()
      return result
    },
  }
  #left = Infinity
  #stopped = Promise.withResolvers<void>()
  #opened = Promise.withResolvers<void>()
  #work: Promise<unknown> | undefined

  /** True between `start` and `finish`. */
  get isHolding(): boolean {
    return this.#work !== undefined
  }

  /** Starts work. Returns when it has stopped after a number of statements, or has ended before. */
  async start(work: () => Promise<unknown>, statements: number): Promise<void> {
    this.#left = statements
    this.#stopped = Promise.withResolvers()
    this.#opened = Promise.withResolvers()
    this.#work = work()
    await Promise.race([this.#stopped.promise, this.#work])
  }

  /** Lets the work go on to its end. @throws what it throws. */
  async finish(): Promise<void> {
    this.#left = Infinity
    this.#opened.resolve()
    const work = this.#work
    this.#work = undefined
    await work
  }

  async #pass(): Promise<void> {
    if (--this.#left > 0) return
    this.#stopped.resolve()
    await this.#opened.promise
  }
}
