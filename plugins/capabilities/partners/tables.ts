import { type RawBuilder, sql } from "kysely"
import {
  type Dialect,
  generated,
  id,
  integer,
  long,
  type Migration,
  nullable,
  oneOf,
  type RowsOf,
  seconds,
  slug,
  table,
} from "../../../core/capability.ts"

/** What the records of a list are. */
export type ListKind = "guests" | "items" | "guest deletions" | "item deletions" | "other"

/** How far each partner is with each list, and what it did in each hour. */
export const partnersTables = {
  /**
   * How far an account is with a list. Times are Unix seconds on the database's clock. `event_id` is empty for lists
   * that are of no event, and for errors about events that the account may not read.
   */
  sync_state: table({
    privileges: ["select", "insert", "update", "delete"],
    columns: {
      account_id: id,
      event_id: id,
      /** The prefix of the family's paths. */
      prefix: slug,
      /** The list's name. */
      list: slug,
      /** The plugin. */
      family: slug,
      kind: oneOf<ListKind>(),
      /** The last page or 304. */
      last_poll: nullable(seconds),
      /** The `Poll-Interval` that was recommended then. */
      poll_interval: nullable(integer),
      /** The first page of the last walk, its `since` and its `Next-Since`. */
      walk_started: nullable(seconds),
      walk_since: nullable(seconds),
      walk_next: nullable(seconds),
      /** The first pages of the two walks before. */
      previous_started: nullable(seconds),
      third_started: nullable(seconds),
      /** The first page of the first walk of all. */
      first_started: nullable(seconds),
      /**
       * When a last page was sent in full, or a 304, and its `Next-Since`: the partner has been sent everything that
       * changed before. (Of a walk by offset, everything but what changed during the walk: the next poll returns that.)
       */
      walk_completed: nullable(seconds),
      completed_next: nullable(seconds),
      /** The `since` of the last walk, if it was not negative: what changed before has been applied. */
      acknowledged: nullable(seconds),
      acknowledged_at: nullable(seconds),
      /** Number of records sent so far. */
      records: generated(long),
      /** The first error since the last page or 304, and the last one. */
      first_error: nullable(seconds),
      error_at: nullable(seconds),
      error_status: nullable(integer),
      error_code: nullable(slug),
      error_request: nullable(slug),
      /**
       * The `since` of the last completed walk. When that of the last walk was sent first: though there was a later
       * `Next-Since`, which does not move while a change is open.
       */
      completed_since: nullable(seconds),
      since_from: nullable(seconds),
      /** Until when what was committed has been sent. Later than `completed_next` if a change was open then. */
      sent_until: nullable(seconds),
      /**
       * What walks have left out, because they began at a later `since` than what had been covered: from this time on,
       * and before that one. The widest, if there are several.
       */
      skipped_from: nullable(seconds),
      skipped_to: nullable(seconds),
      /** The parameters that the last error refused. */
      error_parameters: nullable(slug),
    },
    key: ["account_id", "event_id", "prefix", "list"],
    indexes: {
      sync_state_covered: ["event_id", "kind", "completed_next"],
      sync_state_error: ["account_id", "error_at"],
    },
  }),
  /** The last request of an account for a list, exact to a minute. */
  last_request: table({
    privileges: ["select", "insert", "update", "delete"],
    columns: {
      account_id: id,
      at: seconds,
      address: slug,
    },
    key: ["account_id"],
  }),
  /** What an account did in an hour, over all lists. */
  partner_hour: table({
    privileges: ["select", "insert", "update", "delete"],
    columns: {
      account_id: id,
      /** The beginning of the hour in Unix seconds. */
      hour: seconds,
      /** Pages and 304s. */
      polls: integer,
      /** Walks completed. */
      walks: integer,
      records: long,
      errors: integer,
      /** The longest that the `since` of a walk was behind the clock, in seconds; null if none had any. */
      lag: nullable(seconds),
    },
    key: ["account_id", "hour"],
    indexes: { partner_hour_hour: ["hour"] },
  }),
} as const

/**
 * Adds what is read of the lists of all accounts at once, instead of all of their rows. The databases compute both
 * columns of the others of a row, so they are always right:
 *
 * - `watched` is 1 if the list needs a look, else null: it has errors or walks that no good end followed, skipped
 *   something, or was read only in part. A condition of `summedLists` that holds for others needs another column.
 * - `acknowledged_hour` is the beginning of the hour of `acknowledged`, of a list of deletions
 */
export const addShortcuts: Migration = {
  async up(db, { name, types: { integer, long } }) {
    const watched = sql`case when third_started > coalesce(walk_completed, -1)
      or previous_started > coalesce(walk_completed, -1) or error_at > coalesce(last_poll, 0)
      or walk_since > walk_started or skipped_to > 0 or since_from <= previous_started
      or (last_poll is not null and (walk_started is null or walk_completed is null)) then 1 end`
    const hour = sql`case when kind in ('guest deletions', 'item deletions')
      then acknowledged - acknowledged % 3600 end`
    await addComputed(db, "watched", integer, watched)
    await addComputed(db, "acknowledged_hour", long, hour)
    const indexes = {
      sync_state_watched: ["watched", "account_id"],
      sync_state_interval: ["account_id", "poll_interval", "last_poll"],
      sync_state_acknowledged: ["account_id", "acknowledged_hour"],
      sync_state_hour: ["acknowledged_hour"],
      // MySQL's indexes hold the key anyway.
      ...name === "sqlite" && {
        sync_state_covered: ["event_id", "kind", "completed_next", "account_id"],
      },
    }
    if (name === "sqlite") await db.schema.dropIndex("sync_state_covered").ifExists().execute()
    for (const [index, columns] of Object.entries(indexes)) {
      const creating = db.schema.createIndex(index).on("sync_state").columns(columns)
      if (name === "sqlite") await creating.ifNotExists().execute()
      // MySQL has no `if not exists`.
      else {
        await creating.execute().catch((error: { code?: string }) => {
          if (error.code !== "ER_DUP_KEYNAME") throw error
        })
      }
    }
  },
}

/** Adds a column that the database computes, unless it is there. */
async function addComputed(
  db: Parameters<Migration["up"]>[0],
  column: string,
  type: Dialect["types"]["long"],
  value: RawBuilder<unknown>,
): Promise<void> {
  const isThere = await sql`select sync_state.${sql.id(column)} from sync_state where 1 = 0`
    .execute(db).then(() => true, () => false)
  if (isThere) return
  await db.schema.alterTable("sync_state")
    .addColumn(column, type, (built) => built.generatedAlwaysAs(value)).execute()
}

declare module "../../../core/data/schema.ts" {
  interface Schema extends RowsOf<typeof partnersTables> {}
}
