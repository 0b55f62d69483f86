import type { Database, Snapshot } from "../../../core/capability.ts"

/** An event. Times are Unix seconds. */
interface EventFacts {
  readonly id: string
  readonly name: string
  /** The slug. */
  readonly organization: string
  readonly status: string
  readonly starts: number
}

/** An event with the number of accounts that read it. Times are Unix seconds. */
export interface EventListing extends EventFacts {
  /** Number of accounts that have ever read one of its lists. */
  readonly readers: number
  /** Null means never. */
  readonly lastPoll: number | null
}

/**
 * Returns events, most recently read first: those with `search` in their name, id or organization's slug, or all if it
 * is empty.
 *
 * @throws {Unavailable}
 */
export async function listEvents(
  database: Database,
  { search, limit }: { readonly search: string; readonly limit: number },
): Promise<readonly EventListing[]> {
  const term = search.toLowerCase()
  // MySQL rejects a comparison of other text with these columns.
  const plain = /^[\x20-\x7e]*$/.test(term) ? term : "\u007f"
  return await database.snapshot(async ({ db, run }) => {
    // Both databases read this in primary key order. Counting distinct accounts would take three times as long.
    const ofAccounts = db
      .selectFrom("sync_state")
      .select("event_id")
      .select((eb) => eb.fn.max<number | null>("last_poll").as("last_poll"))
      .groupBy(["account_id", "event_id"])
    const reads = db
      .selectFrom(ofAccounts.as("each"))
      .select("event_id")
      .select((eb) => [
        eb.fn.countAll<number>().as("readers"),
        eb.fn.max<number | null>("last_poll").as("last_poll"),
      ])
      .groupBy("event_id")
    const rows = await run(
      eventFacts(db)
        .leftJoin(reads.as("reads"), "reads.event_id", "event.id")
        .select(["reads.readers", "reads.last_poll"])
        .where(({ eb, fn }) =>
          eb.or([
            eb(fn<number>("instr", [fn("lower", ["event.name"]), eb.val(term)]), ">", 0),
            eb(fn<number>("instr", ["organization.slug", eb.val(plain)]), ">", 0),
            eb(fn<number>("instr", ["event.id", eb.val(plain)]), ">", 0),
          ])
        )
        .orderBy((eb) => eb.fn.coalesce("reads.last_poll", eb.lit(0)), "desc")
        .orderBy("event.starts", "desc")
        .orderBy("event.id")
        .limit(limit),
    )
    return rows.map(({ readers, last_poll, ...event }) => ({
      ...event,
      readers: readers ?? 0,
      lastPoll: last_poll,
    }))
  })
}

/** Returns an event; undefined if there is none. The id is in lower case. @throws {Unavailable} */
export async function findEvent(database: Database, id: string): Promise<EventFacts | undefined> {
  // MySQL rejects a comparison of other text with this column.
  if (!/^[\x20-\x7e]*$/.test(id)) return undefined
  return await database.readOnce(async ({ db, run }) => {
    const [event] = await run(eventFacts(db).where("event.id", "=", id))
    // MySQL ignores spaces at the end.
    return event?.id === id ? event : undefined
  })
}

function eventFacts(db: Snapshot["db"]) {
  return db
    .selectFrom("event")
    .innerJoin("organization", "organization.id", "event.organization_id")
    .select(["event.id", "event.name", "event.status", "event.starts"])
    .select("organization.slug as organization")
}
