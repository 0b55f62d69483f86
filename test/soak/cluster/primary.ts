import { setTimeout as sleep } from "node:timers/promises"
import type mysql from "mysql2/promise"
import type { ClusterNode } from "../support/cluster/node.ts"
import { Relay } from "../../support/relay.ts"
import type { Topology } from "./topology.ts"

/** Milliseconds between two looks. */
const every = 200

/** Whichever server is the primary, as the platform sees it: at one address that follows it. */
export class Primary {
  /** How often another server has become the primary. */
  failovers = 0
  readonly #topology: Topology
  readonly #relay: Relay
  readonly #ended = new AbortController()
  #node: ClusterNode
  #running: Promise<void> = Promise.resolve()

  static async open(topology: Topology): Promise<Primary> {
    const node = await topology.findPrimary()
    if (!node) throw new Error(`the ${topology.name} has no primary`)
    const primary = new Primary(topology, node, await Relay.open(node.url()))
    primary.#running = primary.#follow()
    return primary
  }

  private constructor(topology: Topology, node: ClusterNode, relay: Relay) {
    this.#topology = topology
    this.#node = node
    this.#relay = relay
  }

  get node(): ClusterNode {
    return this.#node
  }

  /** Root's URL at the server that is the primary now. */
  get url(): string {
    return this.#node.url().replace(/\/$/, "")
  }

  /** Root's URL, for as long as it is open. Connections break when another server becomes the primary. */
  lastingUrl(database: string): string {
    return new URL(`/${database}`, this.#relay.url).href
  }

  async run(...statements: readonly string[]): Promise<mysql.RowDataPacket[]> {
    return await this.#node.run(...statements)
  }

  async connected<T>(work: (connection: mysql.Connection) => Promise<T>): Promise<T> {
    return await this.#node.connected(work)
  }

  async close(): Promise<void> {
    this.#ended.abort()
    await this.#running
    this.#relay.goAway()
  }

  async #follow(): Promise<void> {
    const { signal } = this.#ended
    while (!signal.aborted) {
      const node = await this.#topology.findPrimary()
      if (node && node !== this.#node) {
        this.#node = node
        this.failovers++
        this.#relay.pointTo(node.url())
      }
      await sleep(every)
    }
  }
}
