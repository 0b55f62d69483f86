import { setTimeout } from "node:timers/promises"
import { type Problem, usualProblem } from "../http/problems.ts"
import { networkOf } from "../networks.ts"
import type { Numbers } from "../routes/contract.ts"
import type { RemainingRequests } from "../routes/internals.ts"
import { RateLimit } from "./rate-limit.ts"

/** The limits of an account. Requests that wait for something new do not count as running. */
export type LimitSettings = Numbers["limits"]

interface LimitedAccount {
  readonly id: string
  /** Missing in cookies from before they had it: the usual limits count then, until the caller is known. */
  readonly username?: string | undefined
}

/** The part of its cost that a 304 gets back. */
const refund = 0.9

/** Records of a response that cost as much as a request. */
const recordsPerRequest = 1000

/** Milliseconds in which the whole burst, and the whole quota, become free again. */
const periods = { burst: 1000, quota: 3_600_000 }

/** Milliseconds that a request above the burst may wait. */
const longestWait = 1000

/** Accounts and families, and networks of callers without a session, whose requests are remembered. */
const mostKeys = 20_000

export interface Charge {
  /** Milliseconds that the request waited. */
  readonly delay: number
  /** Returns the headers with what is left. Refunds most of the cost of a 304. */
  settle(status: number): Record<string, string>
  /** Charges the quota for the records of a long response, as for a request per 1,000. */
  chargeRecords(records: number): void
}

/** The rates of all accounts with the same settings. Keys are of an account and a family. */
interface Rates {
  readonly settings: LimitSettings
  readonly burst: RateLimit
  readonly quota: RateLimit
}

/** Counts the requests of accounts, per family, in memory: a query would cost as much as a response. */
export class Limits {
  readonly #usual: Rates
  readonly #special: ReadonlyMap<string, Rates>
  readonly #addresses: RateLimit
  readonly #running = new Map<string, number>()

