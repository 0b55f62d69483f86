import { setTimeout } from "node:timers/promises"
import { type BoundedCache, boundedCache } from "../data/bounded-cache.ts"
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible"
import { Problem, problems } from "../http/problems.ts"
import { networkOf } from "../networks.ts"
import { Queues } from "./queues.ts"

/** The limits of an account: requests per second and per hour to each family, and at the same time. */
export interface LimitSettings {
  readonly burst: number
  readonly quota: number
  readonly concurrent: number
  /** Requests that wait for something new, which do not count as running. */
  readonly waiting: number
}

/** An account whose requests are counted. */
interface Limited {
  readonly id: string
  /** Missing in cookies from before they had it. */
  readonly username?: string | undefined
}

/** Points of the quota that a request costs. A 304 gets back all but one. */
const cost = 10
const refund = 9

/** Records of a response that cost as much as a request. */
const recordsPerRequest = 1000

/** Seconds. */
const anHour = 3600

/** Milliseconds in which the whole burst becomes free again. */
const second = 1000

/** The most milliseconds that a request above the burst waits. */
const longestWait = 1000

/** The most milliseconds that a request queues that has waited for something new. */
const longestQueue = 10_000

/** Accounts and families, and networks of callers without a session, whose requests are remembered. */
const mostKeys = 20_000

/** What is left of a limit, and milliseconds until all of it is there again. */
interface Left {
  readonly requests: number
  readonly reset: number
}

/** The charge of one request. */
export interface Charge {
  /** Milliseconds that the request waited. */
  readonly delay: number
  /** Returns the headers with what is left. Refunds most of the cost of a 304. */
  settle(status: number): Promise<Record<string, string>>
  /** Charges the quota for the records of a long response, as for a request per 1,000. */
  chargeRecords(records: number): Promise<void>
}

/** A running request of an account. */
export interface Running extends Disposable {
  /** Counts the request until then, although it is disposed of before. */
  holdUntil(ended: Promise<unknown>): void
}

/**
 * Counts the requests of accounts, per family, in this process. The counters are in memory, because
 * a query would cost as much as a response. An account may have limits of its own.
 */
export class Limits {
  readonly #usual: Counters
  readonly #own: ReadonlyMap<string, Counters>
  readonly #addresses: Pace
  readonly #running = new Map<string, number>()
  readonly #woken = new Queues()
  /** The names of accounts by their ids, of those with limits of their own. */
  readonly #names = boundedCache<string>({ most: mostKeys })

