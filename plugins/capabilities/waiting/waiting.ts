import { performance } from "node:perf_hooks"
import {
  type Log,
  type Node,
  type Nodes,
  RetryLog,
  type TailResult,
  Unavailable,
} from "../../../core/capability.ts"
import { Queues } from "./queues.ts"

/** What a request waits for: changes of these events, and of all events of these organizations, by id. */
export interface WaitTarget {
  readonly eventIds: readonly string[]
  readonly organizationIds: readonly string[]
}

/** Why a wait has ended: a change, the end of its time, the end of this configuration, or the client has gone. */
type WaitEnd = "changed" | "time" | "released" | "gone"

/** The number of a look at the log: changes after it are found by later looks. */
export type WaitMark = number

interface WaitingOptions {
  readonly log: Log
  /** The most requests that wait at the same time, in this process. */
  readonly most: number
  /** The most seconds that a request waits; 0 turns waiting off. */
  readonly longest: number
  /** How often a change ended a wait, counted across configurations. */
  readonly wakes: { total: number }
  /** Aborts to end all waits, and to let no more begin. */
  readonly until: AbortSignal
  /** Milliseconds from one look at the log to the next, while a request waits. */
  readonly every?: number | undefined
}

/** Events whose last change is remembered. */
const mostRemembered = 10_000

/** The most milliseconds that a request queues to be answered. */
const longestQueue = 10_000

/** Milliseconds after which it stops listening if nobody needs it. */
const rest = 30_000

/**
 * The number of looks between two wakes of the same requests: the first three, and then all. So an event that changes now
 * and then wakes at once, and one that changes constantly wakes once per second.
 */
const looksToNextWake = [2, 8, 20] as const

/** When requests with the same key were last woken, and the milliseconds until they may be woken again. */
interface LastWake {
  readonly at: number
  readonly pause: number
  /** How often before. */
  readonly times: number
}

/**
 * Holds requests until an event changes. The tail of the log tells of all changes; it is not listened to while no request
 * waits. A request takes a mark before it reads anything, and waits with it. A change that it has not read is told after the
 * mark, before the wait or during it. So no change is missed.
 */
export class Waiting {
  /** The most seconds that a request waits. */
  readonly longest: number
  readonly #options: WaitingOptions & { readonly every: number }
  readonly #nodes: Nodes
  /** The server whose log is listened to. */
  #node: Node | undefined
  #listening: Disposable | undefined
  readonly #held = new Map<string, Set<(end: WaitEnd) => void>>()
  /** Keys that have changed, and whose requests have not been woken yet. */
  readonly #due = new Set<string>()
  /** By key, if its requests were woken lately. */
  readonly #woke = new Map<string, LastWake>()
  readonly #all = new Set<(end: WaitEnd) => void>()
  readonly #waiting = new Queues()
  /** The requests that have waited, and are answered now. */
  readonly #woken = new Queues()
  /** The number of the last look. */
  #looks = 0
  /** By key: the look that found its last change. */
  readonly #changed = new Map<string, number>()
  /** The last look whose changes may be forgotten. */
  #forgotten = 0
  #starting: Promise<void> | undefined
  #neededAt = 0
  #common: string | undefined
  readonly #attempts: RetryLog
  #places = 0

