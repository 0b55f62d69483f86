import { createHmac } from "node:crypto"
import { sql } from "kysely"
import type { Database } from "../data/database.ts"
import { deleteOld } from "../data/delete-in-portions.ts"

/** The longest wait after a failure, in seconds. */
const longestWait = 900
/** How long failures are remembered, in seconds. */
const rememberedSeconds = 86_400

/** What failures are counted for. */
export interface FailureCounter {
  readonly key: string
  /** The failures that need no wait. */
  readonly free: number
}

/**
 * Counts failed log-ins, for all processes together.
 *
 * The first `free` failures of a counter need no wait. Each further one closes the counter for 2, 4, 8 … seconds, up to
 * 15 minutes. A day after the first failure, the count begins again. Only keyed hashes are stored, because a key may
 * hold a name or an address.
 */
export class FailedLogIns {
  readonly #database: Database
  readonly #secret: string

  /** With another `secret`, all counts begin again. */
  constructor(database: Database, secret: string) {
    this.#database = database
    this.#secret = secret
  }

  /** Returns the seconds until all of the counters are open; 0 if they are. */
  async wait(counters: readonly FailureCounter[]): Promise<number> {
    const { writer, dialect } = this.#database
    const rows = await writer
      .selectFrom("rate_limit")
      .select((eb) => eb("blocked_until", "-", dialect.now).as("left"))
      .where("name", "in", counters.map((counter) => this.#hash(counter)))
      .where("blocked_until", ">", dialect.now)
      .where("expires", ">", dialect.now)
      .execute()
    return Math.max(0, ...rows.map(({ left }) => left ?? 0))
  }

  async add(counters: readonly FailureCounter[]): Promise<void> {
    // One row each: a statement for several could deadlock with another.
    await Promise.all(counters.map((counter) => this.#addTo(counter)))
  }

  async forget(counter: FailureCounter): Promise<void> {
    await this.#database.writer.deleteFrom("rate_limit").where("name", "=", this.#hash(counter))
      .execute()
  }

  async #addTo(counter: FailureCounter): Promise<void> {
    const { writer, dialect } = this.#database
    const { now } = dialect
    const expires = sql<number>`${now} + ${sql.lit(rememberedSeconds)}`
    const anew = sql<boolean>`expires <= ${now}`
    const beyond = sql<number>`points - ${sql.lit(counter.free)}`
    const wait = sql`case when ${beyond} < 9 then 2 << ${beyond} else ${sql.lit(longestWait)} end`
    const insert = writer
      .insertInto("rate_limit")
      .values({ name: this.#hash(counter), points: 1, expires })
    // MySQL assigns one after the other: `expires` comes last, and `points` after `blocked_until`.
    await dialect.orUpdate(insert, "name", {
      blocked_until: sql<
        number
      >`case when ${anew} or ${beyond} < 0 then null else ${now} + ${wait} end`,
      points: sql<number>`case when ${anew} then 1 else points + 1 end`,
      expires: sql<number>`case when ${anew} then ${expires} else expires end`,
    }).execute()
  }

  #hash({ key }: FailureCounter): string {
    return createHmac("sha256", this.#secret).update(`failed log-ins: ${key}`).digest("hex")
  }
}

/** Deletes the failures that are no longer remembered, until `signal` aborts. */
export async function pruneFailures(
  { background, dialect }: Database,
  signal?: AbortSignal,
): Promise<void> {
  const isOld = sql`expires <= ${dialect.now}`
  await deleteOld(background, { table: "rate_limit", key: ["name"], isOld }, signal)
}
