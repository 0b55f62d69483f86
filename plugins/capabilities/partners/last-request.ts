import { sql } from "kysely"
import {
  boundedCache,
  type CapabilityHost,
  type Database,
  type Observer,
} from "../../../core/capability.ts"

/** An account's last request for a list, answered or refused. */
interface LastRequest {
  readonly account_id: string
  readonly address: string
  /** Unix seconds. */
  readonly at: number
}

/**
 * Returns an observer that records, in the background and to the minute, when and from which address each account last
 * requested a list. Requests for documents do not count: they come from a person, not from the partner's program.
 */
export function recordAddresses(
  database: Database,
  { batch }: { readonly batch: CapabilityHost["batch"] },
): Observer {
  const write = (all: readonly LastRequest[], signal: AbortSignal) =>
    writeAddresses(database, all, signal)
  const addresses = batch(write, { name: "addresses" })
  const recent = boundedCache<true>({ most: 10_000, ttl: 60_000 })
  return ({ asked: { action, address }, decided: { admission } }) => {
    if (action !== "list" || !admission) return
    const { account: { id }, now: at } = admission.session
    const key = `${id} ${address}`
    if (recent.has(key)) return
    recent.set(key, true)
    addresses.add({ account_id: id, address, at })
  }
}

/**
 * Writes the last request of each account. Keeps a later one, unless it lies in the future because the clock was set
 * back.
 */
export async function writeAddresses(
  { writer, dialect }: Database,
  all: readonly LastRequest[],
  signal: AbortSignal,
): Promise<void> {
  const latest = new Map(all.map((each) => [each.account_id, each]))
  // Every instance takes locks in the same order.
  const rows = [...latest.values()].sort((a, b) => a.account_id < b.account_id ? -1 : 1)
    .map(({ account_id, address, at }) => ({ account_id, listed: at, listed_address: address }))
  const insert = writer.insertInto("account_activity").values(rows)
  const former = (column: string) => sql.ref(`account_activity.${column}`)
  const later = (column: "listed_address" | "listed") =>
    sql<never>`case when ${former("listed")} between ${
      dialect.incoming("listed")
    } + 1 and ${dialect.now}
      then ${former(column)} else ${dialect.incoming(column)} end`
  await dialect
    // MySQL assigns in order: the condition needs the former time.
    .orUpdate(insert, "account_id", {
      listed_address: later("listed_address"),
      listed: later("listed"),
    })
    .execute({ signal, inflightQueryAbortStrategy: dialect.onTimeout })
}
