import { performance } from "node:perf_hooks"
import { Unavailable, UserError } from "../../../core/capability.ts"
import { Coalescer } from "../../../core/nodes.ts"
import type { Target } from "../../databases/mysql/parts.ts"
import { Server } from "./server.ts"
import type { ServerState } from "./server-state.ts"

/** Milliseconds from the start of one check of the servers to the next. */
const interval = 1000

/** Milliseconds for which a server's state counts. */
const memory = 3000

type Listener = (to: Server | undefined, from: Server | undefined) => void

/**
 * The servers of a database, checked once a second.
 *
 * The primary is the server that takes writes. While two do, the former primary stays the primary; if it is neither,
 * there is none, because writes to one of them may be lost.
 */
export class Servers {
  readonly all: readonly [Server, ...Server[]]
  #primary: Server | undefined
  readonly #listeners = new Set<Listener>()
  readonly #looks = new Coalescer<void>()
  readonly #timers = new Map<Server, ReturnType<typeof setTimeout>>()
  #isClosed = false

  constructor([first, ...others]: readonly [Target, ...Target[]]) {
    this.all = [new Server(first), ...others.map((target) => new Server(target))]
  }

  /** The server that takes writes; undefined while there is none. */
  get primary(): Server | undefined {
    return this.#primary
  }

  /**
   * Checks all servers, now and then once a second. Returns the state of the primary.
   *
   * @throws {Unavailable} if there is no primary; {UserError} if there are several, or if all servers refuse the
   *   user.
   */
  async begin(): Promise<ServerState> {
    await this.refresh()
    const state = this.#primary?.state
    if (!state) throw this.#whyNone()
    for (const server of this.all) this.#follow(server, interval)
    return state
  }

  /** Calls `listener` when the primary has changed. Returns a function that stops it. */
  onPrimary(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Checks all servers now, in at most eight seconds. Never rejects. */
  async refresh(): Promise<void> {
    await Promise.all(this.all.map((server) => this.#lookAt(server)))
    if (!this.#isClosed) this.#choose()
  }

  /**
   * Asks all servers now, in at most eight seconds, whether a server is the primary. Returns true if no other can have
   * replaced it: more than half of its group agree, or, without a group, all others that may be the primary are
   * read-only. Its own word proves nothing, as it may have been paused. Never rejects.
   */
  async confirm(server: Server): Promise<boolean> {
    const asked = performance.now()
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const looks = this.all.map(async (each) => {
      await this.#lookAt(each)
      if (this.#isConfirmed(server, asked)) resolve(true)
    })
    void Promise.all(looks).then(() => resolve(false))
    return await promise
  }

  /**
   * Returns true if more than half of a group, including this server, say that nothing can be committed now: they know
   * no primary, or one that is read-only because it is still applying what it received.
   */
  isStranded(server: Server): boolean {
    const since = performance.now() - memory
    const fresh = this.all.filter(({ state, seenAt }) => state && seenAt >= since)
    const alone = fresh.filter(({ state: { group } = {} }) =>
      group?.state === "ONLINE" && group.hasMajority &&
      (!group.hasPrimary ||
        fresh.some(({ state }) => state?.uuid === group.primary && state.isReadOnly))
    )
    const members = server.state?.group?.members ?? Infinity
    return alone.includes(server) && 2 * alone.length > members
  }

  /** Explains why there is no primary. */
  describeLack(): string {
    const writable = this.#writable()
    const names = writable.map(({ name }) => name)
    if (names.length > 1) {
      if (new Set(writable.map(({ state }) => state?.uuid)).size === 1) {
        return `${names.join(" and ")} are the same server: name it once in database.url.`
      }
      return `${
        names.join(" and ")
      } both take writes, so what is written to one of them may be lost. ` +
        "Nothing is written until only one does: set super_read_only on the others."
    }
    const reasons = this.all.filter(({ mayBePrimary }) => mayBePrimary).map(
      ({ name, obstacle = "was the primary of its group" }) => `${name} ${obstacle}`,
    )
    return `No server of the database takes writes now: ${reasons.join("; ")}.`
  }

  /** Stops checking, and closes all connections to the servers. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const timer of this.#timers.values()) clearTimeout(timer)
    await Promise.all(this.all.map((server) => server.close()))
  }

  /** Checks each server separately, so that a frozen one does not hold up the others. */
  #follow(server: Server, pause: number): void {
    if (this.#isClosed) return
    const timer = setTimeout(async () => {
      const begun = performance.now()
      await this.#lookAt(server)
      if (!this.#isClosed) this.#choose()
      this.#follow(server, Math.max(0, begun + interval - performance.now()))
    }, pause).unref()
    this.#timers.set(server, timer)
  }

  /** Concurrent calls share a check that begins after them. */
  async #lookAt(server: Server): Promise<void> {
    await this.#looks.run(server.name, () => server.look())
  }

  #isConfirmed(server: Server, asked: number): boolean {
    const { state: { uuid, group } = {} } = server
    const fresh = this.all.filter(({ state, seenAt }) => state && seenAt >= asked)
    if (!fresh.includes(server) || server.obstacle !== undefined) return false
    if (!group) {
      return this.all.every((other) =>
        other === server || !other.mayBePrimary ||
        (fresh.includes(other) && other.state?.isReadOnly)
      )
    }
    const agreeing = fresh.filter(({ state }) =>
      state?.group?.state === "ONLINE" && state.group.view === group.view &&
      state.group.hasPrimary && state.group.primary === uuid
    )
    return 2 * agreeing.length > group.members
  }

  #choose(): void {
    const from = this.#primary
    const writable = this.#writable()
    const [only, second] = writable
    const to = from && writable.includes(from) ? from : second ? undefined : only
    if (to === from) return
    this.#primary = to
    for (const listener of [...this.#listeners]) listener(to, from)
  }

  #writable(): Server[] {
    return this.all.filter((server) =>
      server.mayBePrimary && server.obstacle === undefined && !this.#isReplaced(server)
    )
  }

  /**
   * True if another server knows that a group has continued without its primary. A primary that was frozen only learns
   * this after seconds.
   */
  #isReplaced({ state }: Server): boolean {
    return this.all.some((other) =>
      state?.group && other.state?.group && other.state.group.primary !== state.uuid &&
      isLater(other.state.group.view, state.group.view)
    )
  }

  #whyNone(): Error {
    const candidates = this.all.filter(({ mayBePrimary }) => mayBePrimary)
    const denial = candidates[0]?.denial
    if (denial && candidates.every((server) => server.denial)) return denial
    const message = this.describeLack()
    return this.#writable().length > 1 || candidates.some((server) => server.hasManyPrimaries)
      ? new UserError(message)
      : new Unavailable(message)
  }
}

/** Compares two views. Views of different groups cannot be compared. */
function isLater(one: string, other: string): boolean {
  const [group, number] = one.split(":")
  const [otherGroup, otherNumber] = other.split(":")
  return group === otherGroup && Number(number) > Number(otherNumber)
}