  /** `accounts` has limits by the names of accounts; what they leave out is in `settings`. */
  constructor(
    settings: LimitSettings,
    accounts: Readonly<Record<string, Partial<LimitSettings>>> = {},
  ) {
    this.#usual = ratesOf(settings)
    this.#special = new Map(
      Object.entries(accounts).map(([name, some]) => [name, ratesOf({ ...settings, ...some })]),
    )
    this.#addresses = ratesOf(settings).burst
  }

  #ratesOf({ username = "" }: Pick<LimitedAccount, "username">): Rates {
    return this.#special.get(username) ?? this.#usual
  }

  /**
   * Counts a request of an account as running until the result is disposed of, which may be twice. Needs no database,
   * so that a flood takes no connection from others.
   * @throws {Problem} 429 if the account has as many running as it may.
   */
  enter(account: LimitedAccount): DisposableStack {
    const { id } = account
    const running = this.#running.get(id) ?? 0
    if (running >= this.settingsOf(account).concurrent) {
      throw usualProblem("too_many_at_once", { headers: { "retry-after": "1" } })
    }
    this.#running.set(id, running + 1)
    const place = new DisposableStack()
    place.defer(() => {
      const left = (this.#running.get(id) ?? 1) - 1
      if (left > 0) this.#running.set(id, left)
      else this.#running.delete(id)
    })
    return place
  }

  settingsOf(account: Pick<LimitedAccount, "username">): LimitSettings {
    return this.#ratesOf(account).settings
  }

  /**
   * Charges an account for a request to a family. Above the burst, it waits for up to a second, in the order of
   * arrival, or until `signal` says that the client has gone. A refused request costs nothing.
   * @throws {Problem} 429 if the quota is used up, or if the wait would be longer.
   */
  async charge(account: LimitedAccount, family: string, signal?: AbortSignal): Promise<Charge> {
    const { settings, burst, quota } = this.#ratesOf(account)
    const key = `${account.id} ${family}`
    const tooFast = (wait: number) =>
      refusal("too_fast", wait, { settings, left: { burst: burst.left(key) } })
    const now = burst.take(key, longestWait)
    if (!now.granted) throw tooFast(now.wait)
    const hour = quota.take(key)
    if (!hour.granted) {
      burst.add(key, -1)
      throw refusal("too_many_requests", hour.wait, { settings, left: { quota: quota.left(key) } })
    }
    const refundBoth = (requests: number) => {
      burst.add(key, -requests)
      quota.add(key, -requests)
    }
    if (now.wait > 0 && !await waited(now.wait, signal)) {
      refundBoth(1)
      throw tooFast(now.wait)
    }
    return {
      delay: now.wait,
      settle: (status) => {
        if (status === 304) refundBoth(refund)
        return fields(settings, this.left(account, family))
      },
      chargeRecords(records) {
        const further = Math.ceil(records / recordsPerRequest) - 1
        if (further > 0) quota.add(key, further)
      },
    }
  }

  /** Returns what is left to an account for requests to a family. */
  left(account: LimitedAccount, family: string): RemainingRequests {
    const { burst, quota } = this.#ratesOf(account)
    const key = `${account.id} ${family}`
    return { quota: quota.left(key), burst: burst.left(key) }
  }

  /**
   * Charges an address for a request to a route for anyone, with the burst of an account. Returns the milliseconds that
   * it waited, at most `patience`.
   * @throws {Problem} 429 if the wait would be longer.
   */
  async chargeAddress(address: string, family: string, patience = 0): Promise<number> {
    const key = `${networkOf(address)} ${family}`
    const { granted, wait } = this.#addresses.take(key, patience)
    if (!granted) throw this.#tooFast(key, wait)
    if (wait > 0) await waited(wait)
    return wait
  }

  /**
   * Charges an address for a request without a session, whatever its path. Returns what it gets: the problem, or 429 if
   * nothing is left of the burst.
   */
  refuseStranger(address: string, problem: Problem): Problem {
    const key = networkOf(address)
    const { granted, wait } = this.#addresses.take(key)
    return granted ? problem : this.#tooFast(key, wait)
  }

  #tooFast(key: string, wait: number): Problem {
    const { settings } = this.#usual
    return refusal("too_fast", wait, { settings, left: { burst: this.#addresses.left(key) } })
  }
}

function ratesOf(settings: LimitSettings): Rates {
  const rate = (name: keyof typeof periods) =>
    new RateLimit({ requests: settings[name], period: periods[name], keys: mostKeys })
  return { settings, burst: rate("burst"), quota: rate("quota") }
}

/** Returns the 429 of a request that could run in `wait` milliseconds, with what is left. */
function refusal(
  code: "too_fast" | "too_many_requests",
  wait: number,
  { settings, left }: {
    readonly settings: LimitSettings
    readonly left: Partial<RemainingRequests>
  },
): Problem {
  const retryAfter = String(Math.max(1, Math.ceil(wait / 1000)))
  return usualProblem(code, { headers: { "retry-after": retryAfter, ...fields(settings, left) } })
}

/** Returns the fields of draft-ietf-httpapi-ratelimit-headers-10. */
function fields(
  { burst, quota }: LimitSettings,
  left: Partial<RemainingRequests>,
): Record<string, string> {
  const limits = Object.entries(left).map(([name, { requests, reset }]) =>
    `"${name}";r=${requests};t=${Math.ceil(reset / 1000)}`
  )
  const seconds = periods.quota / 1000
  return {
    "ratelimit-policy": `"burst";q=${burst};w=1, "quota";q=${quota};w=${seconds}`,
    ratelimit: limits.join(", "),
  }
}

/**
 * Returns true after some milliseconds; false as soon as the client has gone. A timer may end almost two milliseconds
 * early, and the next request would then wait too long.
 */
async function waited(milliseconds: number, signal?: AbortSignal): Promise<boolean> {
  const end = performance.now() + milliseconds
  try {
    for (let left = milliseconds; left > 0; left = end - performance.now()) {
      await setTimeout(left, undefined, signal ? { signal } : {})
    }
    return true
  } catch {
    return false
  }
}
