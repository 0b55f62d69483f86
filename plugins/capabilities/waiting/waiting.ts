import { performance } from "node:perf_hooks"
import { setTimeout as sleep } from "node:timers/promises"
import { Attempts, type Log, type Node, type Nodes, Unavailable } from "../../../core/capability.ts"
import { Queues } from "./queues.ts"
import { RecentChanges } from "./recent-changes.ts"

/** What a request waits for: changes of these events, and of all events of these organizations, by id. */
export interface Awaited {
  readonly eventIds: readonly string[]
  readonly organizationIds: readonly string[]
}

/** Why a wait has ended: a change, the end of its time or of this configuration, or the client has gone. */
type WaitEnd = "changed" | "time" | "released" | "gone"

/** A place among the looks at the log: what changes after it is found later. */
export type Mark = number

interface WaitingOptions {
  readonly log: Log
  /** The most requests that wait at the same time, in this process. */
  readonly most: number
  /** The most seconds that one waits; 0 means that none does. */
  readonly longest: number
  /** How often a change ended a wait: also counts on from one configuration to the next. */
  readonly wakes: { total: number }
  /** Ends all waits when it aborts, and lets no more begin. */
  readonly until: AbortSignal
  /** Milliseconds from one look at the log to the next. */
  readonly every?: number | undefined
}

/** Events whose last change is remembered. */
const mostRemembered = 10_000

/** The most milliseconds that a request queues to be answered. */
const longestQueue = 10_000

/** Milliseconds after which looks end that nobody needs. */
const rest = 30_000

/** Looks of the usual duration from one wake to the next: an event that changes all the time wakes once per second. */
const looksPerWake = 4

/**
 * Holds requests until an event changes. Four looks at the log per second serve all; while none waits, there are none.
 * A request takes a mark before it reads anything, and gives it when it waits. A change that it has not read is found by
 * a look after the mark, before the wait or during it. So no change is missed.
 */
export class Waiting {
  /** The most seconds that a request waits. */
  readonly longest: number
  readonly #options: WaitingOptions & { readonly every: number }
  readonly #nodes: Nodes
  /** Where the looks are. */
  #node: Node | undefined
  #recent: RecentChanges | undefined
  readonly #held = new Map<string, Set<(end: WaitEnd) => void>>()
  /** What has changed and not yet woken those who wait for it. */
  readonly #due = new Set<string>()
  /** By what requests wait for: when they were woken, if that was within the last second. */
  readonly #woke = new Map<string, number>()
  /** The milliseconds that the latest looks took: until there were enough of them, one that is slow says little. */
  readonly #took: number[] = Array.from({ length: looksPerWake }, () => 0)
  readonly #all = new Set<(end: WaitEnd) => void>()
  readonly #waiting = new Queues()
  /** The requests that have waited, and are answered now. */
  readonly #woken = new Queues()
  /** The number of the last look. */
  #looks = 0
  /** By what requests wait for: the look that has found its last change. */
  readonly #changed = new Map<string, number>()
  /** The last look whose changes may be forgotten. */
  #forgotten = 0
  #starting: Promise<void> | undefined
  #following: Promise<void> | undefined
  #neededAt = 0
  #common: string | undefined
  readonly #attempts: Attempts
  #places = 0

