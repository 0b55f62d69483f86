import type { Database } from "../data/database.ts"
import { networkOf } from "../networks.ts"
import type { Credentials } from "./accounts.ts"
import { countAttempt, forgetFailures, takeBackAttempt } from "./failed-log-ins.ts"
import type { Sessions } from "./sessions.ts"

/** Failed attempts that need no wait, per name and per address. */
export const freeAttempts = { name: 5, address: 20 }

/** Upper bound for passwords verified at the same time: each takes a core for a quarter of a second. */
const mostAtOnce = 32

/** An attempt to log in, with the IP address that it comes from. */
interface Attempt {
  readonly username: string
  readonly password: string
  readonly address: string
}

/** The cookie, or undefined if the log-in failed. `account` is set if an enabled account has the name. */
type LogInOutcome =
  | { readonly cookie: string; readonly account: Credentials }
  | { readonly cookie: undefined; readonly account: Credentials | undefined }

/** Thrown if an attempt is refused unchecked: too many have failed for the name or from the address. */
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
 * Logs in, and slows down guessing (`countAttempt`), per name and per address. Unknown names are
 * counted, and a password is verified for them, like for any other name.
 */
export class LogIn {
  readonly #database: Database
  readonly #sessions: Sessions
  #verifying = 0

  constructor(database: Database, sessions: Sessions) {
    this.#database = database
    this.#sessions = sessions
  }

  /** Opens a session if the password is right. @throws {TooManyLogIns} */
  async attempt({ username, password, address }: Attempt): Promise<LogInOutcome> {
    if (this.#verifying >= mostAtOnce) throw new TooManyLogIns(1)
    this.#verifying++
    try {
      const name = `name ${username}`
      await this.#count(name, freeAttempts.name)
      const from = `address ${networkOf(address)}`
      await this.#count(from, freeAttempts.address).catch(async (error: unknown) => {
        await takeBackAttempt(this.#database, name)
        throw error
      })
      const { account, right } = await this.#sessions.verify(username, password)
      if (!right || !account) return { cookie: undefined, account }
      // Failures of the address stay: else one's own password would allow endless guesses at others'.
      await Promise.all([
        forgetFailures(this.#database, name),
        takeBackAttempt(this.#database, from),
      ])
      return { cookie: await this.#sessions.open(account), account }
    } finally {
      this.#verifying--
    }
  }

  async #count(key: string, free: number): Promise<void> {
    const wait = await countAttempt(this.#database, key, free)
    if (wait > 0) throw new TooManyLogIns(wait)
  }
}
