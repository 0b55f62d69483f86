import { LRUCache } from "lru-cache"
import { Batch, type BatchNumbers } from "../data/batch.ts"
import { recordSigns, type Sign } from "./activity-rows.ts"
import type { Database } from "../data/database.ts"
import type { Session } from "./session-rows.ts"
import type { Log } from "../log.ts"

/** When accounts and sessions were last in use, exact to a minute, written behind the requests' backs. */
export class Activity {
  readonly #batch: Batch<Sign>
  readonly #recent = new LRUCache<string, true>({ max: 10_000, ttl: 60_000 })

  constructor(database: Database, log: Log) {
    this.#batch = new Batch((signs) => recordSigns(database, signs), { log, name: "activity" })
  }

  loggedIn(accountId: string): void {
    this.#batch.add({ accountId, kind: "last_log_in" })
  }

  /** A request was answered in this session. */
  used({ id, account }: Session): void {
    if (this.#recent.has(id)) return
    this.#recent.set(id, true)
    this.#batch.add({ accountId: account.id, sessionId: id, kind: "last_poll" })
  }

  get numbers(): BatchNumbers {
    return this.#batch.numbers
  }

  /** Writes what is left. */
  async close(): Promise<void> {
    await this.#batch.drain()
  }
}
