import { setTimeout as sleep } from "node:timers/promises"
import { connectedTo } from "../../support/mysql/statements.ts"
import type { Random } from "../../support/random.ts"
import type { RecordCopy } from "../../support/truth.ts"
import type { Topology } from "./topology.ts"

/**
 * One who reads guests from any of the servers, with the clock of that server less a second as the next `since`. That
 * must lose records, or the run could not find a loss.
 */
export class Control {
  /** By id, the `updated` of what it has read. */
  readonly #copy = new Map<string, number>()
  readonly #topology: Topology
  readonly #eventId: string
  readonly #random: Random
  readonly #ended = new AbortController()
  #since = -1
  #running: Promise<void> = Promise.resolve()

  constructor(topology: Topology, eventId: string, random: Random) {
    this.#topology = topology
    this.#eventId = eventId
    this.#random = random
  }

  start(): void {
    this.#running = this.#run()
  }

  /** Reads once more after what is running. */
  async finish(): Promise<void> {
    this.#ended.abort()
    await this.#running
    await this.#read()
  }

  /** Returns how many guests its copy lacks or has of before. */
  lostOf(guests: readonly RecordCopy[]): number {
    return guests.filter(({ id, updated }) => this.#copy.get(id) !== updated).length
  }

  async #run(): Promise<void> {
    while (!this.#ended.signal.aborted) {
      await this.#read()
      await sleep(this.#random.between(100, 500))
    }
  }

  async #read(): Promise<void> {
    const node = this.#random.pick(this.#topology.nodes)
    if (!node.answers) return
    const reading = connectedTo(node.url("chaos"), async (connection) => {
      const [[row]] = await connection.query("select unix_timestamp() as now") as unknown as [
        [{ now: number }],
      ]
      const [guests] = await connection.query({
        sql: "select id, updated from guest where event_id = ? and updated >= ?",
        values: [this.#eventId, this.#since],
        timeout: 3000,
      })
      for (const { id, updated } of guests as RecordCopy[]) this.#copy.set(id, updated)
      this.#since = row.now - 1
    }, 3000)
    // A server that is away is asked again another time.
    await reading.catch(() => {})
  }
}
