import { boundedCache } from "../data/bounded-cache.ts"
import type { Batch, OpenBatch } from "../data/batch.ts"
import type { Database } from "../data/database.ts"
import type { Session } from "./sessions.ts"

/** One use of an account: a log-in, or a request in a session. */
interface Use {
  readonly accountId: string
  readonly kind: "last_log_in" | "last_poll"
  /** Of a request: its session, and the IP address that it comes from. */
  readonly session?: { readonly id: string; readonly address: string }
}

/** Seconds. */
export const usePrecision = 60

/** Records in the background when accounts and sessions were last used, and from where, exact to a minute. */
export class Activity {
  readonly #batch: Batch<Use>
  readonly #recent = boundedCache<true>({ most: 10_000, ttl: usePrecision * 1000 })

  constructor(database: Database, { batch }: { readonly batch: OpenBatch }) {
    const write = (uses: readonly Use[], signal: AbortSignal) => recordUses(database, uses, signal)
    this.#batch = batch(write, { name: "activity" })
  }

  recordLogIn(accountId: string): void {
    this.#batch.add({ accountId, kind: "last_log_in" })
  }

  recordRequest({ id, account }: Session, address: string): void {
    if (this.#recent.has(id)) return
    this.#recent.set(id, true)
    this.#batch.add({ accountId: account.id, session: { id, address }, kind: "last_poll" })
  }
}

/** Sets the time of last use to now. Some of it may be done if it fails: it can be done again. */
async function recordUses(
  { writer, dialect }: Database,
  uses: readonly Use[],
  signal: AbortSignal,
): Promise<void> {
  const limit = { signal, inflightQueryAbortStrategy: dialect.onTimeout }
  const sessions = uses.flatMap(({ session }) => session ?? [])
  for (const [address, from] of Map.groupBy(sessions, ({ address }) => address)) {
    await writer
      .updateTable("session")
      .set({ used: dialect.now, address })
      .where("id", "in", [...new Set(from.map(({ id }) => id))])
      .execute(limit)
  }
  for (const [kind, ofKind] of Map.groupBy(uses, ({ kind }) => kind)) {
    const accounts = [...new Set(ofKind.map(({ accountId }) => accountId))].sort()
    const insert = writer
      .insertInto("account_activity")
      .values(accounts.map((account_id) => ({ account_id, [kind]: dialect.now })))
    await dialect.orUpdate(insert, "account_id", { [kind]: dialect.now }).execute(limit)
  }
}
