import { Problem, problems, retryLater } from "../../http/problems.ts"

/** How many exports may run at the same time. */
export interface SlotSettings {
  /** In this process. */
  readonly concurrent: number
  readonly concurrentPerAccount: number
}

/** Counts the exports that run in this process. */
export class Slots {
  readonly #settings: SlotSettings
  readonly #byAccount = new Map<string, number>()
  #running = 0

  constructor(settings: SlotSettings) {
    this.#settings = settings
  }

  /**
   * Counts an export of an account until the function that it returns is called.
   *
   * @throws {Problem} 429 if the account has as many running as it may; 503 if all have.
   */
  take(account: string): () => void {
    const { concurrent, concurrentPerAccount } = this.#settings
    const own = this.#byAccount.get(account) ?? 0
    if (own >= concurrentPerAccount) {
      throw new Problem("too_many_at_once", problems.too_many_at_once.detail, {
        headers: { "retry-after": "5" },
      })
    }
    if (this.#running >= concurrent) {
      throw new Problem("unavailable", "As many exports are running as may. Try again.", retryLater)
    }
    this.#running++
    this.#byAccount.set(account, own + 1)
    return () => {
      this.#running--
      const left = (this.#byAccount.get(account) ?? 1) - 1
      if (left > 0) this.#byAccount.set(account, left)
      else this.#byAccount.delete(account)
    }
  }
}
