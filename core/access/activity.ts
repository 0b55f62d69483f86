import { LRUCache } from "lru-cache"
import { Batch, type BatchNumbers } from "../data/batch.ts"
import type { Database } from "../data/database.ts"
import type { Session } from "./sessions.ts"
import type { Log } from "../log.ts"

/** A sign of life of an account: it logged in, or read something in a session. */
interface Sign {
  readonly accountId: string
  readonly kind: "last_log_in" | "last_poll"
  readonly sessionId?: string
}

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

/** Writes down when accounts and sessions were last in use: now. */
async function recordSigns(
  { writer, dialect }: Database,
  signs: readonly Sign[],
): Promise<void> {
  const sessions = new Set(signs.flatMap(({ sessionId }) => sessionId ?? []))
  if (sessions.size > 0) {
    await writer
      .updateTable("session")
      .set({ used: dialect.now })
      .where("id", "in", [...sessions])
      .execute()
  }
  for (const [kind, ofKind] of Map.groupBy(signs, ({ kind }) => kind)) {
    const accounts = [...new Set(ofKind.map(({ accountId }) => accountId))].sort()
    const insert = writer
      .insertInto("account_activity")
      .values(accounts.map((account_id) => ({ account_id, [kind]: dialect.now })))
    await dialect.orUpdate(insert, "account_id", { [kind]: dialect.now }).execute()
  }
}
