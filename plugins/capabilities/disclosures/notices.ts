import type { AbortableQueryOptions } from "kysely"
import { contentOf, type Database, itemCategories } from "../../../core/capability.ts"
import type { GuestFilter } from "../../../core/plugin.ts"
import type { NoticeKind } from "./tables.ts"

/** What an account knows of the deletions of an event, up to a time. Times are Unix seconds. */
export interface Notice {
  readonly kind: NoticeKind
  readonly eventId: string
  readonly accountId: string
  /** The prefix of the family's paths. */
  readonly prefix: string
  /** The records whose deletions are in one list. */
  readonly list: "guests" | "items"
  /** That of the family's list: its deletions are the guests that have left it. */
  readonly filter?: GuestFilter | undefined
  /** The deletions from here to there, both included. `acknowledged` continues where the last one ended. */
  readonly from: number
  readonly to: number
  readonly at: number
}

/**
 * Adds notices about deletions that no notice of the kind is about yet, and skips all others: so there are few
 * rows. Some of it may be done if it fails: it can be done again. Gives up once the signal aborts.
 */
export async function addNotices(
  database: Database,
  notices: readonly Notice[],
  signal: AbortSignal,
): Promise<void> {
  const { writer, dialect } = database
  const limit = { signal, inflightQueryAbortStrategy: dialect.onTimeout }
  for (const notice of notices) {
    const { kind, eventId, accountId, prefix, list, to, at } = notice
    const from = await findStart(database, notice, limit)
    if (from === undefined) continue
    const row = { kind, event_id: eventId, account_id: accountId, prefix, list, at }
    await writer.insertInto("erasure_notice").values({ ...row, from_time: from, to_time: to })
      .execute(limit)
  }
}

/** Returns the beginning of the range to write; undefined if no deletion in it is new to the account. */
async function findStart(
  { writer }: Database,
  { kind, eventId, accountId, prefix, list, filter, from, to }: Notice,
  limit: AbortableQueryOptions,
): Promise<number | undefined> {
  // An account that has applied all before a time has applied all that is earlier, in this list.
  const last = kind === "told" ? undefined : await writer
    .selectFrom("erasure_notice")
    .select((eb) => eb.fn.max<number | null>("to_time").as("to"))
    .where("event_id", "=", eventId)
    .where("list", "=", list)
    .where("account_id", "=", accountId)
    .where("kind", "=", kind)
    .where("prefix", "=", prefix)
    .executeTakeFirst(limit)
  const start = Math.max(from, (last?.to ?? -Infinity) + 1)
  if (start > to) return undefined
  for (const category of list === "guests" ? ["guests" as const] : itemCategories) {
    const news = await contentOf({ db: writer }, category, { eventId, filter }).deletions
      .select("deletion.at")
      .where("deletion.at", ">=", start)
      .where("deletion.at", "<=", to)
      .$if(kind === "told", (query) =>
        query.where(({ not, exists, selectFrom }) =>
          not(exists(
            selectFrom("erasure_notice as notice")
              .select("notice.seq")
              .where("notice.event_id", "=", eventId)
              .where("notice.list", "=", list)
              .where("notice.account_id", "=", accountId)
              .where("notice.kind", "=", kind)
              .where("notice.prefix", "=", prefix)
              .whereRef("notice.from_time", "<=", "deletion.at")
              .whereRef("notice.to_time", ">=", "deletion.at"),
          ))
        ))
      .orderBy("deletion.at", "desc")
      .limit(1)
      .execute(limit)
    if (news.length > 0) return start
  }
  return undefined
}
