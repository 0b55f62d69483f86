import { boundedCache } from "../data/bounded-cache.ts"
import type { Batch, OpenBatch } from "../data/batch.ts"
import type { Database } from "../data/database.ts"
import type { Session } from "./sessions.ts"

/** One use of an account: a log-in, or a request in a session. */
interface Use {
  readonly accountId: string
  readonly kind: "last_log_in" | "last_poll"
  readonly sessionId?: string
}

/** A request of a known account that nobody could be logged in by. */
interface Refused {
  /** The account's id, or its name. */
  readonly account: { readonly id: string } | { readonly username: string }
  readonly code: string
  /** The request's id. */
  readonly request: string
  /** The session that has ended; null for a log-in. */
  readonly session: string | null
  readonly address: string
}

type Item = Use | (Refused & { readonly kind: "refused" })

/** Seconds. */
export const useGrain = 60

/**
 * Records in the background when accounts and sessions were last used, exact to a minute, and each
 * account's last request that was refused. Of a flood of those, one a second is written.
 */
export class Activity {
  readonly #batch: Batch<Item>
  readonly #recent = boundedCache<true>({ most: 10_000, ttl: useGrain * 1000 })
  readonly #refused = boundedCache<true>({ most: 10_000, ttl: 1000 })

  constructor(database: Database, { batch }: { readonly batch: OpenBatch }) {
    const write = async (items: readonly Item[], signal: AbortSignal) => {
      const refused = items.filter((item) => item.kind === "refused")
      await recordUses(database, items.filter((item) => item.kind !== "refused"), signal)
      await recordRefused(database, refused, signal)
    }
    this.#batch = batch(write, { name: "activity" })
  }

  /** Records a log-in. */
  recordLogIn(accountId: string): void {
    this.#batch.add({ accountId, kind: "last_log_in" })
  }

  /** Records a request in a session. */
  recordRequest({ id, account }: Session): void {
    if (this.#recent.has(id)) return
    this.#recent.set(id, true)
    this.#batch.add({ accountId: account.id, sessionId: id, kind: "last_poll" })
  }

  /** Records a request with the cookie of a session that has ended, or a log-in that was refused. */
  recordRefused(refused: Refused): void {
    const key = JSON.stringify(refused.account)
    if (this.#refused.has(key)) return
    this.#refused.set(key, true)
    this.#batch.add({ ...refused, kind: "refused" })
  }
}

/** Sets the time of last use to now. Some of it may be done if it fails: it can be done again. */
async function recordUses(
  { writer, dialect }: Database,
  uses: readonly Use[],
  signal: AbortSignal,
): Promise<void> {
  const limit = { signal, inflightQueryAbortStrategy: dialect.onTimeout }
  const sessions = new Set(uses.flatMap(({ sessionId }) => sessionId ?? []))
  if (sessions.size > 0) {
    await writer
      .updateTable("session")
      .set({ used: dialect.now })
      .where("id", "in", [...sessions])
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

/** Sets the last refused request of each account. */
async function recordRefused(
  { writer, dialect }: Database,
  all: readonly Refused[],
  signal: AbortSignal,
): Promise<void> {
  const limit = { signal, inflightQueryAbortStrategy: dialect.onTimeout }
  const names = all.flatMap(({ account }) => "username" in account ? account.username : [])
  const found = names.length === 0 ? [] : await writer.selectFrom("account")
    .select(["id", "username"]).where("username", "in", names).execute(limit)
  const ids = new Map(found.map(({ id, username }) => [username, id]))
  const latest = new Map<string, Refused>()
  for (const each of all) {
    const id = "id" in each.account ? each.account.id : ids.get(each.account.username)
    if (id !== undefined) latest.set(id, each)
  }
  for (const account_id of [...latest.keys()].sort()) {
    const { code, request, session, address } = latest.get(account_id) as Refused
    const values = {
      refused: dialect.now,
      refused_code: code,
      refused_request: request,
      refused_session: session,
      refused_address: address,
    }
    const insert = writer.insertInto("account_activity").values({ account_id, ...values })
    await dialect.orUpdate(insert, "account_id", values).execute(limit)
  }
}
