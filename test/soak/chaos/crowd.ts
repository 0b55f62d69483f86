import type { Random } from "../../support/random.ts"
import { FeedReader } from "../../support/partner/feed-reader.ts"
import { ListSource } from "../../support/partner/list-source.ts"
import { Reader } from "../../support/partner/reader.ts"
import type { Client } from "./client.ts"
import { goodPartners, listsOf, losingPartners, type Partner } from "./partners.ts"
import { Poller } from "./poller.ts"
import { Readers } from "./readers.ts"
import { repeat } from "./repeat.ts"
import type { Scene } from "./stage.ts"
import { Writer } from "./writer.ts"

/** A partner, and the poller that plays it. */
export interface PlayedPartner {
  readonly partner: Partner
  readonly poller: Poller
}

/** Who is in a crowd. */
interface CrowdOptions {
  readonly partners?: readonly Partner[]
  /** How many writers. */
  readonly writers?: number
}

/** All who use the services and the tables during a run: partners, readers, visitors and writers. */
export class Crowd {
  readonly partners: readonly PlayedPartner[]
  readonly #readers: Readers
  readonly #writers: readonly Writer[]
  readonly #client: Client
  readonly #leaving = new AbortController()
  readonly #visitors = new AbortController()
  #visiting: Promise<void> = Promise.resolve()

  constructor(
    stage: Scene,
    random: Random,
    { partners = [...goodPartners, ...losingPartners], writers = 5 }: CrowdOptions = {},
  ) {
    const { data: { url, platform }, client, clientOf, observations } = stage
    const { signal } = this.#leaving
    this.#client = client
    this.#readers = new Readers(stage, clientOf(random.fork()))
    this.partners = partners.map((partner) => ({
      partner,
      poller: pollerOf(partner, stage, { client: clientOf(random.fork()), random, signal }),
    }))
    this.#writers = Array.from({ length: writers }, (_, index) => {
      const isolation = index % 2 === 0 ? "read committed" : "repeatable read"
      return new Writer({ url, isolation, platform, random: random.fork(), observations })
    })
  }

  get polls(): number {
    return sum(this.partners.map(({ poller }) => poller.polls))
  }

  /** How often partners had to read everything again. */
  get resyncs(): number {
    return sum(this.partners.map(({ poller }) => poller.resyncs))
  }

  /** Committed transactions. */
  get commits(): number {
    return sum(this.#writers.map(({ commits }) => commits))
  }

  /** Whole lists that were exported. */
  get exports(): number {
    return this.#readers.exports
  }

  /** What the readers did, for people. */
  get described(): string {
    const { exports, interrupted, woken } = this.#readers
    return `${exports} exports, ${interrupted} in two parts; ${woken} requests woken`
  }

  /** The oldest `since` of the partners who count by offset; undefined if one has none yet. */
  get oldestOffsetSince(): number | undefined {
    const sinces = this.partners.filter(({ partner }) => partner.kind.by === "offset")
      .map(({ poller }) => poller.since)
    return sinces.reduce((a, b) => a === undefined || b === undefined ? undefined : Math.min(a, b))
  }

  /** Resolves when each partner has polled once. All go on. */
  async start(): Promise<void> {
    for (const writer of this.#writers) writer.start()
    await Promise.all(this.partners.map(({ poller }) => poller.start()))
    this.#readers.start()
    this.#visiting = repeat(() => this.#visit(), this.#visitors.signal)
    // `finish` reports it.
    this.#visiting.catch(() => {})
  }

  /** Pauses the writing. */
  async pause(): Promise<void> {
    await Promise.all(this.#writers.map((writer) => writer.pause()))
  }

  /** Pauses the writing and, after `settle`, lets each partner poll once more, and then no more until `goOn`. */
  async rest(settle: () => Promise<void>): Promise<void> {
    await this.pause()
    await Promise.all(this.partners.map(({ poller }) => poller.stop()))
    await settle()
    await Promise.all(this.partners.map(({ poller }) => poller.pollOnce()))
  }

  /** Resolves when each partner has polled once. All go on. */
  async goOn(): Promise<void> {
    for (const writer of this.#writers) writer.resume()
    await Promise.all(this.partners.map(({ poller }) => poller.start()))
  }

  /** Ends all but the partners who poll. */
  async finish(): Promise<void> {
    await this.#readers.finish()
    this.#visitors.abort()
    await this.#visiting
  }

  /** Ends everything at once. */
  async dismiss(): Promise<void> {
    this.#leaving.abort()
    this.#visitors.abort()
    this.#readers.leave()
    await Promise.all(this.#writers.map((writer) => writer.stop()))
  }

  /** Logs in, reads the events and logs out. */
  async #visit(): Promise<void> {
    const cookie = await this.#client.logIn("visitor")
    await this.#client.get("/connector-b/v1/events", { cookie })
    await this.#client.logOut({ cookie })
  }
}

function pollerOf(
  partner: Partner,
  { data, cookies }: Scene,
  { client, random, signal }: {
    readonly client: Client
    readonly random: Random
    readonly signal: AbortSignal
  },
): Poller {
  const { family, list, account, event, kind, limit, pause } = partner
  const path = `${family}/events/${data.eventIds[event]}`
  const get = client.getFor(cookies[account] ?? "", kind.waits ? { prefer: "wait=2" } : {})
  const parts = random.below(2) === 0
    ? ["records", "deletions"] as const
    : ["deletions", "records"] as const
  const reader = list === "changes" ? new FeedReader(get, path, { limit }) : new Reader(
    new ListSource(get, path, { list }),
    {
      kind,
      limit,
      // The largest `updated` says nothing about deletions.
      parts: kind.keeps === "Next-Since" ? parts : ["records"],
      isBundle: list === "items",
    },
  )
  return new Poller(reader, {
    pause,
    ...kind.isSlow && { isSlow: true },
    ...kind.forgets && { forgets: listsOf(partner) },
    random: random.fork(),
    signal,
  })
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
