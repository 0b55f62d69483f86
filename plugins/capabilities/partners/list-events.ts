import type { Database } from "../../../core/capability.ts"

/** An event, and how many accounts read it. Times are Unix seconds. */
export interface EventListing {
  readonly id: string
  readonly name: string
  /** The slug. */
  readonly organization: string
  readonly status: string
  readonly starts: number
  /** Accounts that have ever read a list of it. */
  readonly readers: number
  /** Null means never. */
  readonly lastPoll: number | null
}

/**
 * Returns events, those that were read last first: with `search` in name, slug of the organization or id; all if it is
 * empty.
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
    const reads = db
      .selectFrom("sync_state")
      .select("event_id")
      .select((eb) => [
        eb.fn.count<number>("account_id").distinct().as("readers"),
        eb.fn.max<number | null>("last_poll").as("last_poll"),
      ])
      .groupBy("event_id")
    const rows = await run(
      db
        .selectFrom("event")
        .innerJoin("organization", "organization.id", "event.organization_id")
        .leftJoin(reads.as("reads"), "reads.event_id", "event.id")
        .select(["event.id", "event.name", "organization.slug", "event.status", "event.starts"])
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
    return rows.map(({ slug, readers, last_poll, ...event }) => ({
      ...event,
      organization: slug,
      readers: readers ?? 0,
      lastPoll: last_poll,
    }))
  })
}
