import { type Kysely, sql } from "kysely"
import type { Database } from "../data/database.ts"
import type { Schema } from "../data/schema.ts"

/** How far the change log can no longer change, except by pruning. */
export interface Settled {
  /** All rows up to this number are committed: whatever is committed later has a larger one. */
  readonly upTo: number
  /** Up to this number, all rows of the events that are not `open` are committed, too. */
  readonly top: number
  /** The events with an uncommitted row in between. */
  readonly open: ReadonlySet<string>
}

/** How to find what is settled. */
export interface SettledSearch {
  /** A number up to which everything is known to be settled. */
  readonly from: number
  /** Waits until each number that was handed out has its row. */
  readonly pause: (signal: AbortSignal) => Promise<unknown>
  readonly signal: AbortSignal
}

/** Numbers per statement. */
const portion = 10_000

/**
 * Finds how far the change log is settled. Takes no lock, and waits for nobody.
 *
 * 1. Takes the largest committed number, and pauses. A row gets its number a moment before it exists,
 *    so after the pause all rows up to that number exist that ever will.
 * 2. Counts the existing rows of each event, committed or not. It finds them by the primary key: a row
 *    is there first, and may wait for a lock before it is in other indexes.
 * 3. Counts the committed rows. If there are as many, all of them are committed.
 *
 * Only pruning deletes rows. It moves the horizon first, so neither count includes a row that it may
 * delete, and if it moves the horizon in between, the counts are not compared.
 *
 * @throws as the database does, or on `signal`.
 */
export async function findSettled(
  { background, dialect }: Database,
  { from, pause, signal }: SettledSearch,
): Promise<Settled> {
  const { top } = await background
    .selectFrom("change_log")
    .select((eb) => eb.fn.max("seq").as("top"))
    .where("seq", ">", from)
    .executeTakeFirstOrThrow()
  const { byPrimaryKey } = dialect
  if (!top || !byPrimaryKey) return { upTo: top ?? from, top: top ?? from, open: new Set() }
  await pause(signal)

  const uncommitted = <T>(work: (db: Kysely<Schema>) => Promise<T>) =>
    background.transaction().setIsolationLevel("read uncommitted").execute(work)
  const count = async (db: Kysely<Schema>, after: number) => {
    const { rows } = await sql<{ event: string; number: number; horizon: number }>`
      select event_id as event, count(*) as number,
        (select complete_since from change_log_horizon where id = 1) as horizon
      from change_log ${byPrimaryKey}
      where seq > ${after} and seq <= ${Math.min(after + portion, top)}
        and at >= (select complete_since from change_log_horizon where id = 1)
      group by event_id`.execute(db)
    return new Map(rows.map(({ event, number, horizon }) => [event, `${number} ${horizon}`]))
  }

  const { rows: [first] } = await uncommitted((db) =>
    sql<{ seq: number }>`select min(seq) as seq from change_log ${byPrimaryKey} where seq > ${from}`
      .execute(db)
  )
  let upTo = Math.max(from, (first?.seq ?? top) - 1)
  const open = new Set<string>()
  for (let after = upTo; after < top; after += portion) {
    signal.throwIfAborted()
    const existing = await uncommitted((db) => count(db, after))
    const committed = await count(background, after)
    for (const event of [...existing.keys(), ...committed.keys()]) {
      if (existing.get(event) !== committed.get(event)) open.add(event)
    }
    if (open.size === 0) upTo = Math.min(after + portion, top)
  }
  return { upTo, top, open }
}