  constructor(nodes: Nodes, options: WaitingOptions) {
    this.longest = options.longest
    this.#options = { ...options, every: options.every ?? 250 }
    this.#nodes = nodes
    const failed = "cannot look for changes now; requests wait on"
    this.#attempts = new Attempts(() => options.log, { failed })
    options.until.addEventListener("abort", () => {
      for (const resolve of [...this.#all]) resolve("released")
    })
  }

  /** The node that is looked at; undefined while none is. Another one may not have what was found there. */
  get node(): Node | undefined {
    return this.#node
  }

  /** How many requests wait, and how often one was woken by a change. */
  get numbers(): { readonly held: number; readonly wakes: number } {
    return { held: this.#places, wakes: this.#options.wakes.total }
  }

  /** Returns a mark; undefined if changes cannot be waited for now. */
  async mark(): Promise<Mark | undefined> {
    if (this.#options.until.aborted) return undefined
    this.#neededAt = performance.now()
    if (!this.#following) await (this.#starting ??= this.#start())
    if (this.#node?.changes.common === undefined) return undefined
    return this.#following ? this.#looks : undefined
  }

  /** Takes a place for an account that may have so many, until it is disposed of; undefined if none is free. */
  enter(accountId: string, most: number): Disposable | undefined {
    const isFull = this.#places >= this.#options.most
    const place = isFull ? undefined : this.#waiting.take(accountId, most)
    if (!place) return undefined
    this.#places++
    place.defer(() => this.#places--)
    return place
  }

  /**
   * Waits for a place to answer in: one change wakes many, and an account has as many places as it may have requests
   * running. Returns undefined if the client has gone, or if the queue is stuck because the database does not answer.
   */
  async enterAgain(
    accountId: string,
    most: number,
    signal: AbortSignal | undefined,
  ): Promise<Disposable | undefined> {
    const free = signal?.aborted ? undefined : this.#woken.take(accountId, most)
    if (free) return free
    const stuck = AbortSignal.timeout(longestQueue)
    const either = signal ? AbortSignal.any([signal, stuck]) : stuck
    return await this.#woken.enter(accountId, most, either)
  }

  /** Resolves when something has changed after the mark, or after so many milliseconds. */
  async hold(
    { eventIds, organizationIds }: Awaited,
    { mark, milliseconds, signal }: {
      readonly mark: Mark
      readonly milliseconds: number
      readonly signal: AbortSignal | undefined
    },
  ): Promise<WaitEnd> {
    const keys = [...eventIds, ...organizationIds]
    if (this.#options.until.aborted) return "released"
    if (signal?.aborted) return "gone"
    if (mark < this.#forgotten || keys.some((key) => (this.#changed.get(key) ?? 0) > mark)) {
      return "changed"
    }
    const { promise, resolve } = Promise.withResolvers<WaitEnd>()
    const gone = () => resolve("gone")
    const timer = setTimeout(resolve, milliseconds, "time")
    signal?.addEventListener("abort", gone)
    this.#all.add(resolve)
    for (const key of keys) {
      const held = this.#held.get(key) ?? new Set()
      this.#held.set(key, held.add(resolve))
    }
    const end = await promise
    clearTimeout(timer)
    signal?.removeEventListener("abort", gone)
    this.#all.delete(resolve)
    for (const key of keys) {
      const held = this.#held.get(key)
      held?.delete(resolve)
      if (held?.size === 0) this.#held.delete(key)
    }
    return end
  }

  /** Resolves when the looks have ended, once all waits have. */
  async ended(): Promise<void> {
    await this.#starting
    await this.#following
  }

  /** The first look. If it fails, nobody can wait now. */
  async #start(): Promise<void> {
    try {
      await this.#look()
      this.#following = this.#follow().finally(() => this.#following = undefined)
    } catch (error) {
      this.#attempts.failed(error)
    } finally {
      this.#starting = undefined
    }
  }

  /**
   * Looks until nobody has needed it for a while. Never throws. Looks take at most a tenth of the time, of which the
   * fastest of the latest says most: while this process answers many, a look seems to take seconds.
   */
  async #follow(): Promise<void> {
    const { every, until: signal } = this.#options
    let pause = every
    while (this.#isNeeded()) {
      try {
        await sleep(pause, undefined, { signal, ref: false })
        const start = performance.now()
        await this.#look()
        const took = performance.now() - start
        this.#took.splice(looksPerWake - 1)
        this.#took.unshift(took)
        pause = Math.max(every - took, 9 * Math.min(...this.#took))
      } catch (error) {
        if (signal.aborted) return
        pause = every
        this.#attempts.failed(error)
      }
    }
    // What changes until the next look is not found.
    this.#node = undefined
    this.#recent = undefined
    this.#forget(++this.#looks)
  }

  /** Forgets what has changed up to a look. */
  #forget(look: number): void {
    this.#forgotten = look
    this.#changed.clear()
  }

  #isNeeded(): boolean {
    return this.#places > 0 || this.#all.size > 0 || performance.now() - this.#neededAt < rest
  }

  async #look(): Promise<void> {
    const node = this.#node && this.#nodes.isInUse(this.#node) ? this.#node : this.#nodes.next()
    if (!node) throw new Unavailable("No server of the database can be looked at.")
    if (node !== this.#node) {
      this.#node = node
      this.#recent = new RecentChanges(node.database)
      this.#common = undefined
    }
    const { common } = node.changes
    const changed = await this.#recent?.look()
    const look = ++this.#looks
    this.#attempts.succeeded()
    // Tables that were emptied or restored are in no log.
    if (changed === undefined || common === undefined || common !== this.#common) {
      this.#common = common
      this.#forget(look)
      return this.#wake(this.#all)
    }
    if (this.#changed.size + 2 * changed.length > mostRemembered) this.#forget(look)
    const keys = changed.flatMap(({ eventId, organizationId }) => [eventId, organizationId ?? ""])
    for (const key of keys) {
      this.#changed.set(key, look)
      this.#due.add(key)
    }
    this.#wakeDue()
  }

  /** Wakes those who wait for what has changed, unless they were woken a moment ago: then a later look does. */
  #wakeDue(): void {
    const now = performance.now()
    for (const [key, woke] of this.#woke) {
      // Looks are not on time to the millisecond.
      if (now - woke > (looksPerWake - 0.5) * this.#options.every) this.#woke.delete(key)
    }
    for (const key of this.#due) {
      if (this.#woke.has(key)) continue
      this.#due.delete(key)
      const held = this.#held.get(key)
      if (!held) continue
      this.#woke.set(key, now)
      this.#wake(held)
    }
  }

  #wake(held: Iterable<(end: WaitEnd) => void>): void {
    for (const resolve of [...held]) {
      this.#options.wakes.total++
      resolve("changed")
    }
  }
}
