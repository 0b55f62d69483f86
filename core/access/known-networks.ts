import { sql } from "kysely"
import type { Database } from "../data/database.ts"
import { deleteOld } from "../data/delete-in-portions.ts"

/** Networks that are remembered per account. */
const mostNetworks = 100
/** Seconds after the last log-in from a network until it is forgotten: 90 days. */
const rememberedSeconds = 90 * 86_400

/** Returns true if an account has logged in from a network lately; false without an account. */
export async function isKnownNetwork(
  { writer }: Database,
  accountId: string | undefined,
  network: string,
): Promise<boolean> {
  const row = await writer
    .selectFrom("log_in_network")
    .select("last_used")
    .where("account_id", "=", accountId ?? "")
    .where("network", "=", network)
    .executeTakeFirst()
  return row !== undefined
}

/** Records that an account has logged in from a network. Forgets the oldest of too many networks. */
export async function rememberNetwork(
  { writer, dialect }: Database,
  account_id: string,
  network: string,
): Promise<void> {
  const last_used = dialect.now
  const insert = writer.insertInto("log_in_network").values({ account_id, network, last_used })
  await dialect.orUpdate(insert, ["account_id", "network"], { last_used }).execute()
  const surplus = await writer
    .selectFrom("log_in_network")
    .select("network")
    .where("account_id", "=", account_id)
    .where("network", "<>", network)
    .orderBy("last_used", "desc")
    // Each log-in adds one at most. For a long list, planners scan the table.
    .limit(10)
    .offset(mostNetworks - 1)
    .execute()
  if (surplus.length === 0) return
  await writer
    .deleteFrom("log_in_network")
    .where("account_id", "=", account_id)
    .where("network", "in", surplus.map(({ network }) => network))
    .execute()
}

/** Deletes the networks from which nobody has logged in for 90 days, until `signal` aborts. */
export async function pruneNetworks(
  { background, dialect }: Database,
  signal?: AbortSignal,
): Promise<void> {
  const isOld = sql`last_used <= ${dialect.now} - ${rememberedSeconds}`
  const key = ["account_id", "network"] as const
  await deleteOld(background, { table: "log_in_network", key, isOld }, signal)
}
