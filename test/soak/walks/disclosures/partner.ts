import type { Random } from "../../../support/random.ts"
import { emptyState, type FeedState, knowsOf, stateAfter } from "./feed-state.ts"

/**
 * How a partner reads. `whole` reads all pages of a walk before anything changes, the next three a page now and then.
 * `wild` sends anything: searches, buckets, any `since` and `offset`, HEAD. `feed` reads a page of the feed now and then,
 * `wild feed` with any state that it ever had, from now on, or single guests.
 */
export const habits = ["whole", "cursor", "offset", "tags", "wild", "feed", "wild feed"] as const
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
  /** The ids of guests of the event that any partner got. */
  readonly heard: Set<string>
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
  readonly #deletions = new Set<string>()
  /** The latest `since` that it sent to the list of deletions. */
  #acknowledged = -1
  /** What it had of the feed, and those of these states whose cursors it sent. */
  readonly #states: FeedState[] = []
  readonly #stored = new Set<FeedState>()
  #state: FeedState | undefined
  readonly #heard: Set<string>
  readonly #random: Random
  readonly #send: Send
  readonly #links: string[] = []
  #since: number | undefined
  #next: number | undefined
  #etag: string | undefined
  #place = 0
  #link: string | undefined
  #limit = 1

  constructor({ account, path, habit, breaks, heard, random, send }: PartnerOptions) {
    this.account = account
    this.path = path
    this.habit = habit
    this.breaks = breaks
    this.#heard = heard
    this.#random = random
    this.#send = send
  }

  /** True if it got a deletion in full, or a copy of the feed that was begun after it. */
  wasTold(deletion: { readonly id: string; readonly at: number }): boolean {
    return this.#deletions.has(`${deletion.id} ${deletion.at}`) ||
      this.#states.some((state) => knowsOf(state, deletion))
  }

  /** True if it has said that it has applied a deletion. */
  hasAcknowledged(deletion: { readonly id: string; readonly at: number }): boolean {
    return this.#acknowledged > deletion.at ||
      [...this.#stored].some((state) => knowsOf(state, deletion))
  }

  /** Sends one request, or those of one walk. */
  async act(now: number): Promise<void> {
    if (this.habit === "feed") await this.#readFeed(now)
    else if (this.habit === "wild feed") await this.#readAnyOfFeed(now)
    else if (this.#random.below(4) === 0) await this.#readDeletions(now)
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

  async #readFeed(now: number): Promise<void> {
    const state = this.#state ?? emptyState(now)
    const { cursor } = state
    const after = cursor === undefined ? "" : `&after=${cursor}`
    if (cursor !== undefined) this.#stored.add(state)
    const limit = this.#random.between(1, 5)
    const etag = this.#random.below(2) === 0 ? state.etag : undefined
    const got = await this.#get(`${this.#feed}?limit=${limit}${after}`, { etag })
    if (got.status === 410) this.#state = undefined
    if (got.status !== 200 || !got.isWhole) return
    const next = stateAfter(state, JSON.parse(got.text))
    this.#keep({ ...next, etag: got.headers.get("etag") ?? undefined })
  }

  async #readAnyOfFeed(now: number): Promise<void> {
    const random = this.#random
    const what = random.below(10)
    if (what === 0) return await this.#readFromNow(now)
    if (what === 1) await this.#get(this.#feed, { method: "HEAD" })
    if (what < 4 && this.#heard.size > 0) {
      await this.#get(`${this.path}/${random.pick([...this.#heard])}`)
    } else {
      if (what < 7) this.#state = random.pick([undefined, ...this.#states])
      await this.#readFeed(now)
    }
  }

  /** Takes a cursor of this moment, and then a copy. */
  async #readFromNow(now: number): Promise<void> {
    const got = await this.#get(`${this.#feed}?after=now`)
    if (got.status !== 200 || !got.isWhole) return
    const list = await this.#get(this.path)
    if (list.status !== 200 || !list.isWhole) return
    const next = stateAfter(emptyState(now), JSON.parse(got.text))
    const guests: readonly { readonly id: string }[] = JSON.parse(list.text)
    this.#keep({ ...next, copy: new Set(guests.map(({ id }) => id)) })
  }

  #keep(state: FeedState): void {
    this.#state = state
    this.#states.push(state)
  }

  get #feed(): string {
    return this.path.replace(/guests$/, "changes")
  }

  async #get(
    path: string,
    { method = "GET", etag }: { readonly method?: string; readonly etag?: string | undefined } = {},
  ): Promise<Delivery> {
    const aborts = this.breaks && this.#random.below(3) === 0
    const got = await this.#send(path, { method, etag, aborts })
    if (got.status === 200) {
      const pattern = path.startsWith(this.#feed) ? idInFeed : idInList
      for (const [, id = ""] of got.text.matchAll(pattern)) {
        this.guests.add(id)
        this.#heard.add(id)
      }
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
    const offset = isWild && random.below(4) === 0 ? random.below(4) : 0
    if (offset > 0 || random.below(4) === 0) path += `&offset=${offset}`
    if (offset === 0) this.#acknowledged = Math.max(this.#acknowledged, since)
    for (; path !== undefined;) {
      const aborts = this.breaks && random.below(3) === 0
      const got: Delivery = await this.#send(path, { method: "GET", aborts })
      if (got.status !== 200 || !got.isWhole) return
      for (const [, id, time] of got.text.matchAll(/"id":"([0-9a-f-]{36})"[^}]*"deleted":(\d+)/g)) {
        this.#deletions.add(`${id} ${time}`)
      }
      path = linkOf(got)
    }
  }
}

const idInList = /"id":"([0-9a-f-]{36})"/g
const idInFeed = /"record":\{"id":"([0-9a-f-]{36})"/g

function anySince(random: Random, now: number): number {
  return random.pick([-1, 0, now, now + 5, now - random.below(60), now - random.below(5000)])
}

function linkOf({ headers }: Delivery): string | undefined {
  const url = /<([^>]*)>; rel="next"/.exec(headers.get("link") ?? "")?.[1]
  return url?.replace(/^https?:\/\/[^/]*/, "")
}
