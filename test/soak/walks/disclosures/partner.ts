import { FeedReader, pageOf } from "../../../support/partner/feed-reader.ts"
import { ListSource } from "../../../support/partner/list-source.ts"
import { Reader, type ReaderKind } from "../../../support/partner/reader.ts"
import type { Reply } from "../../../support/partner/reply.ts"
import { linkOf } from "../../../support/polling/link.ts"
import type { Random } from "../../../support/random.ts"
import { emptyState, type FeedState, knowsOf, stateAfter } from "./feed-state.ts"

/** How those read who poll lists by the rules. `whole` reads all pages of a poll before anything changes, the next a page now and then. */
const kinds: Readonly<Record<"whole" | "cursor" | "offset" | "tags", ReaderKind>> = {
  whole: { by: "cursor", keeps: "Next-Since" },
  cursor: { by: "cursor", keeps: "Next-Since" },
  offset: { by: "offset", keeps: "Next-Since" },
  tags: { by: "cursor", keeps: "Next-Since", sendsTags: true, endsPolls: true },
}

/**
 * How a partner reads. `wild` sends anything: searches, buckets, any `since` and `offset`, HEAD. `feed` reads a page of the
 * feed now and then, `wild feed` with any state that it ever had, from now on, or single guests.
 */
export type Habit = keyof typeof kinds | "wild" | "feed" | "wild feed"
export const habits: readonly Habit[] = [
  ...Object.keys(kinds) as (keyof typeof kinds)[],
  "wild",
  "feed",
  "wild feed",
]

/** What of a response reaches a partner. */
export interface Delivery extends Reply {
  readonly isWhole: boolean
}

/** Sends a request; `aborts` says that the connection breaks in the body. */
export type Send = (
  path: string,
  options: {
    readonly method: string
    readonly headers: Readonly<Record<string, string>>
    readonly aborts: boolean
  },
) => Promise<Delivery>

/** What a partner is given. */
interface PartnerOptions {
  readonly account: string
  /** The path of an event. */
  readonly event: string
  readonly habit: Habit
  /** True if its connections break now and then. */
  readonly breaks: boolean
  /** The ids of guests of the event that any partner got. */
  readonly heard: Set<string>
  readonly random: Random
  readonly send: Send
}

/** A deletion of a guest. */
interface Deletion {
  readonly id: string
  readonly at: number
}

/** The connection broke in the body. */
class Broken extends Error {}

/** A partner that remembers every byte of the guests that it got. */
export class Partner {
  readonly account: string
  readonly event: string
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
  readonly #options: PartnerOptions
  readonly #reader: Reader
  readonly #feed: FeedReader
  readonly #links: string[] = []
  #now = 0

