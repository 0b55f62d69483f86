import { performance } from "node:perf_hooks"
import { setTimeout } from "node:timers/promises"
import type { Admission } from "../../../core/accounts.ts"
import { type Database, type Node, type Nodes, Unavailable } from "../../../core/capability.ts"
import {
  type ChangeLog,
  type ClockReading,
  type Heartbeat,
  type HeartbeatColumns,
  heartbeatColumns,
  heartbeatOf,
  type NodeStatus,
  type ReadPreference,
  ServerBehind,
  StatementTimeout,
} from "../../../core/nodes.ts"

/** One of several servers from which requests are served. */
export interface ServerNode extends Node {
  /** False if a request should not even try. */
  readonly isReachable: boolean
  /** True if it belongs to the majority of a group without a primary: nothing can be changed or revoked then. */
  readonly isStranded: boolean
  /** Its state in its group; null if it has none. */
  readonly member: string | null
  /** Why it does not answer; null while it does. */
  readonly problem: string | null
  /**
   * Asks all servers now. Returns true if this one is certainly the primary and has everything, even if its heartbeat
   * is old.
   */
  confirm(): Promise<boolean>
}

/** The maximum age of a primary's heartbeat in seconds. A group takes longer than that to elect another primary. */
const mostPrimaryAge = 5

/** Options for choosing nodes. */
export interface NodesOptions {
  /** The maximum age of a node's heartbeat in seconds; undefined if only the primary answers. */
  readonly staleness: number | undefined
  /** Milliseconds for which a request keeps trying. */
  readonly patience?: number
  /** Milliseconds between two rounds of attempts. */
  readonly pause?: number
}

/**
 * Several servers from which requests are served. A request reads from one of them: its rights, its records and the
 * watermark are from one snapshot. If that server is away or behind, the request begins again at another.
 */
export class ServerNodes implements Nodes {
  readonly areMany = true
  /** In the order of the configuration. */
  readonly all: readonly ServerNode[]
  readonly #first: ServerNode
  #last: ServerNode
  readonly #options: Required<NodesOptions>
  #turn = 0
  /** The latest heartbeat seen on any server. */
  #latest = -Infinity
  /** Since when the primary has been writing without being found. */
  #missedSince: number | undefined

  constructor(all: readonly [ServerNode, ...ServerNode[]], options: NodesOptions) {
    this.all = all
    this.#first = this.#last = all[0]
    this.#options = { patience: 30_000, pause: 200, ...options }
  }

  /** The server that takes writes; undefined while there is none. */
  get primary(): ServerNode | undefined {
    return this.all.find(({ isPrimary, isReachable }) => isPrimary && isReachable)
  }

  /** The change log of the primary; while there is none, of the last one. */
  get changes(): ChangeLog {
    this.#last = this.primary ?? this.#last
    return this.#last.changes
  }

  /** The primary; while there is none, the answering server that is least behind. */
  get best(): ServerNode {
    const byBeat = this.all.toSorted((a, b) =>
      (b.changes.heartbeatTime ?? 0) - (a.changes.heartbeatTime ?? 0)
    )
    return this.primary ?? byBeat.find(({ isReachable }) => isReachable) ?? this.#first
  }

