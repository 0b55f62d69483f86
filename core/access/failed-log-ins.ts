import { createHash } from "node:crypto"
import { sql } from "kysely"
import type { Database } from "../data/database.ts"
import { inPortions } from "../data/portions.ts"

/** The longest wait between attempts, in seconds. */
const longestWait = 900
/** How long failures are remembered, in seconds. */
const memory = 86_400

/**
 * Counts an attempt to log in as failed before it is made, so that many at once do not get past.
 * Returns 0 if it may be made. Else returns the seconds to wait, and does not count it.
 *
 * The first `free` attempts of a key need no wait. After that one attempt is let through per 2, 4,
 * 8 … seconds, up to 15 minutes, on all instances together. A day after the first failure the
 * count begins anew. Only a hash of the key is stored: it may hold a name or an address.
 */
export async function countAttempt(
  { writer, dialect }: Database,
  key: string,
  free: number,
): Promise<number> {
  const { now } = dialect
  const name = hash(key)
  const expires = sql<number>`${now} + ${sql.lit(memory)}`
  const insert = writer.insertInto("rate_limit").values({ name, points: 0, expires })
  await dialect.orUpdate(insert, "name", {
    points: sql<number>`case when expires <= ${now} then 0 else points end`,
    expires: sql<number>`case when expires <= ${now} then ${expires} else expires end`,
  }).execute()

  // One statement decides and counts, so concurrent attempts see each other's counts.
  const beyond = sql<number>`points - ${sql.lit(free)}`
  const wait = sql<number>`case when ${beyond} < 9 then 2 << ${beyond} else ${
    sql.lit(longestWait)
  } end`
  const { numUpdatedRows } = await writer
    .updateTable("rate_limit")
    // MySQL assigns one after the other: `points` comes last.
    .set({
      blocked_until: sql<
        number
      >`case when ${beyond} >= 0 then ${now} + ${wait} else blocked_until end`,
      points: sql<number>`points + 1`,
    })
    .where("name", "=", name)
    .where(sql<boolean>`(${beyond} < 0 or coalesce(blocked_until, 0) <= ${now})`)
    .executeTakeFirst()
  return numUpdatedRows > 0n ? 0 : await secondsLeft({ writer, dialect }, name)
}

/** Undoes one counted attempt of a key. */
export async function takeBackAttempt({ writer }: Database, key: string): Promise<void> {
  await writer
    .updateTable("rate_limit")
    .set({ points: sql<number>`points - 1` })
    .where("name", "=", hash(key))
    .where("points", ">", 0)
    .execute()
}

/** Forgets the failures of a key. */
export async function forgetFailures({ writer }: Database, key: string): Promise<void> {
  await writer.deleteFrom("rate_limit").where("name", "=", hash(key)).execute()
}

/** Number of counters deleted at a time. */
const portion = 500

/**
 * Deletes the failures that are no longer remembered, and returns the number of their keys. Stops
 * after the running statement when `signal` aborts.
 */
export async function pruneFailures(
  { background, dialect }: Database,
  signal?: AbortSignal,
): Promise<number> {
  return await inPortions(async () => {
    const expired = await background
      .selectFrom("rate_limit")
      .select("name")
      .where("expires", "<=", dialect.now)
      .limit(portion)
      .execute()
    if (expired.length === 0) return 0
    // A key may have failed again meanwhile: then its count has begun anew.
    await background
      .deleteFrom("rate_limit")
      .where("name", "in", expired.map(({ name }) => name))
      .where("expires", "<=", dialect.now)
      .execute()
    return expired.length
  }, signal)
}

async function secondsLeft(
  { writer, dialect }: Pick<Database, "writer" | "dialect">,
  name: string,
): Promise<number> {
  const row = await writer
    .selectFrom("rate_limit")
    .select((eb) => eb("blocked_until", "-", dialect.now).as("left"))
    .where("name", "=", name)
    .executeTakeFirst()
  return Math.max(1, row?.left ?? 1)
}

function hash(key: string): string {
  return createHash("sha256").update(key).digest("hex")
}