  constructor(options: PartnerOptions) {
    const { account, event, habit, breaks, random } = options
    this.account = account
    this.event = event
    this.habit = habit
    this.breaks = breaks
    this.#options = options
    const get = (path: string, headers = {}) => this.#get(path, { headers })
    this.#reader = new Reader(new ListSource(get, event, { list: "guests" }), {
      kind: kinds[habit as "whole"] ?? kinds.whole,
      limit: random.between(1, 5),
      parts: ["records", "deletions"],
    })
    this.#feed = new FeedReader(get, event, { sendsTags: true })
  }

  /** True if it got a deletion in full, or a copy of the feed that was begun after it. */
  wasTold(deletion: Deletion): boolean {
    return this.#deletions.has(`${deletion.id} ${deletion.at}`) ||
      this.#states.some((state) => knowsOf(state, deletion))
  }

  /** True if it has said that it has applied a deletion. */
  hasAcknowledged(deletion: Deletion): boolean {
    return this.#acknowledged > deletion.at ||
      [...this.#stored].some((state) => knowsOf(state, deletion))
  }

  /** Sends one request, or those of one poll. */
  async act(now: number): Promise<void> {
    this.#now = now
    const { habit, random } = this.#options
    try {
      if (habit === "feed") await this.#feed.read(random.between(1, 5))
      else if (habit === "wild feed") await this.#readAnyOfFeed()
      else if (habit === "wild") await this.#readAnything()
      else {do await this.#reader.read()
        while (habit === "whole" && this.#reader.isInterrupted)}
    } catch (error) {
      if (!(error instanceof Broken)) throw error
      if (random.below(2) === 0) this.#reader.crash()
    }
  }

  async #readAnything(): Promise<void> {
    const { random, event } = this.#options
    const link = this.#links[random.below(this.#links.length + 2)]
    const digit = random.below(16).toString(16)
    const filter = random.pick(["", "", "", "&q=ada", "&q=1", `&bucket=${digit}`, `&hash=${digit}`])
    const list = random.below(4) === 0 ? "guests/deletions" : "guests"
    const query = `?since=${this.#anySince()}&limit=${random.between(1, 6)}` +
      (list === "guests" ? filter : filter.replace(/&q=.*/, "")) +
      (random.below(3) === 0 ? `&offset=${random.below(8)}` : "")
    const method = random.below(8) === 0 ? "HEAD" : "GET"
    const reply = await this.#get(link ?? `${event}/${list}${query}`, { method })
    const next = linkOf(reply)
    if (next !== undefined) this.#links.push(next)
  }

  #anySince(): number {
    const { random } = this.#options
    const now = this.#now
    return random.pick([-1, 0, now, now + 5, now - random.below(60), now - random.below(5000)])
  }

  async #readAnyOfFeed(): Promise<void> {
    const { random, event, heard } = this.#options
    const what = random.below(10)
    if (what === 0) await this.#readFromNow()
    else if (what === 1) await this.#get(`${event}/changes`, { method: "HEAD" })
    else if (what < 4 && heard.size > 0) {
      await this.#get(`${event}/guests/${random.pick([...heard])}`)
    } else {
      if (what < 7) this.#state = random.pick([undefined, ...this.#states])
      this.#feed.state = this.#state?.cursor
      await this.#feed.read(random.between(1, 5))
    }
  }

  /** Takes a cursor of this moment, and then a copy. */
  async #readFromNow(): Promise<void> {
    const { event } = this.#options
    const page = pageOf(await this.#get(`${event}/changes?after=now`))
    const list = await this.#get(`${event}/guests`)
    const guests: readonly { readonly id: string }[] = JSON.parse(list.text)
    const copy = new Set(guests.map(({ id }) => id))
    this.#keep({ ...stateAfter(emptyState(this.#now), page), copy })
  }

  #keep(state: FeedState): void {
    this.#state = state
    this.#states.push(state)
  }

  /** Sends a request, and remembers what it got. @throws {Broken} */
  async #get(
    path: string,
    { method = "GET", headers = {} }: {
      readonly method?: string
      readonly headers?: Readonly<Record<string, string>>
    } = {},
  ): Promise<Reply> {
    const { random, breaks, send, heard } = this.#options
    const aborts = breaks && random.below(3) === 0
    const { searchParams: query, pathname } = new URL(path, "http://localhost")
    const [, list = "guests"] = /\/(deletions|changes)$/.exec(pathname) ?? []
    const after = query.get("after")
    if (list === "deletions" && query.has("since") && !query.has("offset")) {
      this.#acknowledged = Math.max(this.#acknowledged, Number(query.get("since")))
    }
    if (list === "changes" && after !== null && this.#state) this.#stored.add(this.#state)
    const got = await send(path, { method, headers, aborts })
    if (got.status === 200 && list !== "deletions") {
      const pattern = list === "changes" ? idInFeed : idInList
      for (const [, id = ""] of got.text.matchAll(pattern)) {
        this.guests.add(id)
        heard.add(id)
      }
    }
    if (!got.isWhole) throw new Broken()
    if (list === "deletions") {
      for (const [, id, time] of got.text.matchAll(deletionInList)) {
        this.#deletions.add(`${id} ${time}`)
      }
    } else if (list === "changes" && after !== "now" && method === "GET") this.#follow(got)
    return got
  }

  /** Follows what its feed has. */
  #follow(got: Reply): void {
    if (got.status === 410) this.#state = undefined
    if (got.status !== 200) return
    this.#keep(stateAfter(this.#state ?? emptyState(this.#now), pageOf(got)))
  }
}

const idInList = /"id":"([0-9a-f-]{36})"/g
const idInFeed = /"record":\{"id":"([0-9a-f-]{36})"/g
const deletionInList = /"id":"([0-9a-f-]{36})"[^}]*"deleted":(\d+)/g
