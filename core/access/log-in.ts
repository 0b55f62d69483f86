import { createHmac, randomBytes } from "node:crypto"
import { boundedCache } from "../data/bounded-cache.ts"
import type { Database } from "../data/database.ts"
import { networkOf, networksOf } from "../networks.ts"
import { type Credentials, findByName } from "./accounts.ts"
import { type Counter, FailedLogIns } from "./failed-log-ins.ts"
import { isKnownNetwork, rememberNetwork } from "./known-networks.ts"
import { verifyPassword } from "./passwords.ts"
import { scryptThreads } from "./scrypt-threads.ts"
import type { OpenedSession, Sessions } from "./sessions.ts"
import { Crowded, type Place, Turns } from "./turns.ts"

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

/** Attempts that are looked up in the database at once, and that may wait for that. */
const lookUps = { atOnce: 2, mostWaiting: 500 }
/** Attempts that may wait for the verification of their passwords. */
const mostWaiting = 1000
/** Seconds after which an attempt that found too many waiting may try again. */
const crowdedWait = 5

/** An attempt to log in, with the IP address that it comes from. */
interface Attempt {
  readonly username: string
  readonly password: string
  readonly address: string
}

/** An attempt, and what the database says about it. */
interface LookedUp extends Attempt {
  /** The account of that name, if there is one; and the same if it may log in. */
  readonly named: Credentials | undefined
  readonly account: Credentials | undefined
  readonly network: string
  /** True if the account has logged in from the network before. */
  readonly isKnown: boolean
  /** What a failure counts for. The first is the account (or the name) and the network. */
  readonly counters: readonly [Counter, ...Counter[]]
  /** Those of them that refuse the attempt if they are closed. */
  readonly decisive: readonly Counter[]
  /** Names the attempts whose failures share a count. */
  readonly lane: string
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
 * many right log-ins at once only wait. An attempt that is refused writes nothing. Networks take turns
 * (`Turns`), for the look-ups in the database as well as for the verifications.
 */
export class LogIn {
  readonly #database: Database
  readonly #sessions: Sessions
  readonly #failures: FailedLogIns
  readonly #lookUps = new Turns(lookUps)
  readonly #verifications: Turns
  /**
   * Keyed hashes of passwords that have just proved right: jobs of a partner that all start together
   * need one verification. Set once something was written. Else, while nothing can be, a right password
   * would be told from a wrong one by the time that its second attempt takes, and no failure would count.
   */
  readonly #proved = boundedCache<true>({ most: 1000, ttl: 10_000 })
  readonly #proofKey = randomBytes(32)

  /** `secret` keys the hashes of what failures are counted for; `atOnce` passwords are verified at once. */
  constructor(
    database: Database,
    sessions: Sessions,
    { secret, atOnce = scryptThreads }: { readonly secret: string; readonly atOnce?: number },
  ) {
    this.#verifications = new Turns({ atOnce, mostWaiting })
    this.#database = database
    this.#sessions = sessions
    this.#failures = new FailedLogIns(database, secret)
  }

  /** Opens a session if the password is right. @throws {TooManyLogIns} and the reason of the signal, if it aborts. */
  async attempt(attempt: Attempt, signal = new AbortController().signal): Promise<LogInOutcome> {
    const networks = networksOf(attempt.address)
    const lookedUp = await inTurn(this.#lookUps, { groups: networks }, signal, async () => {
      const lookedUp = await this.#lookUp(attempt)
      await this.#refuseIfClosed(lookedUp)
      return lookedUp
    })
    const { account, named, network, isKnown, counters, lane } = lookedUp
    const place = { groups: [isKnown ? "known" : "new", ...networks], lane }
    const right = await inTurn(this.#verifications, place, signal, async () => {
      // Attempts of this lane may have failed meanwhile.
      await this.#refuseIfClosed(lookedUp)
      if (await this.#isRight(lookedUp)) return true
      await this.#failures.add(counters)
      return false
    })
    if (!right || !account) return { opened: undefined, account: named }

    // Failures of the address stay: else one's own password would allow endless guesses at others'.
    await this.#failures.forget(counters[0])
    await rememberNetwork(this.#database, account.id, network)
    this.#proved.set(this.#proofOf(attempt.password, account), true)
    signal.throwIfAborted()
    return { opened: await this.#sessions.open(account, signal), account }
  }

  async #lookUp(attempt: Attempt): Promise<LookedUp> {
    const named = await findByName(this.#database.writer, attempt.username)
    const account = named?.disabled ? undefined : named
    const network = networkOf(attempt.address)
    const isKnown = await isKnownNetwork(this.#database, account?.id, network)
    const subject = account ? `account ${account.id}` : `name ${attempt.username}`
    const ofNetwork = { key: `${subject} from ${network}`, free: freeFailures.account }
    const shared = { key: `${subject} from new networks`, free: freeFailures.newNetworks }
    const ofAddress = networksOf(attempt.address).map(counterOf)
    const counters = [ofNetwork, ...isKnown ? [] : [shared], ...ofAddress] as const
    const decisive = isKnown ? [ofNetwork] : counters
    const lane = isKnown ? ofNetwork.key : shared.key
    return { ...attempt, named, account, network, isKnown, counters, decisive, lane }
  }

  async #refuseIfClosed({ decisive, named }: LookedUp): Promise<void> {
    const wait = await this.#failures.wait(decisive)
    if (wait > 0) throw new TooManyLogIns(wait, named?.username)
  }

  /** Takes the same work, and so the same time, for a name without an account as for a wrong password. */
  async #isRight({ password, account }: LookedUp): Promise<boolean> {
    const proof = this.#proofOf(password, account)
    if (account && this.#proved.has(proof)) return true
    return await verifyPassword(password, account?.password)
  }

  /** The account's hash is part of it: after a change, the old password proves nothing. */
  #proofOf(password: string, account: Credentials | undefined): string {
    return createHmac("sha256", this.#proofKey)
      .update(JSON.stringify([account?.id, account?.password, password]))
      .digest("hex")
  }
}

function counterOf(network: string): Counter {
  const length = Number(network.split("/")[1]) as keyof typeof freeFailures.larger
  return { key: `network ${network}`, free: freeFailures.larger[length] ?? freeFailures.address }
}

/** Does `work` in a turn. @throws {TooManyLogIns} if too many wait. */
async function inTurn<T>(
  turns: Turns,
  place: Place,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  using _turn = await turns.take(place, signal).catch((error: unknown) => {
    throw error instanceof Crowded ? new TooManyLogIns(crowdedWait) : error
  })
  return await work()
}
