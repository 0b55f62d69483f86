import type { Random } from "../random.ts"

/**
 * How a partner reads. `whole` reads all pages of a walk before anything changes, the next three a page now and then.
 * `wild` sends anything: searches, buckets, any `since` and `offset`, HEAD.
 */
export const habits = ["whole", "cursor", "offset", "tags", "wild"] as const
export type Habit = (typeof habits)[number]

/** What of a response reaches a partner. */
export interface Delivery {
  readonly status: number
  readonly headers: Headers
  /** As far as it arrived. */
  readonly text: string
  readonly isWhole: boolean
}

/** Sends a request; `aborts` says that the connection breaks in the body. */
export type Send = (
  path: string,
  options: {
    readonly method: string
    readonly etag?: string | undefined
    readonly aborts: boolean
  },
) => Promise<Delivery>

/** What a partner is given. */
interface PartnerOptions {
  readonly account: string
  /** The path of a list of guests. */
  readonly path: string
  readonly habit: Habit
  /** True if its connections break now and then. */
  readonly breaks: boolean
  readonly random: Random
  readonly send: Send
}

/** A partner that remembers every byte of the guests that it got. */
export class Partner {
  readonly account: string
  readonly path: string
  readonly habit: Habit
  readonly breaks: boolean
  /** The ids of the guests that it got. */
  readonly guests = new Set<string>()
  /** The deletions that it got in full, as `id time`. */
  readonly deletions = new Set<string>()
  /** The latest `since` that it sent to the list of deletions. */
  acknowledged = -1
  readonly #random: Random
  readonly #send: Send
  readonly #links: string[] = []
  #since: number | undefined
  #next: number | undefined
  #etag: string | undefined
  #place = 0
  #link: string | undefined
  #limit = 1

  constructor({ account, path, habit, breaks, random, send }: PartnerOptions) {
    this.account = account
    this.path = path
    this.habit = habit
    this.breaks = breaks
    this.#random = random
    this.#send = send
  }

  /** Sends one request. */
  async act(now: number): Promise<void> {
    if (this.#random.below(4) === 0) await this.#readDeletions(now)
    else if (this.habit === "wild") await this.#readAnything(now)
    else {do await this.#readOn()
      while (this.habit === "whole" && this.#place > 0)}
  }

  async #readOn(): Promise<void> {
    const isFirst = this.#place === 0
    if (isFirst) this.#limit = this.#random.between(1, 5)
    const since = this.#since ?? -1
    const query = `?since=${since}&limit=${this.#limit}`
    const path = this.#link ?? `${this.path}${query}&offset=${this.#place}`
    const etag = isFirst && this.habit === "tags" ? this.#etag : undefined
    const got = await this.#get(path, { etag })
    if (!got.isWhole) return this.#begin()
    if (isFirst) {
      this.#next = Number(got.headers.get("next-since"))
      this.#etag = got.headers.get("etag") ?? undefined
    }
    const link = linkOf(got)
    const goesOn = got.status === 200 &&
      (this.habit === "offset" ? got.text !== "[]" : link !== undefined)
    this.#link = this.habit === "offset" ? undefined : link
    this.#place += this.#limit
    if (goesOn) return
    this.#since = this.#next
    this.#begin()
  }

  #begin(): void {
    this.#place = 0
    this.#link = undefined
  }

  async #readAnything(now: number): Promise<void> {
    const random = this.#random
    const link = this.#links[random.below(this.#links.length + 2)]
    const digit = random.below(16).toString(16)
    const filter = random.pick(["", "", "", "&q=ada", "&q=1", `&bucket=${digit}`, `&hash=${digit}`])
    const query = `?since=${anySince(random, now)}&limit=${random.between(1, 6)}${filter}` +
      (random.below(3) === 0 ? `&offset=${random.below(8)}` : "")
    const method = random.below(8) === 0 ? "HEAD" : "GET"
    const etag = random.below(4) === 0 ? this.#etag : undefined
    const got = await this.#get(link ?? this.path + query, { method, etag })
    this.#etag = got.headers.get("etag") ?? this.#etag
    const next = linkOf(got)
    if (next !== undefined) this.#links.push(next)
  }

  async #get(
    path: string,
    { method = "GET", etag }: { readonly method?: string; readonly etag?: string | undefined },
  ): Promise<Delivery> {
    const aborts = this.breaks && this.#random.below(3) === 0
    const got = await this.#send(path, { method, etag, aborts })
    if (got.status === 200) {
      for (const [, id = ""] of got.text.matchAll(/"id":"([0-9a-f-]{36})"/g)) this.guests.add(id)
    }
    return got
  }

  async #readDeletions(now: number): Promise<void> {
    const random = this.#random
    const isWild = this.habit === "wild"
    const since = isWild ? anySince(random, now) : this.#since ?? -1
    const filter = isWild && random.below(4) === 0 ? `&bucket=${random.below(10)}` : ""
    let path: string | undefined = `${this.path}/deletions?since=${since}&limit=${
      random.between(1, 4)
    }${filter}`
    if (isWild && random.below(4) === 0) path += `&offset=${random.below(4)}`
    else this.acknowledged = Math.max(this.acknowledged, since)
    for (; path !== undefined;) {
      const aborts = this.breaks && random.below(3) === 0
      const got: Delivery = await this.#send(path, { method: "GET", aborts })
      if (got.status !== 200 || !got.isWhole) return
      for (const [, id, time] of got.text.matchAll(/"id":"([0-9a-f-]{36})"[^}]*"deleted":(\d+)/g)) {
        this.deletions.add(`${id} ${time}`)
      }
      path = linkOf(got)
    }
  }
}

function anySince(random: Random, now: number): number {
  return random.pick([-1, 0, now, now + 5, now - random.below(60), now - random.below(5000)])
}

function linkOf({ headers }: Delivery): string | undefined {
  const url = /<([^>]*)>; rel="next"/.exec(headers.get("link") ?? "")?.[1]
  return url?.replace(/^https?:\/\/[^/]*/, "")
}
