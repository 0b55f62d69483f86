import { retryLater, usualProblem } from "../../../core/capability.ts"
import { Problem } from "../../../core/plugin.ts"

/** How many exports may run at the same time. */
export interface SlotSettings {
  /** The most in this process, each with a connection. */
  readonly connections: number
  readonly concurrent_per_account: number
}

/** An export that has a slot. */
interface Running {
  readonly account: string
  readonly since: number
  readonly end: () => void
}

/** Milliseconds for which an account's only export is sure to keep its slot. */
const leastTime = 20_000

/** Counts the exports that run in this process. */
export class Slots {
  readonly #settings: SlotSettings
  /** Exports by account, including those that are ending because another export got their slot. */
  readonly #byAccount = new Map<string, number>()
  /** The oldest first. */
  readonly #running = new Set<Running>()

  constructor(settings: SlotSettings) {
    this.#settings = settings
  }

  /**
   * Counts an export of an account until the returned function is called. If all slots are taken, ends the oldest
   * export of an account with more of them, so that nobody can keep all slots by reading slowly.
   * @throws {Problem} 429 if the account already has the most it may; 503 if no slot can be freed.
   */
  take(account: string, end: () => void, now = performance.now()): () => void {
    const { connections, concurrent_per_account: mostOfAccount } = this.#settings
    const count = this.#byAccount.get(account) ?? 0
    if (count >= mostOfAccount) throw usualProblem("too_many_at_once", retryLater)
    if (this.#running.size >= connections) {
      const other = this.#findReplaceable(account, now)
      if (!other) {
        throw new Problem(
          "unavailable",
          "The maximum number of exports is running. Try again later.",
          retryLater,
        )
      }
      this.#running.delete(other)
      other.end()
    }
    const running = { account, since: now, end }
    this.#running.add(running)
    this.#byAccount.set(account, count + 1)
    return () => {
      this.#running.delete(running)
      const left = (this.#byAccount.get(account) ?? 1) - 1
      if (left > 0) this.#byAccount.set(account, left)
      else this.#byAccount.delete(account)
    }
  }

  /**
   * Returns the oldest export of the account with the most exports: at least two more than this account has, or one
   * more if that export has run for a while.
   */
  #findReplaceable(account: string, now: number): Running | undefined {
    const byAccount = Map.groupBy(this.#running, (each) => each.account)
    const mine = byAccount.get(account)?.length ?? 0
    const isFair = (count: number, { since }: Running) =>
      count > mine + 1 || (count > mine && now - since >= leastTime)
    const [replaceable] = [...byAccount.values()]
      .filter(([oldest, ...others]) => oldest && isFair(1 + others.length, oldest))
      .sort((a, b) => b.length - a.length)
    return replaceable?.[0]
  }
}
