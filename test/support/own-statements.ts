import { AsyncLocalStorage } from "node:async_hooks"

/**
 * Collects the statements of requests, without those by which the service writes, or does something for itself or for
 * earlier requests meanwhile.
 */
export class OwnStatements {
  readonly #sending = new AsyncLocalStorage<readonly string[]>()
  #all: string[] = []

  /** The statements of the last `observe`. */
  get all(): readonly string[] {
    return this.#all
  }

  /** To be called with each statement. */
  readonly note = (sql: string): void => {
    if (this.#sending.getStore() === this.#all && !/^(insert|update|delete)/.test(sql)) {
      this.#all.push(sql)
    }
  }

  /** Sends requests, and collects their statements. */
  observe<T>(send: () => Promise<T>): Promise<T> {
    this.#all = []
    return this.#sending.run(this.#all, send)
  }
}
