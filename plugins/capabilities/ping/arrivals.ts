import type { Node, Nodes } from "../../../core/capability.ts"

/** Milliseconds after which nobody waits any more for a server that does not say how far it is. */
const patience = 30_000

/** What is done when a number has arrived. */
interface Arrival {
  readonly number: number
  readonly since: number
  readonly work: () => void
}

/**
 * Holds back what was found on the primary until all servers that polls are read from have it, so that a poll which
 * follows at once finds it. They get commits in their order: once they have a number that was written after a look, they
 * have all that the look has found.
 */
export class Arrivals {
  readonly #nodes: Nodes
  readonly #mark: () => Promise<number>
  readonly #now: () => number
  readonly #arrivals: Arrival[] = []

  /** `mark` writes another number behind all that is committed, and returns it; `now` are milliseconds. */
  constructor(nodes: Nodes, mark: () => Promise<number>, now: () => number) {
    this.#nodes = nodes
    this.#mark = mark
    this.#now = now
  }

  /** True while something has not arrived everywhere. */
  get isWaiting(): boolean {
    return this.#arrivals.length > 0
  }

  /** Does work after all earlier one, once servers have all that is committed now. @throws as the database does. */
  async whenArrived(work: () => void, isAboutChanges: boolean): Promise<void> {
    const last = this.#arrivals.at(-1)
    if (!last && (!isAboutChanges || this.#copies().length === 0)) return work()
    const number = isAboutChanges || !last ? await this.#mark() : last.number
    this.#arrivals.push({ number, since: this.#now(), work })
  }

  /** Does the work whose time has come. Never throws. */
  async look(): Promise<void> {
    if (!this.isWaiting) return
    const numbers = await Promise.all(this.#copies().map((node) => readNumber(node)))
    const reached = Math.min(...numbers)
    while (this.#arrivals[0]) {
      const [{ number, since, work }] = this.#arrivals
      if (number > reached && this.#now() - since < patience) return
      this.#arrivals.shift()
      work()
    }
  }

  /** The servers that polls are read from, besides the primary: each is the next one in turn. */
  #copies(): readonly Node[] {
    if (!this.#nodes.areMany) return []
    const turns = this.#nodes.status?.length ?? 0
    const nodes = Array.from({ length: turns }, () => this.#nodes.next())
    return [...new Set(nodes)].filter((node) => node !== undefined && !node.isPrimary) as Node[]
  }
}

/** Returns the number that a server has; less than any if it does not say. */
async function readNumber({ database }: Node): Promise<number> {
  try {
    const [row] = await database.readOnce(({ db, run }) =>
      run(db.selectFrom("ping_sender").select("looks").where("id", "=", 1))
    )
    return row?.looks ?? -Infinity
  } catch {
    return -Infinity
  }
}
