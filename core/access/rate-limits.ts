import { sql } from "kysely"
import type { Database } from "../data/database.ts"
import { orUpdate } from "../data/or-update.ts"

/** A counter as it stands: its points, and the seconds until it expires. */
export interface Counter {
  readonly points: number
  readonly wait: number
}

/** What to do to a counter. */
export interface CounterChange {
  /** Added to what is there; may be negative. */
  readonly points: number
  /** How long the counter counts, from when it was begun. */
  readonly seconds: number
  /** Begins it anew. */
  readonly anew: boolean
}

/** Changes a counter, in one step as far as others can see, and answers what it is then. */
export async function changeCounter(
  { writer, dialect }: Database,
  name: string,
  { points, seconds, anew }: CounterChange,
): Promise<Counter> {
  const begun = Math.max(0, points)
  const ends = sql<number>`${dialect.now} + ${sql.lit(Math.ceil(seconds))}`
  const over = anew ? sql`1 = 1` : sql`expires <= ${dialect.now}`
  const change = (db: Database["writer"]) =>
    orUpdate(
      dialect,
      db.insertInto("rate_limit").values({ name, points: begun, expires: ends }),
      "name",
      // MySQL assigns one after the other: `points` has to come before `expires`, on which it depends.
      {
        points: sql<number>`case when ${over} then ${begun} else points + ${points} end`,
        expires: sql<number>`case when ${over} then ${ends} else expires end`,
      },
    )
  // SQLite tells what it has written; a transaction would hold up the process while it waits for another.
  if (dialect.name === "sqlite") {
    const row = await change(writer)
      .returning(["points", "expires", dialect.now.as("now")])
      .executeTakeFirstOrThrow()
    return toCounter(row)
  }
  return await writer.transaction().execute(async (db) => {
    await change(db).execute()
    return await find(db, dialect, name) ?? { points: begun, wait: seconds }
  })
}

/** A counter, unless it has expired or never began. */
export async function findCounter(
  { writer, dialect }: Database,
  name: string,
): Promise<Counter | undefined> {
  return await find(writer, dialect, name)
}

/** Forgets a counter; true where there was one. */
export async function deleteCounter({ writer }: Database, name: string): Promise<boolean> {
  const { numDeletedRows } = await writer
    .deleteFrom("rate_limit")
    .where("name", "=", name)
    .executeTakeFirst()
  return Number(numDeletedRows) > 0
}

/** Forgets counters that have expired. */
export async function pruneCounters({ writer, dialect }: Database): Promise<void> {
  await writer.deleteFrom("rate_limit").where("expires", "<=", dialect.now).execute()
}

async function find(
  db: Database["writer"],
  dialect: Database["dialect"],
  name: string,
): Promise<Counter | undefined> {
  const row = await db
    .selectFrom("rate_limit")
    .select(["points", "expires", dialect.now.as("now")])
    .where("name", "=", name)
    .where("expires", ">", dialect.now)
    .executeTakeFirst()
  return row && toCounter(row)
}

function toCounter(row: { points: number; expires: number; now: number }): Counter {
  return { points: row.points, wait: row.expires - row.now }
}