  constructor(nodes: Nodes, options: WaitingOptions) {
    this.longest = options.longest
    this.#options = { ...options, every: options.every ?? 50 }
    this.#nodes = nodes
    const failed = "cannot look for changes now; requests wait on"
    this.#attempts = new RetryLog(() => options.log, { failed })
    options.until.addEventListener("abort", () => {
      for (const resolve of [...this.#all]) resolve("released")
      this.#stop()
    })
  }

  /** The node that is looked at; undefined while none is. Another one may lack what was found there. */
  get node(): Node | undefined {
    return this.#node
  }

  /** The number of requests that wait, and how often a change woke one. */
  get numbers(): { readonly held: number; readonly wakes: number } {
    return { held: this.#places, wakes: this.#options.wakes.total }
  }

  /** Returns a mark; undefined if changes cannot be waited for now. */
  async mark(): Promise<WaitMark | undefined> {
    if (this.#options.until.aborted) return undefined
    this.#neededAt = performance.now()
    if (!this.#listening) await this.#startOnce()
    return this.#node?.changes.common === undefined ? undefined : this.#looks
  }

  /** Takes one of the `most` places of an account, until it is disposed of; undefined if none is free. */
  enter(accountId: string, most: number): Disposable | undefined {
    const isFull = this.#places >= this.#options.most
    const place = isFull ? undefined : this.#waiting.take(accountId, most)
    if (!place) return undefined
    this.#places++
    place.defer(() => this.#places--)
    return place
  }

  /**
   * Waits for a place to answer in: one change wakes many, and an account has a place for each request that it may have
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

  /** Resolves when something has changed after the mark, or when the time is up. */
  async hold(
    { eventIds, organizationIds }: WaitTarget,
    { mark, milliseconds, signal }: {
      readonly mark: WaitMark
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

  /** Resolves once it no longer listens, after all waits have ended. */
  async ended(): Promise<void> {
    await this.#starting
    this.#stop()
  }

  #startOnce(): Promise<void> {
    return this.#starting ??= this.#start().finally(() => this.#starting = undefined)
  }

  /** Starts listening, at another server if the former one is no longer in use. If that fails, no more requests can wait. */
  async #start(): Promise<void> {
    try {
      const node = this.#nodes.next()
      if (!node) throw new Unavailable("No server of the database can be looked at.")
      const { common } = node.changes
      const listening = await node.changes.tail.listen({
        every: () => this.#places > 0 ? this.#options.every : 5 * this.#options.every,
        hear: (found) => this.#hear(found),
      })
      this.#stop()
      this.#node = node
      this.#listening = listening
      this.#common = common
      this.#attempts.succeeded()
      this.#wake(this.#all)
    } catch (error) {
      this.#attempts.failed(error)
    }
    if (this.#options.until.aborted) this.#stop()
  }

  /** Stops listening: changes until it starts again are not told. */
  #stop(): void {
    this.#listening?.[Symbol.dispose]()
    this.#listening = undefined
    this.#node = undefined
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

  /** Takes up what a look has found; undefined if it has failed. */
  #hear(found: TailResult | undefined): void {
    if (!this.#listening) return
    if (!this.#isNeeded()) return this.#stop()
    if (!this.#node || !this.#nodes.isInUse(this.#node)) {
      void this.#startOnce()
      return
    }
    if (!found) return
    const { common } = this.#node.changes
    const look = ++this.#looks
    // The log does not tell that tables were emptied or restored.
    if (found.isEmptied || common === undefined || common !== this.#common) {
      this.#common = common
      this.#forget(look)
      return this.#wake(this.#all)
    }
    const { changes } = found
    if (this.#changed.size + 2 * changes.length > mostRemembered) this.#forget(look)
    for (const key of changes.flatMap(({ event, organization }) => [event, organization ?? ""])) {
      this.#changed.set(key, look)
      this.#due.add(key)
    }
    this.#wakeDue()
  }

  /** Wakes the requests of keys that have changed. A later look wakes those that were woken a moment ago. */
  #wakeDue(): void {
    const now = performance.now()
    const { every } = this.#options
    for (const [key, { at }] of this.#woke) {
      if (now - at < 2 * (looksToNextWake.at(-1) ?? 0) * every) break
      this.#woke.delete(key)
    }
    for (const key of this.#due) {
      const { at = -Infinity, pause = 0, times = 0 } = this.#woke.get(key) ?? {}
      if (now - at < pause) continue
      this.#due.delete(key)
      const held = this.#held.get(key)
      if (!held) continue
      // Looks are not on time to the millisecond.
      const looks = (looksToNextWake[times] ?? looksToNextWake[2]) - 0.5
      this.#woke.delete(key)
      this.#woke.set(key, { at: now, pause: looks * every, times: times + 1 })
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