  /**
   * True if heartbeats on other servers show that the primary takes writes, but this process has not found it for a
   * while. After an election, heartbeats may arrive a moment before their server is found. A replica in use may show
   * them late.
   */
  get isCutOff(): boolean {
    const latest = Math.max(...this.all.map(({ changes: { heartbeatTime: beat = 0 } }) => beat))
    const isWritten = !this.primary && latest > (this.#lastReading?.time ?? Infinity) + 2 &&
      this.#primaryTime - latest <= Math.max(this.#options.staleness ?? 0, mostPrimaryAge)
    const now = performance.now()
    this.#missedSince = isWritten ? this.#missedSince ?? now : undefined
    return this.#missedSince !== undefined && now - this.#missedSince > mostPrimaryAge * 1000
  }

  /** Resolves if a server is fit to answer polls. Asks all at the same time. @throws if none is. */
  async assertAnyFit(): Promise<void> {
    await Promise.any(
      this.#candidates({}).map(async (node) => {
        const heartbeat = await readHeartbeat(node.database)
        await this.assertFit({ heartbeat }, { node, preference: {} })
      }),
    )
  }

  get status(): readonly NodeStatus[] {
    return this.all.map((node) => {
      const { name, problem, member, isReachable, isPrimary } = node
      const behind = this.behind(node)
      return {
        name,
        role: isReachable ? isPrimary ? "primary" : "replica" : "away",
        problem,
        behind: behind === undefined ? null : Math.floor(behind),
        stale: this.isStale(node),
        member,
      }
    })
  }

  /** The node from which the next request reads, if it accepts any. */
  next(): ServerNode | undefined {
    return this.#candidates({})[0]
  }

  /**
   * Runs `work` with a node. While nodes are away or behind, tries others for some time, since another primary may be
   * found.
   *
   * @throws {Unavailable} the last one, if no node can do it. Also throws any other error of `work`.
   */
  async read<T>(preference: ReadPreference, work: (node: ServerNode) => Promise<T>): Promise<T> {
    const { patience, pause } = this.#options
    const until = performance.now() + (preference.isPatient === false ? 0 : patience)
    let hasFailed = false
    for (;;) {
      let failure: unknown = new Unavailable("No server of the database can answer this now.")
      for (const node of this.#candidates(preference)) {
        if (hasFailed) preference.onRetry?.()
        try {
          return await work(node)
        } catch (error) {
          if (!node.canAnotherTry(error)) throw error
          failure = error
          hasFailed = true
        }
      }
      if (performance.now() >= until || preference.signal?.aborted) throw failure
      await setTimeout(pause)
    }
  }

  /**
   * Checks that an admission is from a server in use: its heartbeat was written at most `staleness` seconds ago. The
   * clocks of replicas do not count: the process has read the primary's clock, and counts the seconds since then. If
   * the primary is needed, it must have taken writes just now, since another server may have replaced it. A primary
   * that answers but cannot commit only has an old heartbeat: it will do if the others confirm, after the snapshot,
   * that it is the primary.
   *
   * A younger floor comes from processes with a different setting, and will not do.
   *
   * @throws {ServerBehind} if not, or if it is too early for servers other than the primary.
   */
  async assertFit(
    { heartbeat }: Pick<Admission, "heartbeat">,
    { node, preference }: {
      node: ServerNode
      preference: Pick<ReadPreference, "primary" | "isAnyAge">
    },
  ): Promise<void> {
    if (!heartbeat || preference.isAnyAge) return
    const isPrimaryNeeded = preference.primary === "only"
    const { at, floor, isReadOnly } = heartbeat
    const { staleness } = this.#options
    this.#latest = Math.max(this.#latest, at)
    const age = this.#timeAt(node) - at
    const isFit = isPrimaryNeeded
      ? !isReadOnly && age <= mostPrimaryAge
      : node.isPrimary
      ? staleness === undefined || age <= Math.max(staleness, mostPrimaryAge)
      : staleness !== undefined && floor !== null && floor <= at - staleness && age <= staleness
    if (isFit || (node.isPrimary && !isReadOnly && await node.confirm())) return
    const needed = isPrimaryNeeded ? "The primary is needed" : "It is too far behind"
    throw new ServerBehind(`${needed}; the last heartbeat of this server is ${age} s old.`)
  }

  /** Returns the age of a server's heartbeat in seconds, by the same clock; undefined if unknown. */
  behind({ changes: { heartbeatTime: beat = NaN }, isReachable }: ServerNode): number | undefined {
    const age = this.#primaryTime - beat
    return isReachable && Number.isFinite(age) ? Math.max(0, age) : undefined
  }

  /** True if a server answers but is not in use, because its heartbeat is too old. */
  isStale(node: ServerNode): boolean {
    const { changes: { heartbeatTime: beat = NaN }, isReachable, isPrimary } = node
    const { staleness = Infinity } = this.#options
    return isReachable && !isPrimary && !(this.#timeAt(node) - beat <= staleness)
  }

  /** True if requests are served from this server now. */
  isInUse(node: ServerNode): boolean {
    if (node === this.primary) return true
    return this.#options.staleness !== undefined && !node.isPrimary && node.isReachable &&
      !this.isStale(node)
  }

  /** Heartbeats are written once a second, in whole seconds of the primary's clock. */
  get delay(): number {
    const others = this.all.filter((node) => node !== this.primary && this.isInUse(node))
    return Math.max(0, ...others.map((node) => (this.behind(node) ?? 0) + 1))
  }

  /** Where no heartbeat can be written, nothing is newer than the latest that this process has seen. */
  #timeAt({ isStranded }: ServerNode): number {
    return isStranded
      ? Math.max(this.#latest, this.#lastReading?.time ?? Infinity)
      : this.#primaryTime
  }

  /** The earliest time that the primary's clock can show; infinite until it has been read. */
  get #primaryTime(): number {
    const last = this.#lastReading
    return last ? last.time + (performance.now() - last.at) / 1000 : Infinity
  }

  get #lastReading(): ClockReading | undefined {
    const readings = this.all.flatMap(({ changes: { clock } }) => clock ?? [])
    return readings.toSorted((a, b) => b.at - a.at)[0]
  }

  /** Replicas take turns. The primary comes after them: it is never behind. */
  #candidates({ primary: wanted = "spared", preferred, isAnyAge }: ReadPreference): ServerNode[] {
    const { primary } = this
    if (isAnyAge) return [this.best]
    const primaries = primary ? [primary] : []
    if (wanted === "only" || this.#options.staleness === undefined) return primaries
    const replicas = this.all.filter((node) => node !== primary && this.isInUse(node))
    const turn = this.#turn++ % Math.max(1, replicas.length)
    const [next, ...others] = [...replicas.slice(turn), ...replicas.slice(0, turn)]
    const order = next ? [next, ...primaries, ...others] : primaries
    const [head] = wanted === "first" ? primaries : order.filter((node) => node === preferred)
    return head ? [...new Set([head, ...order])] : order
  }
}

/** Returns true if an error is the node's, so that the same request may succeed at another. */
export function canAnotherTry(
  error: unknown,
  { isReachable, isPrimary }: Pick<ServerNode, "isReachable" | "isPrimary">,
): boolean {
  if (error instanceof Unavailable) return !(error instanceof StatementTimeout && isReachable)
  const { code } = (error ?? {}) as { code?: unknown }
  return !isPrimary && typeof code === "string" && missing.has(code)
}

/** MySQL's codes for something that is missing or hidden, but may reach a replica later. */
const missing = new Set(["ER_NO_SUCH_TABLE", "ER_BAD_FIELD_ERROR", "ER_TABLEACCESS_DENIED_ERROR"])

async function readHeartbeat(database: Database): Promise<Heartbeat> {
  const [row] = await database.readOnce(({ db, dialect, run }) =>
    run(db.selectNoFrom(heartbeatColumns(dialect)).$castTo<HeartbeatColumns>())
  )
  return heartbeatOf(row as HeartbeatColumns)
}