  /** `accounts` has limits by the names of accounts; what they leave out is in `settings`. */
  constructor(
    settings: LimitSettings,
    accounts: Readonly<Record<string, Partial<LimitSettings>>> = {},
  ) {
    this.#usual = new Counters(settings)
    this.#own = new Map(
      Object.entries(accounts).map(([name, own]) => [name, new Counters({ ...settings, ...own })]),
    )
    this.#addresses = new Pace({ perSecond: settings.burst, keys: mostKeys })
  }

  #countersOf({ id, username = this.#names.get(id) }: Limited): Counters {
    const own = username === undefined ? undefined : this.#own.get(username)
    if (own && username !== undefined) this.#names.set(id, username)
    return own ?? this.#usual
  }

  /**
   * Counts a request of an account as running until the result is disposed of, which may be twice. Needs no database, so
   * that a flood of one account's requests takes no connection from others.
   *
   * @throws {Problem} 429 if the account has as many requests running as it may.
   */
  enter(account: Limited): Running {
    const { id: accountId } = account
    const running = this.#running.get(accountId) ?? 0
    if (running >= this.#countersOf(account).settings.concurrent) {
      throw new Problem("too_many_at_once", problems.too_many_at_once.detail, {
        headers: { "retry-after": "1" },
      })
    }
    this.#running.set(accountId, running + 1)
    const place = new DisposableStack()
    place.defer(() => {
      const left = (this.#running.get(accountId) ?? 1) - 1
      if (left > 0) this.#running.set(accountId, left)
      else this.#running.delete(accountId)
    })
    const leave = () => place.dispose()
    let held: Promise<unknown> | undefined
    return {
      holdUntil: (ended) => {
        held = ended
      },
      [Symbol.dispose]: () => {
        if (held) void held.then(leave, leave)
        else leave()
      },
    }
  }

  /**
   * Counts a request that has waited for something new, and has to be answered now, until the result is disposed of. An
   * account has as many places for these as for others, and they queue for them: one change wakes many. Returns
   * undefined if the client has gone meanwhile, or if the queue is stuck because the database does not answer.
   */
  async enterAgain(account: Limited, signal?: AbortSignal): Promise<Disposable | undefined> {
    const { concurrent } = this.#countersOf(account).settings
    const stuck = AbortSignal.timeout(longestQueue)
    const either = signal ? AbortSignal.any([signal, stuck]) : stuck
    return await this.#woken.enter(account.id, concurrent, either)
  }

  /** Returns the limits of an account. */
  settingsOf(account: Limited): LimitSettings {
    return this.#countersOf(account).settings
  }

  /**
   * Charges an account for a request to a family. A request above the burst waits for up to a second;
   * the waiting requests go on in the order in which they came. `signal` ends the wait if the client
   * has gone.
   *
   * @throws {Problem} 429 if the quota is used up, or if the wait would be longer.
   */
  async charge(account: Limited, family: string, signal?: AbortSignal): Promise<Charge> {
    return await this.#countersOf(account).charge(`${account.id} ${family}`, signal)
  }

  /**
   * Charges an address for a request to an endpoint that is for anyone. The limit is that of an account
   * and a family, per second. A request above it waits for up to `patience` milliseconds. Returns the
   * milliseconds that it waited.
   *
   * @throws {Problem} 429 if the wait would be longer.
   */
  async chargeAddress(address: string, family: string, patience = 0): Promise<number> {
    const { wait, refusal } = this.#takeOfAddress(`${networkOf(address)} ${family}`, patience)
    if (refusal) throw refusal
    if (wait > 0) await setTimeout(wait)
    return wait
  }

  /**
   * Charges an address for a request without a session, whatever its path. Returns what it gets: the
   * problem, or 429 if nothing is left of the limit, which is again that of an account and a family.
   */
  refuseStranger(address: string, problem: Problem): Problem {
    return this.#takeOfAddress(networkOf(address), 0).refusal ?? problem
  }

  #takeOfAddress(key: string, patience: number): { wait: number; refusal?: Problem } {
    const { granted, wait } = this.#addresses.take(key, patience)
    if (granted) return { wait }
    const left = { burst: this.#addresses.left(key) }
    return { wait, refusal: this.#usual.refusal("too_fast", { wait, left }) }
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
    const refuse = (wait: number) =>
      this.refusal("too_fast", { wait, left: { burst: this.#pace.left(key) } })
    const { granted, wait } = this.#pace.take(key, longestWait)
    if (!granted) throw refuse(wait)
    const giveBack = () => this.#pace.giveBack(key, 1)
    const quota = await this.#consumeQuota(key).catch((error: unknown) => {
      giveBack()
      throw error
    })
    if (wait > 0 && !await waited(wait, signal)) {
      giveBack()
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

  async #consumeQuota(key: string): Promise<Left> {
    try {
      return this.#quotaLeft(await this.#quota.consume(key, cost))
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      const quota = this.#quotaLeft(refusal)
      await this.#quota.reward(key, cost)
      throw this.refusal("too_many_requests", { wait: quota.reset, left: { quota } })
    }
  }

  #quotaLeft({ consumedPoints, msBeforeNext }: RateLimiterRes): Left {
    const requests = Math.floor((this.settings.quota * cost - consumedPoints) / cost)
    return { requests: Math.max(0, requests), reset: Math.max(0, msBeforeNext) }
  }

  /** Returns the 429, with what is left. */
  refusal(
    code: "too_fast" | "too_many_requests",
    { wait, left }: { readonly wait: number; readonly left: LeftOfLimits },
  ): Problem {
    const retryAfter = String(Math.max(1, Math.ceil(wait / 1000)))
    return new Problem(code, problems[code].detail, {
      headers: { "retry-after": retryAfter, ...this.#fields(left) },
    })
  }

  /** Returns the fields of draft-ietf-httpapi-ratelimit-headers-10. */
  #fields(left: LeftOfLimits): Record<string, string> {
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

/** Whether a request may run, and when. */
interface Permit {
  /** True if the request has been counted. A refused request is not. */
  readonly granted: boolean
  /** Milliseconds until the request may run; of a refused one, until it could have run. */
  readonly wait: number
}

/**
 * Limits requests per second, by key: that many at once, and then one whenever a share of the second
 * has passed (the generic cell rate algorithm). Turns are given in the order in which they are asked for.
 */
export class Pace {
  readonly #share: number
  /** By key, when nothing is used any more, on the clock of `performance.now()`. */
  readonly #free: BoundedCache<number>

  /** Remembers the `keys` that were used last; a key that is forgotten has its whole burst. */
  constructor({ perSecond, keys }: { readonly perSecond: number; readonly keys: number }) {
    this.#share = second / perSecond
    this.#free = boundedCache({ most: keys })
  }

  /** Counts a request, unless it would have to wait longer than `patience` milliseconds. */
  take(key: string, patience = 0, now = performance.now()): Permit {
    const free = this.#freeAt(key, now) + this.#share
    const ahead = free - second - now
    // Sums of shares are not exact, and timers are not finer than a millisecond.
    const wait = ahead < 1 ? 0 : ahead
    const granted = ahead < patience + 1
    if (granted) this.#free.set(key, free)
    return { granted, wait }
  }

  /** Takes back a part of a request: 1 is all of it. */
  giveBack(key: string, part: number, now = performance.now()): void {
    this.#free.set(key, this.#freeAt(key, now) - part * this.#share)
  }

  /** Returns what is left for a key. */
  left(key: string, now = performance.now()): Left {
    const reset = Math.max(0, this.#freeAt(key, now) - now)
    // A thousandth more than exact, as above.
    const requests = Math.floor((second - reset) / this.#share + 0.001)
    return { requests: Math.max(0, requests), reset }
  }

  #freeAt(key: string, now: number): number {
    return Math.max(now, this.#free.get(key) ?? now)
  }
}

type LeftOfLimits = { readonly [Name in "burst" | "quota"]?: Left }

/** Returns true after so many milliseconds; false as soon as the client has gone. */
async function waited(milliseconds: number, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await setTimeout(milliseconds, undefined, signal ? { signal } : {})
    return true
  } catch {
    return false
  }
}
