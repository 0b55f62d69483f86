import { performance } from "node:perf_hooks"
import { setTimeout } from "node:timers/promises"
import type { Admission } from "../../access/admission.ts"
import type { ChangeLog } from "../../change-log/change-log.ts"
import { ServerBehind } from "../../change-log/heartbeat.ts"
import type { Database } from "../../data/database.ts"
import { Overtime, Unavailable } from "../../data/unavailable.ts"

/** A database server that requests are read from. What it is like changes. */
export interface Node {
  /** Its host and port; empty if it is the only one. */
  readonly name: string
  readonly database: Database
  readonly changes: ChangeLog
  /** True while it is the one that is written to. */
  readonly isPrimary: boolean
  /** False if a request should not even try. */
  readonly isReachable: boolean
  /** True while it is sure that nothing can be revoked that it does not know, however old its heartbeat is. */
  readonly isCurrent: boolean
}

/** How nodes are chosen. */
export interface NodesOptions {
  /** Seconds that the heartbeat of a node may be old; undefined if only the primary answers. */
  readonly staleness: number | undefined
  /** Milliseconds in which a request tries again. */
  readonly patience?: number
  /** Milliseconds between two rounds of attempts. */
  readonly pause?: number
}

/** What a request needs of the node that it is read from. */
export interface Need {
  /** Only the primary will do. */
  readonly primary?: boolean
  /** False to fail at the first attempt. */
  readonly isPatient?: boolean
  /** Is asked first, if it can be. */
  readonly first?: Node | undefined
  /** The client has gone. */
  readonly signal?: AbortSignal | undefined
}

/**
 * The servers that requests are read from. A request reads from one of them: its rights, its records and the
 * watermark are of one snapshot. If that server is away or behind, it begins again at another.
 */
export class Nodes {
  /** In the order of the configuration. */
  readonly all: readonly Node[]
  readonly #first: Node
  readonly #options: Required<NodesOptions>
  #turn = 0

  constructor(all: readonly [Node, ...Node[]], options: NodesOptions) {
    this.all = all
    this.#first = all[0]
    this.#options = { patience: 30_000, pause: 200, ...options }
  }

  /** True if there are several, so that each snapshot has to say how far it is. */
  get areMany(): boolean {
    return this.all.length > 1
  }

  /** The one that is written to; undefined while there is none. */
  get primary(): Node | undefined {
    return this.all.find(({ isPrimary, isReachable }) => isPrimary && isReachable)
  }

  /** How the log is followed on the primary, or while there is none, on another one. */
  get changes(): ChangeLog {
    return (this.primary ?? this.#first).changes
  }

  /** The node that a request reads from next, if it does not matter which. */
  next(): Node | undefined {
    return this.#candidates({})[0]
  }

  /**
   * Runs `work` with a node. If that is away or behind, with another one, for a while: another primary may be found.
   *
   * @throws {Unavailable} the last one, if none can do it. Also throws what else `work` throws.
   */
  async read<T>(need: Need, work: (node: Node) => Promise<T>): Promise<T> {
    if (!this.areMany) return await work(this.#first)
    const { patience, pause } = this.#options
    const until = performance.now() + (need.isPatient === false ? 0 : patience)
    for (;;) {
      let failure = new Unavailable("No server of the database can answer this now.")
      for (const node of this.#candidates(need)) {
        try {
          return await work(node)
        } catch (error) {
          if (!canAnotherTry(error)) throw error
          failure = error
        }
      }
      if (performance.now() >= until || need.signal?.aborted) throw failure
      await setTimeout(pause)
    }
  }

  /** @throws {ServerBehind} if an admission comes from a server whose heartbeat is too old. */
  assertRecent({ heartbeat, session: { now } }: Admission, node: Node): void {
    const { staleness = 10 } = this.#options
    if (!heartbeat || node.isCurrent || now - heartbeat.at <= staleness) return
    throw new ServerBehind(`The last heartbeat of this server is of ${now - heartbeat.at} s ago.`)
  }

  /** Replicas take turns. The primary comes next: it is never behind. */
  #candidates({ primary: isPrimaryNeeded, first }: Need): Node[] {
    const { primary } = this
    const primaries = primary ? [primary] : []
    if (isPrimaryNeeded || this.#options.staleness === undefined) return primaries
    const replicas = this.all.filter((node) => !node.isPrimary && node.isReachable)
    const turn = this.#turn++ % Math.max(1, replicas.length)
    const [own = [], others = []] = [replicas.slice(turn, turn + 1), [
      ...replicas.slice(turn + 1),
      ...replicas.slice(0, turn),
    ]]
    const order = [...own, ...primaries, ...others]
    return first && order.includes(first) ? [...new Set([first, ...order])] : order
  }
}

/** True if an error is one of a server, so that the same request may succeed at another. */
export function canAnotherTry(error: unknown): error is Unavailable {
  return error instanceof Unavailable && !(error instanceof Overtime)
}
