import type { Copy } from "../../../support/partner/copy.ts"
import { FeedReader, type FeedReading } from "../../../support/partner/feed-reader.ts"
import type { Get } from "../../../support/partner/reply.ts"
import { type List, listOf } from "../../../support/partner/rows.ts"
import { Random } from "../../../support/random.ts"
import { recordsOf } from "../../../support/truth.ts"
import { isFilterChanging, truthOf } from "../chosen.ts"
import type { Client } from "../client.ts"
import { Violation } from "../simulation.ts"
import type { World } from "../world.ts"
import { anyService, disturbed, getterOf } from "./asking.ts"
import type { Keeper } from "./keep.ts"

/** How a program reads a feed. */
export interface FeedKeeping extends FeedReading {
  /** True if it takes the cursor of the moment first, and then reads whole lists. */
  readonly beginsNow?: boolean
  /** The most seconds that it waits for a change. */
  readonly waits?: number
}

interface FeedKeeperOptions extends FeedKeeping {
  readonly client: Client
  readonly family: string
  readonly lists: readonly List[]
  /** Returns the id of the event: there is none before the world is prepared. */
  readonly event: () => string
  readonly name: string
}

/** A program that keeps a copy of an event by its feed, and is killed now and then before it stores a cursor. */
export class FeedKeeper implements Keeper {
  readonly #world: World
  readonly #options: FeedKeeperOptions
  #opened: FeedReader | undefined
  /** When its cursor was got, on the steady clock. */
  #stored = 0
  #random = new Random(0)
  #isCalm = false

  constructor(world: World, options: FeedKeeperOptions) {
    this.#world = world
    this.#options = options
  }

  get name(): string {
    return this.#options.name
  }

  get state(): string {
    return `${this.#reader.copy.size} records`
  }

  get copy(): Copy {
    return this.#reader.copy
  }

  get isInterrupted(): boolean {
    return this.#reader.isInterrupted
  }

  /** It has stored all that it needs. */
  crash(): void {}

  async poll(random: Random, isCalm = false): Promise<void> {
    this.#random = random
    this.#isCalm = isCalm
    const reader = this.#reader
    const { time } = this.#world
    const { beginsNow, lists } = this.#options
    if (reader.state === undefined && beginsNow) {
      const at = time.steady
      await reader.beginNow(lists, random.between(5, 50))
      this.#stored = at
    }
    for (let pages = 0;; pages++) {
      if (pages > 300) throw new Violation(`${this.name} reads without end`)
      const { more } = await reader.read()
      if (!isCalm && random.below(8) === 0) reader.crash()
      else this.#stored = time.steady
      if (!more) return
    }
  }

  get isComparable(): boolean {
    return !isFilterChanging(this.#world.tables, this.#options.family)
  }

  async differences(): Promise<readonly string[]> {
    const { event, family, lists } = this.#options
    const found = await truthOf(this.#world.tables, event(), family)
    if (!found) return []
    const truth = recordsOf(found, family)
    const wanted = new Map([...truth].filter(([key]) => lists.includes(listOf(key))))
    return this.#reader.copy.differences(wanted).slice(0, 3).map(({ text }) => text)
  }

  get #reader(): FeedReader {
    const { family, event } = this.#options
    return this.#opened ??= new FeedReader(
      this.#getter(),
      `${family}/events/${event()}`,
      this.#options,
    )
  }

  #getter(): Get {
    const { client, waits } = this.#options
    return getterOf(this.#world, client, () => ({
      ...waits && !this.#isCalm &&
        { headers: { prefer: `wait=${this.#random.between(1, waits)}` } },
      ...this.#isCalm ? {} : disturbed(this.#random),
      ...anyService(this.#world, this.#random),
    }))
  }
}
