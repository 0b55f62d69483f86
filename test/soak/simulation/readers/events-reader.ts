import { pagesOf } from "../../../support/partner/reply.ts"
import type { Random } from "../../../support/random.ts"
import type { Client } from "../client.ts"
import type { World } from "../world.ts"
import { anyService, disturbed, getterOf, NotNow } from "./asking.ts"
import type { Keeper } from "./keep.ts"
import { assertPast, wasSetBackBefore } from "./list-reader.ts"

interface EventsReaderOptions {
  readonly client: Client
  readonly family: string
  readonly name: string
  /** Events per page. */
  readonly limit: number
  /** Makes the programs that keep a copy of an event. */
  readonly begin: (event: string) => readonly Keeper[]
}

/** An event as its list has it. */
export interface ListedEvent {
  readonly id: string
  readonly changed: number | null
}

interface Listed {
  readonly events: readonly ListedEvent[]
  readonly nextSince: number
  readonly etag: string | undefined
}

/** What it remembers of its last poll: the list, and when it was got, on the steady clock. */
interface Kept extends Listed {
  readonly at: number
}

const day = 86_400_000

/** Codes of an event that an account may not read. A capability that is off has another. */
const ofEvent = new Set(["event_not_found", "connector_not_enabled"])

/** A program that keeps a copy of all its events, and polls only those whose `changed` says that there is something new. */
export class EventsReader implements Keeper {
  readonly #world: World
  readonly #options: EventsReaderOptions
  readonly #keepers = new Map<string, readonly Keeper[]>()
  #kept: Kept | undefined
  /** When it last polled all events, on the steady clock. */
  #polledAll = -Infinity
  #isInterrupted = false

  constructor(world: World, options: EventsReaderOptions) {
    this.#world = world
    this.#options = options
  }

  get name(): string {
    return this.#options.name
  }

  get state(): string {
    return `since ${this.#kept?.nextSince}, ${this.#keepers.size} events`
  }

  get isInterrupted(): boolean {
    return this.#isInterrupted ||
      [...this.#keepers.values()].flat().some((each) => each.isInterrupted)
  }

  crash(): void {
    for (const keeper of [...this.#keepers.values()].flat()) keeper.crash()
  }

  async poll(random: Random, isCalm = false): Promise<void> {
    this.#isInterrupted = true
    const { time } = this.#world
    const at = time.steady
    const isAll = this.#isBeyondPromise() || at - this.#polledAll >= day
    const kept = isAll ? undefined : this.#kept
    const listed = await this.#list(kept, random, isCalm)
    await this.#dropGone(listed, random, isCalm)
    for (const { id, changed } of listed.events) {
      const known = this.#keepers.get(id)
      if (known && kept && (changed === null || changed < kept.nextSince)) continue
      const keepers = known ?? this.#options.begin(id)
      this.#keepers.set(id, keepers)
      for (const keeper of keepers) await this.#pollOne(keeper, random, isCalm)
    }
    this.#kept = { ...listed, at }
    if (isAll) this.#polledAll = at
    this.#isInterrupted = false
  }

  /** Returns the first differences of the copies of events that the account may read now. */
  async differences(): Promise<readonly string[]> {
    const { access, time } = this.#world
    const found: string[] = []
    for (const [event, keepers] of this.#keepers) {
      const { client } = this.#options
      if (access.mayRead(client.account, event, time.steady, time.steady) !== "yes") continue
      for (const keeper of keepers) {
        for (const difference of await keeper.differences()) {
          found.push(`${event.slice(0, 4)}: ${difference}`)
        }
      }
    }
    return found.slice(0, 3)
  }

  #isBeyondPromise(): boolean {
    const kept = this.#kept
    if (!kept) return false
    return wasSetBackBefore(this.#world.time, { since: kept.nextSince, at: kept.at })
  }

  async #pollOne(keeper: Keeper, random: Random, isCalm: boolean): Promise<void> {
    try {
      // A walk that began before the list was read lacks what has changed since.
      if (keeper.isInterrupted) await keeper.poll(random, isCalm)
      await keeper.poll(random, isCalm)
    } catch (error) {
      // The event is gone, or not to be read now: the next list says which.
      const isOfEvent = error instanceof NotNow && ofEvent.has(error.code)
      if (!isOfEvent) throw error
      this.#polledAll = -Infinity
    }
  }

  /** Drops the events that two reads of the list do not have. */
  async #dropGone({ events }: Listed, random: Random, isCalm: boolean): Promise<void> {
    const first = new Set(events.map(({ id }) => id))
    if ([...this.#keepers.keys()].every((id) => first.has(id))) return
    const again = await this.#list(undefined, random, isCalm)
    const second = new Set(again.events.map(({ id }) => id))
    for (const id of this.#keepers.keys()) {
      if (!first.has(id) && !second.has(id)) this.#keepers.delete(id)
    }
  }

  /** Returns all events; after a 304, those of the last poll. */
  async #list(kept: Kept | undefined, random: Random, isCalm: boolean): Promise<Listed> {
    const { client, family, limit } = this.#options
    const events: ListedEvent[] = []
    let first: Headers | undefined
    const sent = this.#world.time.steady
    const get = getterOf(this.#world, client, () => ({
      ...isCalm ? {} : disturbed(random),
      ...anyService(this.#world, random),
    }))
    const path = `${family}/events?since=-1&limit=${limit}`
    const headers = (): Record<string, string> => {
      const tag = first ? undefined : kept?.etag
      return tag ? { "if-none-match": tag } : {}
    }
    for await (const got of pagesOf(get, path, headers)) {
      if (got.status === 304 && kept) {
        return { ...kept, nextSince: Number(got.headers.get("next-since")) }
      }
      events.push(...JSON.parse(got.text) as ListedEvent[])
      first ??= got.headers
    }
    const nextSince = Number(first?.get("next-since") ?? -1)
    assertPast(this.#world.time, nextSince, sent)
    return { events, nextSince, etag: first?.get("etag") ?? undefined }
  }
}
