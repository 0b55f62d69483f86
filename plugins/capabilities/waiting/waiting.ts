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

/** Why a wait ended: a change, its time is up, this configuration ends, or the client is gone. */
type WaitEnd = "changed" | "time" | "released" | "gone"

/** The number of a read of the log: changes after it are found by later reads. */
export type WaitMark = number

interface WaitingOptions {
  readonly log: Log
  /** The most requests that may wait at the same time in this process. */
  readonly most: number
  /** The most seconds that a request waits; 0 turns waiting off. */
  readonly longest: number
  /** How often a change ended a wait, counted across configurations. */
  readonly wakes: { total: number }
  /** Aborts to end all waits, and to let no more begin. */
  readonly until: AbortSignal
  /** Milliseconds between two reads of the log while a request waits. */
  readonly every?: number | undefined
}

/** The most events whose last change is remembered. */
const mostRemembered = 10_000

/** The most milliseconds that a request queues to be answered. */
const longestQueue = 10_000

/** Milliseconds after which it stops listening if no request needs it. */
const rest = 30_000

/**
 * The least number of reads between two wakes of the same requests: after the first, the second, and each later wake.
 * So an event that changes now and then wakes requests at once, and one that changes constantly wakes them once per
 * second.
 */
const looksToNextWake = [2, 8, 20] as const

/** When requests with the same key were last woken, and the milliseconds until they may be woken again. */
interface LastWake {
  readonly at: number
  readonly pause: number
  /** The number of earlier wakes. */
  readonly times: number
}

/**
 * Holds requests until an event changes. The tail of the log reports all changes; nothing listens to it while no
 * request waits. A request takes a mark before it reads anything, and waits with it. A change that it has not read is
 * reported after the mark, before or during the wait. So no change is missed.
 */
export class Waiting {
  /** The most seconds that a request may wait. */
  readonly longest: number
  readonly #options: WaitingOptions & { readonly every: number }
  readonly #nodes: Nodes
  /** The server whose log is followed. */
  #node: Node | undefined
  #listening: Disposable | undefined
  readonly #held = new Map<string, Set<(end: WaitEnd) => void>>()
  /** Keys that have changed and whose requests have not been woken yet. */
  readonly #due = new Set<string>()
  /** The last wakes by key, if recent. */
  readonly #woke = new Map<string, LastWake>()
  readonly #all = new Set<(end: WaitEnd) => void>()
  readonly #waiting = new Queues()
  /** The requests that have waited and are being answered now. */
  readonly #woken = new Queues()
  /** The number of the last read. */
  #looks = 0
  /** The read that found the last change of each key. */
  readonly #changed = new Map<string, number>()
  /** The last read whose changes may have been forgotten. */
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
    const failed = "cannot look for changes now; requests keep waiting"
    this.#attempts = new RetryLog(() => options.log, { failed })
    options.until.addEventListener("abort", () => {
      for (const resolve of [...this.#all]) resolve("released")
      this.#stop()
    })
  }

  /** The node whose log is followed, if any. Another may lack the changes found there. */
  get node(): Node | undefined {
    return this.#node
  }

  /** The number of waiting requests, and how often a change woke one. */
  get numbers(): { readonly held: number; readonly wakes: number } {
    return { held: this.#places, wakes: this.#options.wakes.total }
  }

  /** Returns a mark; undefined if waiting for changes is not possible now. */
  async mark(): Promise<WaitMark | undefined> {
    if (this.#options.until.aborted) return undefined
    this.#neededAt = performance.now()
    if (!this.#listening) await this.#startOnce()
    return this.#node?.changes.common === undefined ? undefined : this.#looks
  }

  /** Takes one of an account's `most` places until it is disposed of; undefined if none is free. */
  enter(accountId: string, most: number): Disposable | undefined {
    const isFull = this.#places >= this.#options.most
    const place = isFull ? undefined : this.#waiting.take(accountId, most)
    if (!place) return undefined
    this.#places++
    place.defer(() => this.#places--)
    return place
  }

  /**
   * Waits for a place for answering: one change wakes many requests, and an account has as many places as it may have
   * running requests. Returns undefined if the client is gone, or if the queue is stuck because the database does not
   * answer.
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

  /** Resolves once all waits have ended and it no longer listens. */
  async ended(): Promise<void> {
    await this.#starting
    this.#stop()
  }

  #startOnce(): Promise<void> {
    return this.#starting ??= this.#start().finally(() => this.#starting = undefined)
  }

  /**
   * Starts listening, to another server if the former one is no longer in use. If that fails, no more requests can
   * wait.
   */
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

  /** Stops listening: changes until it starts again go unnoticed. */
  #stop(): void {
    this.#listening?.[Symbol.dispose]()
    this.#listening = undefined
    this.#node = undefined
    this.#forget(++this.#looks)
  }

  /** Forgets the changes up to a read. */
  #forget(look: number): void {
    this.#forgotten = look
    this.#changed.clear()
  }

  #isNeeded(): boolean {
    return this.#places > 0 || this.#all.size > 0 || performance.now() - this.#neededAt < rest
  }

  /** Handles the result of a read; undefined if it failed. */
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
    // The log does not show that tables were emptied or restored.
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

  /** Wakes the requests of keys that have changed. Those that were woken a moment ago are woken by a later read. */
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
      // Reads are not punctual to the millisecond.
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
