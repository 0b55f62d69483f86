import { LRUCache } from "lru-cache"
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible"
import { Problem, problems } from "../http/problems.ts"
import { networkOf } from "../networks.ts"

/** The limits of an account: requests per second and per hour to each family, and at the same time. */
export interface LimitSettings {
  readonly burst: number
  readonly quota: number
  readonly concurrent: number
}

/** Points that a request costs. A 304 gets back all but one. */
const cost = 10
const refund = 9

/** The lengths of the windows in seconds. */
const windows = { burst: 1, quota: 3600 } as const
type LimitName = keyof typeof windows

const refusals = { burst: "too_fast", quota: "too_many_requests" } as const

/** The charge of one request. */
interface Charge {
  /** Returns the headers with what is left. Refunds most of the cost of a 304. */
  settle(status: number): Promise<Record<string, string>>
}

/**
 * Counts the requests of accounts, per family, in this process. The counters are in memory, because
 * a query would cost as much as a response.
 */
export class Limits {
  readonly #settings: LimitSettings
  readonly #limiters: Record<LimitName, RateLimiterMemory>
  readonly #running = new Map<string, number>()
  readonly #owners = new LRUCache<string, string>({ max: 10_000 })

  constructor(settings: LimitSettings) {
    this.#settings = settings
    const limiter = (name: LimitName) =>
      new RateLimiterMemory({
        keyPrefix: name,
        points: settings[name] * cost,
        duration: windows[name],
      })
    this.#limiters = { burst: limiter("burst"), quota: limiter("quota") }
  }

  /**
   * Counts a request of a session as running until the result is disposed of. Needs no database, so
   * that a flood of one account's requests takes no connection from others.
   *
   * @throws {Problem} 429 if the account has as many requests running as it may.
   */
  enter(sessionId: string): Disposable {
    const owner = this.#owners.get(sessionId) ?? sessionId
    const running = this.#running.get(owner) ?? 0
    if (running >= this.#settings.concurrent) {
      throw new Problem("too_many_at_once", problems.too_many_at_once.detail, {
        headers: { "retry-after": "1" },
      })
    }
    this.#running.set(owner, running + 1)
    return {
      [Symbol.dispose]: () => {
        const left = (this.#running.get(owner) ?? 1) - 1
        if (left > 0) this.#running.set(owner, left)
        else this.#running.delete(owner)
      },
    }
  }

  /** Counts later requests of a session for this account, or for the session itself if undefined. */
  setOwner(sessionId: string, accountId: string | undefined): void {
    if (accountId === undefined) this.#owners.delete(sessionId)
    else this.#owners.set(sessionId, accountId)
  }

  /** Charges an account for a request to a family. @throws {Problem} 429 if nothing is left. */
  async charge(accountId: string, family: string): Promise<Charge> {
    const key = `${accountId} ${family}`
    const quota = await this.#consume("quota", key)
    const burst = await this.#consume("burst", key).catch(async (error: unknown) => {
      await this.#limiters.quota.reward(key, cost)
      throw error
    })
    return {
      settle: async (status) => {
        if (status !== 304) return this.#fields({ quota, burst })
        const [quotaLeft, burstLeft] = await Promise.all([
          this.#limiters.quota.reward(key, refund),
          this.#limiters.burst.reward(key, refund),
        ])
        return this.#fields({ quota: quotaLeft, burst: burstLeft })
      },
    }
  }

  /**
   * Charges an address for a request to an endpoint that is for anyone. The limit is that of an account
   * and a family, per second.
   *
   * @throws {Problem} 429 if nothing is left.
   */
  async chargeAddress(address: string, family: string): Promise<void> {
    await this.#consume("burst", `address ${networkOf(address)} ${family}`)
  }

  async #consume(name: LimitName, key: string): Promise<RateLimiterRes> {
    try {
      return await this.#limiters[name].consume(key, cost)
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      // A refused request costs nothing: a client that goes on is let in when the window ends.
      const code = refusals[name]
      const wait = String(Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)))
      throw new Problem(code, problems[code].detail, {
        headers: { "retry-after": wait, ...this.#fields({ [name]: refusal }) },
      })
    }
  }

  /** Returns the fields of draft-ietf-httpapi-ratelimit-headers-10. */
  #fields(left: Partial<Record<LimitName, RateLimiterRes>>): Record<string, string> {
    const policies = (Object.keys(windows) as LimitName[]).map((name) =>
      `"${name}";q=${this.#settings[name]};w=${windows[name]}`
    )
    const limits = (Object.entries(left) as [LimitName, RateLimiterRes][]).map(([name, result]) => {
      const remaining = Math.max(
        0,
        Math.floor((this.#settings[name] * cost - result.consumedPoints) / cost),
      )
      return `"${name}";r=${remaining};t=${Math.max(0, Math.ceil(result.msBeforeNext / 1000))}`
    })
    return { "ratelimit-policy": policies.join(", "), ratelimit: limits.join(", ") }
  }
}
