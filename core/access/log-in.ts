import { RateLimiterRes } from "rate-limiter-flexible"
import type { Credentials } from "./accounts.ts"
import type { Database } from "../data/database.ts"
import { networkOf } from "../networks.ts"
import { SharedLimiter } from "./shared-limiter.ts"
import type { Sessions } from "./sessions.ts"

/** Failed attempts that cost nothing but the attempt, of one name and from one address. */
export const freeAttempts = { name: 5, address: 20 }

/** Seconds: the longest wait between attempts, and how long failures are remembered. */
const longestWait = 900
const memory = 86_400

/** Passwords that are verified at once, at most: each takes a core for a quarter of a second. */
const mostAtOnce = 32

/** Who wants to log in, and from where. */
export interface Attempt {
  readonly username: string
  readonly password: string
  readonly address: string
}

/** The cookie of a log-in, or why there is none; `account` only where there is one of that name. */
export type LogInOutcome =
  | { readonly cookie: string; readonly account: Credentials }
  | { readonly cookie: undefined; readonly account: Credentials | undefined }

/** The attempt was not looked at: there were too many of the name, or from the address. */
export class TooManyLogIns extends Error {
  override readonly name = "TooManyLogIns"
  /** Seconds. */
  readonly retryAfter: number

  constructor(retryAfter: number) {
    super(`Too many log-ins failed: wait ${retryAfter} s.`)
    this.retryAfter = retryAfter
  }
}

/**
 * Logs in, against guessing.
 *
 * After some failures of a name, or from an address, one attempt is let through in two seconds, then
 * one in four, eight, sixteen… up to 15 minutes, on all instances together. A name that nobody has is
 * counted, and its password verified, like any other.
 */
export class LogIn {
  readonly #sessions: Sessions
  readonly #failures: SharedLimiter
  readonly #gate: SharedLimiter
  #verifying = 0

  constructor(database: Database, sessions: Sessions) {
    this.#sessions = sessions
    const duration = memory
    this.#failures = new SharedLimiter(database, { keyPrefix: "failed", points: 1e9, duration })
    this.#gate = new SharedLimiter(database, { keyPrefix: "gate", points: 1, duration })
  }

  /** @throws {TooManyLogIns} */
  async attempt({ username, password, address }: Attempt): Promise<LogInOutcome> {
    if (this.#verifying >= mostAtOnce) throw new TooManyLogIns(1)
    this.#verifying++
    try {
      const name = `name ${username}`
      await this.#count(name, freeAttempts.name)
      const from = `address ${networkOf(address)}`
      await this.#count(from, freeAttempts.address).catch(async (error: unknown) => {
        await this.#failures.reward(name)
        throw error
      })
      const { account, right } = await this.#sessions.verify(username, password)
      if (!right || !account) return { cookie: undefined, account }
      // Who has one right password could try others' for ever if the address were forgotten too.
      await Promise.all([this.#failures.delete(name), this.#failures.reward(from)])
      return { cookie: await this.#sessions.open(account), account }
    } finally {
      this.#verifying--
    }
  }

  /** Counts an attempt before it is made, so that many at once do not get past. */
  async #count(key: string, free: number): Promise<void> {
    const { consumedPoints: failed } = await this.#failures.penalty(key)
    if (failed <= free) return
    const wait = Math.min(longestWait, 2 ** Math.min(failed - free, 20))
    try {
      await this.#gate.consume(key, 1, { customDuration: wait })
    } catch (refusal) {
      await this.#failures.reward(key)
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      throw new TooManyLogIns(Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)))
    }
  }
}
