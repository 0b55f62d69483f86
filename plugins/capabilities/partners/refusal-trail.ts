import {
  boundedCache,
  type CapabilityHost,
  type Database,
  type Observer,
} from "../../../core/capability.ts"

const ofLogIns = new Set(["invalid_credentials", "too_many_log_ins"])

/** A known account's request that was refused with 401. */
interface RefusedRequest {
  readonly address: string
  /** The account's id, or its name. */
  readonly account: { readonly id?: string; readonly username?: string }
  readonly code: string
  /** The request's id. */
  readonly request: string
  /** The session that had ended; null for a log-in. */
  readonly session: string | null
}

/**
 * Returns an observer that records in the background who is locked out: each account's last refused log-in, or last
 * request with an ended session. Writes at most once a second, however many there are.
 */
export function recordRefusals(
  database: Database,
  { batch }: { readonly batch: CapabilityHost["batch"] },
): Observer {
  const write = (all: readonly RefusedRequest[], signal: AbortSignal) =>
    writeRefused(database, all, signal)
  const refusals = batch(write, { name: "refusals" })
  const recent = boundedCache<true>({ most: 10_000, ttl: 1000 })
  return (exchange) => {
    const { asked: { id: request, address, action }, sent: { problem } } = exchange
    if (!problem) return
    const { code } = problem
    const [ended, username] = [exchange.ended, exchange.account]
    const named = action === "log-in" && ofLogIns.has(code) ? username : undefined
    const account = ended ? { id: ended.account } : named !== undefined && { username: named }
    const key = JSON.stringify(account)
    if (!account || recent.has(key)) return
    recent.set(key, true)
    refusals.add({ account, code, request, session: ended?.session ?? null, address })
  }
}

/** Writes the last refused request of each account that still exists. */
async function writeRefused(
  { writer, dialect }: Database,
  all: readonly RefusedRequest[],
  signal: AbortSignal,
): Promise<void> {
  const limit = { signal, inflightQueryAbortStrategy: dialect.onTimeout }
  const keys = all.map(({ account: { id, username = "" } }) => id ?? username)
  const known = await writer.selectFrom("account").select(["id", "username"])
    .where((eb) => eb.or([eb("id", "in", keys), eb("username", "in", keys)])).execute(limit)
  const latest = new Map<string, RefusedRequest>()
  for (const each of all) {
    const { account } = each
    const row = known.find(({ id, username }) => account.id === id || account.username === username)
    if (row) latest.set(row.id, each)
  }
  const inOrder = [...latest].sort(([one], [other]) => one < other ? -1 : 1)
  for (const [account_id, { code, request, session, address }] of inOrder) {
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
