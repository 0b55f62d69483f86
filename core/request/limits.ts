import { setTimeout } from "node:timers/promises"
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible"
import { type Problem, usualProblem } from "../http/problems.ts"
import { networkOf } from "../networks.ts"
import type { Numbers } from "../routes/contract.ts"
import type { LeftOfLimits } from "../routes/inside.ts"
import { type Left, Pace } from "./pace.ts"

/** The limits of an account. Requests that wait for something new do not count as running. */
export type LimitSettings = Numbers["limits"]

interface Limited {
  readonly id: string
  /** Missing in cookies from before they had it: the usual limits count then, until the caller is known. */
  readonly username?: string | undefined
}

/** Points of the quota that a request costs. A 304 gets back all but one. */
const cost = 10
const refund = 9

/** Records of a response that cost as much as a request. */
const recordsPerRequest = 1000

const anHour = 3600

/** The most milliseconds that a request above the burst waits. */
const longestWait = 1000

/** Accounts and families, and networks of callers without a session, whose requests are remembered. */
const mostKeys = 20_000

export interface Charge {
  /** Milliseconds that the request waited. */
  readonly delay: number
  /** Returns the headers with what is left. Refunds most of the cost of a 304. */
  settle(status: number): Promise<Record<string, string>>
  /** Charges the quota for the records of a long response, as for a request per 1,000. */
  chargeRecords(records: number): Promise<void>
}

/** Counts the requests of accounts, per family, in memory: a query would cost as much as a response. */
export class Limits {
  readonly #usual: Counters
  readonly #special: ReadonlyMap<string, Counters>
  readonly #addresses: Pace
  readonly #running = new Map<string, number>()

  /** `accounts` has limits by the names of accounts; what they leave out is in `settings`. */
  constructor(
    settings: LimitSettings,
    accounts: Readonly<Record<string, Partial<LimitSettings>>> = {},
  ) {
    this.#usual = new Counters(settings)
    this.#special = new Map(
      Object.entries(accounts).map(([username, some]) => [
        username,
        new Counters({ ...settings, ...some }),
      ]),
    )
    this.#addresses = new Pace({ perSecond: settings.burst, keys: mostKeys })
  }

  #countersOf({ username = "" }: Pick<Limited, "username">): Counters {
    return this.#special.get(username) ?? this.#usual
  }

  /**
   * Counts a request of an account as running until the result is disposed of, which may be twice. Needs no database,
   * so that a flood takes no connection from others.
   * @throws {Problem} 429 if the account has as many running as it may.
   */
  enter(account: Limited): DisposableStack {
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

  settingsOf(account: Pick<Limited, "username">): LimitSettings {
    return this.#countersOf(account).settings
  }

  /**
   * Charges an account for a request to a family. Above the burst, it waits for up to a second, in the order of
   * arrival, or until `signal` says that the client has gone.
   * @throws {Problem} 429 if the quota is used up, or if the wait would be longer.
   */
  async charge(account: Limited, family: string, signal?: AbortSignal): Promise<Charge> {
    return await this.#countersOf(account).charge(`${account.id} ${family}`, signal)
  }

  /** Returns what is left to an account for requests to a family. */
  async left(account: Limited, family: string): Promise<LeftOfLimits> {
    return await this.#countersOf(account).left(`${account.id} ${family}`)
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
    return this.#usual.refusal("too_fast", wait, { burst: this.#addresses.left(key) })
  }
}

/** The counters of the accounts with the same settings. Keys are of an account and a family. */
class Counters {
  readonly settings: LimitSettings
  readonly #quota: RateLimiterMemory
  readonly #pace: Pace

  constructor(settings: LimitSettings) {
    this.settings = settings
    this.#quota = new RateLimiterMemory({ points: settings.quota * cost, duration: anHour })
    this.#pace = new Pace({ perSecond: settings.burst, keys: mostKeys })
  }

  /** Like `Limits.charge`. */
  async charge(key: string, signal: AbortSignal | undefined): Promise<Charge> {
    // A refused request costs nothing.
    const refuse = (wait: number) => this.refusal("too_fast", wait, { burst: this.#pace.left(key) })
    const { granted, wait } = this.#pace.take(key, longestWait)
    if (!granted) throw refuse(wait)
    const quota = await this.#consumeQuota(key)
    if (wait > 0 && !await waited(wait, signal)) {
      this.#pace.giveBack(key, 1)
      await this.#quota.reward(key, cost)
      throw refuse(wait)
    }
    const burst = this.#pace.left(key)
    return {
      delay: wait,
      settle: async (status) => {
        if (status !== 304) return this.#fields({ quota, burst })
        this.#pace.giveBack(key, refund / cost)
        const left = this.#quotaLeft(await this.#quota.reward(key, refund))
        return this.#fields({ quota: left, burst: this.#pace.left(key) })
      },
      chargeRecords: async (records) => {
        const further = Math.ceil(records / recordsPerRequest) - 1
        if (further > 0) await this.#quota.penalty(key, further * cost)
      },
    }
  }

  /** Like `Limits.left`. */
  async left(key: string): Promise<LeftOfLimits> {
    const used = await this.#quota.get(key)
    const quota = used ? this.#quotaLeft(used) : { requests: this.settings.quota, reset: 0 }
    return { burst: this.#pace.left(key), quota }
  }

  async #consumeQuota(key: string): Promise<Left> {
    try {
      return this.#quotaLeft(await this.#quota.consume(key, cost))
    } catch (refusal) {
      this.#pace.giveBack(key, 1)
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      const quota = this.#quotaLeft(refusal)
      await this.#quota.reward(key, cost)
      throw this.refusal("too_many_requests", quota.reset, { quota })
    }
  }

  #quotaLeft({ consumedPoints, msBeforeNext }: RateLimiterRes): Left {
    const requests = Math.floor((this.settings.quota * cost - consumedPoints) / cost)
    return { requests: Math.max(0, requests), reset: Math.max(0, msBeforeNext) }
  }

  /** Returns the 429 of a request that could run in so many milliseconds, with what is left. */
  refusal(
    code: "too_fast" | "too_many_requests",
    wait: number,
    left: Partial<LeftOfLimits>,
  ): Problem {
    const retryAfter = String(Math.max(1, Math.ceil(wait / 1000)))
    return usualProblem(code, { headers: { "retry-after": retryAfter, ...this.#fields(left) } })
  }

  /** Returns the fields of draft-ietf-httpapi-ratelimit-headers-10. */
  #fields(left: Partial<LeftOfLimits>): Record<string, string> {
    const { burst, quota } = this.settings
    const limits = Object.entries(left).map(([name, { requests, reset }]) =>
      `"${name}";r=${requests};t=${Math.ceil(reset / 1000)}`
    )
    return {
      "ratelimit-policy": `"burst";q=${burst};w=1, "quota";q=${quota};w=${anHour}`,
      ratelimit: limits.join(", "),
    }
  }
}

/**
 * Returns true after so many milliseconds; false as soon as the client has gone. A timer may end almost two
 * milliseconds early, and the next request would then wait too long.
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
