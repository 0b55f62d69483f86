import { createHmac } from "node:crypto"
import type { PasswordKind } from "../config/settings.ts"
import type { Database } from "../data/database.ts"
import { UserError } from "../errors.ts"
import { networkOf, networksOf } from "../networks.ts"
import { type Credentials, findAnyHash, findByName, renewHash } from "./accounts.ts"
import { FailedLogIns, type FailureCounter } from "./failed-log-ins.ts"
import { LineFull, LogInLine } from "./log-in-line.ts"
import { hashPassword, isOutdated, methods, verifyPassword } from "./passwords.ts"
import {
  hasLoggedInFrom,
  type OpenedSession,
  type SessionLimits,
  type Sessions,
} from "./sessions.ts"

/** Failures that need no wait. */
export const freeFailures = {
  /** Of an account (or a name without one) from one network. */
  account: 5,
  /** Of an account from all networks together that it has not logged in from. */
  newNetworks: 50,
  /** From one address, for IPv6 one /64. */
  address: 20,
  /** From a larger network, by the length of its prefix. */
  larger: { 56: 100, 48: 500, 24: 500 },
} as const

/** Attempts that may wait to be looked up in the database. */
const lookUps = { ofNetwork: 500, inAll: 1000 }
/** Attempts that may wait until their password is verified: those of one network wait ten seconds at most. */
const verifications = { ofNetwork: 50, inAll: 1000 }
/** Seconds after which an attempt that found too many waiting may try again. */
const crowdedWait = 5

/** An attempt to log in, with the IP address that it comes from. */
interface LogInAttempt {
  readonly username: string
  readonly password: string
  readonly address: string
  /** The limits of the session that it opens. */
  readonly limits?: SessionLimits | undefined
}

/** An attempt, and what the database says about it. */
interface AttemptContext extends LogInAttempt {
  /** The account of that name, if there is one; `account` only if it may log in. */
  readonly named: Credentials | undefined
  readonly account: Credentials | undefined
  /** The account's hash, or what takes as long to verify as another account's. */
  readonly hash: string
  readonly network: string
  /** True if the account has logged in from the network before. */
  readonly isKnown: boolean
  /** What a failure counts for. The first is the account (or the name) and the network. */
  readonly counters: readonly [FailureCounter, ...FailureCounter[]]
  /** The counters that refuse the attempt if they are closed. */
  readonly decisive: readonly FailureCounter[]
}

interface LogInOptions {
  /** Keys the hashes of what failures are counted for. */
  readonly secret: string
  /** How new hashes of passwords are made. */
  readonly kind: PasswordKind
}

interface LogInOutcome {
  /** Undefined if the log-in failed. */
  readonly opened: OpenedSession | undefined
  /** The account of that name, if there is one: it may be disabled. */
  readonly account: Credentials | undefined
}

/** Thrown if an attempt is refused unchecked: too many have failed, or too many wait. */
export class TooManyLogIns extends Error {
  override readonly name = "TooManyLogIns"
  /** Seconds. */
  readonly retryAfter: number
  readonly username: string | undefined

  constructor(retryAfter: number, username?: string) {
    super(`Too many log-ins: wait ${retryAfter} s.`)
    this.retryAfter = retryAfter
    this.username = username
  }
}

/**
 * Logs in, and slows down guessing.
 *
 * A network from which the account has logged in before is known. Failures from it count for the account
 * and this network alone, so nobody elsewhere can lock it out. All other networks of an account also
 * share one count, which bounds the guesses from many networks, and have to respect the counts of their
 * own addresses. Unknown names are counted, and a password is verified for them, like for any other name.
 *
 * A count is checked before and after the wait for a turn, and nothing is counted before it has failed:
 * many right log-ins at once only wait. An attempt that is refused writes nothing. Passwords from known
 * networks are verified one after the other, and so are all others: two threads are busy at most, and
 * strangers delay nobody who has logged in before.
 */
export class LogIn {
  readonly #database: Database
  readonly #sessions: Sessions
  readonly #failures: FailedLogIns
  readonly #lookUps = new LogInLine(lookUps)
  readonly #lines = { known: new LogInLine(verifications), others: new LogInLine(verifications) }
  readonly #options: LogInOptions
  /** False once the database has not let it renew a hash. */
  #mayRenew = true

