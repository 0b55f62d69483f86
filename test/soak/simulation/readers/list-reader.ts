import type { Copy } from "../../../support/partner/copy.ts"
import { ListSource, type Source } from "../../../support/partner/list-source.ts"
import { Reader } from "../../../support/partner/reader.ts"
import { type Get, Refused } from "../../../support/partner/reply.ts"
import { type List, listOf } from "../../../support/partner/rows.ts"
import { Random } from "../../../support/random.ts"
import { recordsOf } from "../../../support/truth.ts"
import { isFilterChanging, truthOf } from "../chosen.ts"
import type { Client } from "../client.ts"
import { Violation } from "../simulation.ts"
import type { World } from "../world.ts"
import { anyService, disturbed, getterOf } from "./asking.ts"
import type { Keeper } from "./keep.ts"

/** How a reader of a list reads it. */
export interface ListReading {
  readonly list: List
  /** Of items: the only category that it reads. */
  readonly category?: string
  readonly by: "cursor" | "offset"
  readonly accept: "application/json" | "application/x-ndjson" | "text/csv"
  /** True if it sends tags, and ends its polls at a 304. */
  readonly sendsTags?: boolean
  /** True if it reads the deletions before the records. */
  readonly deletionsFirst?: boolean
  readonly limit: number
  /** The family, if it is not that of the account. */
  readonly family?: string
}

interface ListReaderOptions extends ListReading {
  readonly client: Client
  /** The path of the family, such as `/acme/v1`. */
  readonly family: string
  /** Returns the id of the event: there is none before the world is prepared. */
  readonly event: () => string
  /** Who it is in the story. */
  readonly name: string
}

/** A program that keeps a copy of a list of an event by the rules of the guide. */
export class ListReader implements Keeper {
  /** How it gets its pages. */
  readonly get: Get
  readonly #world: World
  readonly #options: ListReaderOptions
  #opened: Reader | undefined
  /** When its last finished poll began, and the one that runs, on the steady clock. */
  #at = 0
  #began = 0
  #random = new Random(0)
  #isCalm = false

  constructor(world: World, options: ListReaderOptions) {
    this.#world = world
    this.#options = options
    this.get = getterOf(world, options.client, () => ({
      ...this.#isCalm ? {} : disturbed(this.#random),
      ...anyService(world, this.#random),
    }))
  }

  get name(): string {
    return this.#options.name
  }

  get list(): List {
    return this.#options.list
  }

  /** The path of the list. */
  get path(): string {
    return `${this.#event}/${this.list}`
  }

  get copy(): Copy {
    return this.#reader.copy
  }

  /** The header `Fields` that its records came with; undefined before its first poll has ended. */
  get fields(): string | undefined {
    return this.#reader.fields
  }

  get isInterrupted(): boolean {
    return this.#reader.isInterrupted
  }

  get state(): string {
    return `since ${this.#reader.since ?? "nothing"}, ${this.copy.size} records`
  }

  crash(): void {
    this.#reader.crash()
  }

  async poll(random: Random, isCalm = false): Promise<void> {
    this.#random = random
    this.#isCalm = isCalm
    const reader = this.#reader
    if (this.#isBeyondPromise()) reader.beginAgain()
    for (let pages = 0; !(await this.#read()); pages++) {
      if (pages > 300) throw new Violation(`${this.name} reads ${this.path} without end`)
    }
    this.#at = this.#began
  }

  get isComparable(): boolean {
    return !isFilterChanging(this.#world.tables, this.#options.family)
  }

  async differences(): Promise<readonly string[]> {
    const { event, family, category } = this.#options
    const found = await truthOf(this.#world.tables, event(), family)
    if (!found) return []
    const truth = recordsOf(found, family)
    const isWanted = (key: string) =>
      category ? key.startsWith(`${category} `) : listOf(key) === this.list
    const wanted = new Map([...truth].filter(([key]) => isWanted(key)))
    return this.copy.differences(wanted).slice(0, 3).map(({ text }) => text)
  }

  /** Reads a page. Returns true if that ended the poll. */
  async #read(): Promise<boolean> {
    const reader = this.#reader
    if (!reader.isInterrupted) this.#began = this.#world.time.steady
    try {
      return await reader.read()
    } catch (error) {
      // A `since` in the future: the clock was set back meanwhile.
      if (!(error instanceof Refused) || error.status !== 400 || !this.#isBeyondPromise()) {
        throw error
      }
      reader.beginAgain()
      return false
    }
  }

  /** True if the clock was set back further than the embedded database allows since the last poll. */
  #isBeyondPromise(): boolean {
    const { since } = this.#reader
    return since !== undefined && wasSetBackBefore(this.#world.time, { since, at: this.#at })
  }

  get #event(): string {
    return `${this.#options.family}/events/${this.#options.event()}`
  }

  get #reader(): Reader {
    return this.#opened ??= this.#open()
  }

  #open(): Reader {
    const { list, category, accept, by, sendsTags = false, deletionsFirst, limit } = this.#options
    const { time } = this.#world
    const own = new ListSource(this.get, this.#event, { list, category, accept })
    const source: Source = {
      page: async (part, place) => {
        const sent = time.steady
        const page = await own.page(part, place)
        if (!page.refused && !("link" in place)) assertPast(time, page.nextSince, sent)
        return page
      },
    }
    return new Reader(source, {
      kind: { by, keeps: "Next-Since", sendsTags, endsPolls: true },
      limit,
      parts: deletionsFirst ? ["deletions", "records"] : ["records", "deletions"],
      isBundle: list === "items",
    })
  }
}

/** Returns true if the clock was set back to before a `Next-Since` after it was got, at a moment of the steady clock. */
export function wasSetBackBefore(
  time: World["time"],
  { since, at }: { readonly since: number; readonly at: number },
): boolean {
  const { least } = time.wallBetween(at, time.steady)
  return least < time.wallBetween(at, at).least && least / 1000 < since
}

/** Milliseconds that a service's look at the clock may be old: it cannot look while the database is locked. */
const lookAge = 40_000

/** @throws {Violation} if a `Next-Since` is not before the clock as the service may have seen it. */
export function assertPast(time: World["time"], nextSince: number, sent: number): void {
  const { most } = time.wallBetween(sent - lookAge, time.steady)
  if (nextSince >= most / 1000) {
    throw new Violation(`Next-Since is ${nextSince}, ahead of the clock at ${most / 1000}`)
  }
}