  constructor(database: Database, sessions: Sessions, options: LogInOptions) {
    this.#database = database
    this.#sessions = sessions
    this.#options = options
    this.#failures = new FailedLogIns(database, options.secret)
  }

  /** Opens a session if the password is right. @throws {TooManyLogIns} and the reason of the signal, if it aborts. */
  async attempt(
    attempt: LogInAttempt,
    signal = new AbortController().signal,
  ): Promise<LogInOutcome> {
    const [network = ""] = networksOf(attempt.address)
    const lookedUp = await inTurn(this.#lookUps, network, signal, async () => {
      const lookedUp = await this.#lookUp(attempt)
      await this.#refuseIfClosed(lookedUp)
      return lookedUp
    })
    const { account, named, isKnown, counters } = lookedUp
    const line = isKnown ? this.#lines.known : this.#lines.others
    const right = await inTurn(line, network, signal, async () => {
      // Others may have failed meanwhile.
      await this.#refuseIfClosed(lookedUp)
      if (await verifyPassword(attempt.password, lookedUp.hash) && account) {
        await this.#renew(account, attempt.password)
        return true
      }
      await this.#failures.add(counters)
      return false
    })
    if (!right || !account) return { opened: undefined, account: named }

    // Failures of the address stay: else one's own password would allow endless guesses at others'.
    await this.#failures.forget(counters[0])
    signal.throwIfAborted()
    const from = { network: lookedUp.network }
    const opened = await this.#sessions.open({ ...account, ...attempt.limits, ...from }, signal)
    return { opened, account }
  }

  async #lookUp(attempt: LogInAttempt): Promise<AttemptContext> {
    const named = await findByName(this.#database.writer, attempt.username)
    const account = named?.disabled ? undefined : named
    const other = await this.#findOtherHash(attempt.username)
    const network = networkOf(attempt.address)
    const isKnown = await hasLoggedInFrom(this.#database, account?.id, network)
    const subject = account ? `account ${account.id}` : `name ${attempt.username}`
    const ofNetwork = { key: `${subject} from ${network}`, free: freeFailures.account }
    const shared = { key: `${subject} from new networks`, free: freeFailures.newNetworks }
    const ofAddress = networksOf(attempt.address).map(counterOf)
    const counters = [ofNetwork, ...isKnown ? [] : [shared], ...ofAddress] as const
    const decisive = isKnown ? [ofNetwork] : counters
    const hash = account?.password ?? other
    return { ...attempt, named, account, hash, network, isKnown, counters, decisive }
  }

  async #refuseIfClosed({ decisive, named }: AttemptContext): Promise<void> {
    const wait = await this.#failures.wait(decisive)
    if (wait > 0) throw new TooManyLogIns(wait, named?.username)
  }

  /**
   * Returns the hash of an account that only the secret and the name decide on, whether there is one of this name or not:
   * a name without an account takes as long as one with it, also while accounts have hashes of several kinds.
   */
  async #findOtherHash(username: string): Promise<string> {
    const from = createHmac("sha256", this.#options.secret).update(`no account ${username}`)
    const found = await findAnyHash(this.#database, from.digest("hex"))
    return found ?? `${methods[this.#options.kind]}$${"A".repeat(22)}$${"A".repeat(43)}`
  }

  /** Replaces an outdated hash, now that the password is known; not if the database's user may not change accounts. */
  async #renew(account: Credentials, password: string): Promise<void> {
    const { kind } = this.#options
    if (!this.#mayRenew || !isOutdated(account.password, kind)) return
    try {
      await renewHash(this.#database, account, await hashPassword(password, methods[kind]))
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      this.#mayRenew = false
    }
  }
}

function counterOf(network: string): FailureCounter {
  const length = Number(network.split("/")[1]) as keyof typeof freeFailures.larger
  return { key: `network ${network}`, free: freeFailures.larger[length] ?? freeFailures.address }
}

/** Does `work` in a turn. @throws {TooManyLogIns} if too many wait. */
async function inTurn<T>(
  line: LogInLine,
  network: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  return await line.run(network, signal, work).catch((error: unknown) => {
    throw error instanceof LineFull ? new TooManyLogIns(crowdedWait) : error
  })
}
