import type { Kysely } from "kysely"
import type { Database } from "../../../core/capability.ts"
import type { Schema } from "../../../core/tables.ts"
import { beginOf, findGapEnd } from "./record-start.ts"
import { findSteps, isOfPersons, meets } from "./find-disclosures.ts"

/** Days after which a deletion should have been acknowledged. */
export const overdueDays = 7

/** Deleted guests of an event that an account received, and whose deletion it has not acknowledged in time. */
export interface Overdue {
  readonly account: string
  readonly event: { readonly id: string; readonly name: string | null }
  /** Number of guests. */
  readonly guests: number
  /** When the first and the last of them were deleted, in Unix seconds. */
  readonly first: number
  readonly last: number
}

/**
 * Counts the guests whose erasure is overdue, by account: 0 for those that received guests and are late with none.
 * See `listOverdue`.
 */
export async function countOverdue(
  database: Database,
  days: number,
): Promise<ReadonlyMap<string, number>> {
  const recipients = await findRecipients(database.writer)
  const counts = new Map(
    recipients.map(({ username, formerly, account_id }) => [username ?? formerly ?? account_id, 0]),
  )
  for (const { account, guests } of await listOverdue(database, days)) {
    counts.set(account, (counts.get(account) ?? 0) + guests)
  }
  return counts
}

/** The most deletions of an event that are looked at, oldest first. */
const most = 20_000

/**
 * Lists the erasures that are not acknowledged so many days after the deletion, by account and event, the oldest
 * first. Knows deletions as long as the service remembers them. Counts an account that may have received a guest.
 */
export async function listOverdue(database: Database, days: number): Promise<Overdue[]> {
  const { writer: db, dialect } = database
  const { now } = await db.selectNoFrom(dialect.now.as("now")).executeTakeFirstOrThrow()
  const recipients = await findRecipients(db)
  const acknowledged = await findAcknowledged(db)
  const steps = await findSteps(db)
  const gapEnd = await findGapEnd(db)
  const overdue: Overdue[] = []
  for (const [eventId, rows] of Map.groupBy(recipients, ({ event_id }) => event_id)) {
    const byAccount = Map.groupBy(rows, ({ account_id }) => account_id)
    const untilOf = (account: string) => acknowledged.get(`${eventId} ${account}`) ?? -1
    const since = Math.min(...[...byAccount.keys()].map(untilOf)) + 1
    const deletions = await findDeletions(db, eventId, { since, before: now - days * 86_400 })
    for (const [account, rows] of byAccount) {
      const open = deletions.filter(({ at, created, updated, start }) => {
        const from = beginOf([created, updated, ...start === null ? [] : [start]], gapEnd)
        const record = { from, to: updated ?? Infinity, deleted: at }
        return at > untilOf(account) && rows.some((row) => meets(record, row, steps))
      })
      const [first, last] = [open[0], open.at(-1)]
      if (!first || !last) continue
      const [{ username, formerly, name } = { username: null, formerly: null, name: null }] = rows
      overdue.push({
        account: username ?? formerly ?? account,
        event: { id: eventId, name },
        guests: open.length,
        first: first.at,
        last: last.at,
      })
    }
  }
  return overdue.toSorted((a, b) => a.first - b.first || (a.account < b.account ? -1 : 1))
}

/** Returns the ranges of guests that accounts have received. */
async function findRecipients(db: Kysely<Schema>) {
  const fieldSets = await db.selectFrom("field_set").selectAll().execute()
  const persons = fieldSets.filter(({ fields }) => isOfPersons(JSON.parse(fields)))
  if (persons.length === 0) return []
  return await db
    .selectFrom("disclosure")
    .leftJoin("account", "account.id", "disclosure.account_id")
    .leftJoin("former_recipient as former", "former.account_id", "disclosure.account_id")
    .leftJoin("event", "event.id", "disclosure.event_id")
    .select(["disclosure.event_id", "disclosure.account_id", "account.username", "event.name"])
    .select("former.username as formerly")
    .select(["disclosure.from_time", "disclosure.to_time", "disclosure.first_next"])
    .where("disclosure.fields", "in", persons.map(({ id }) => id))
    .execute()
}

/** Returns up to when each account has acknowledged the deletions of guests, by event and account. */
async function findAcknowledged(db: Kysely<Schema>): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom("erasure_notice")
    .select((eb) => ["event_id", "account_id", eb.fn.max("to_time").as("until")])
    .where("list", "=", "guests")
    .where("kind", "=", "acknowledged")
    .groupBy(["event_id", "account_id"])
    .execute()
  return new Map(rows.map((row) => [`${row.event_id} ${row.account_id}`, row.until]))
}

async function findDeletions(
  db: Kysely<Schema>,
  event: string,
  { since, before }: { readonly since: number; readonly before: number },
) {
  return await db
    .selectFrom("deletion")
    .leftJoin(
      "record_start",
      (join) =>
        join.onRef("record_start.event_id", "=", "deletion.event_id")
          .onRef("record_start.category", "=", "deletion.category")
          .onRef("record_start.record_id", "=", "deletion.record_id"),
    )
    .select(["deletion.at", "deletion.created", "deletion.updated", "record_start.time as start"])
    .where("deletion.event_id", "=", event)
    .where("deletion.category", "=", "guests")
    .where("deletion.at", ">=", since)
    .where("deletion.at", "<", before)
    .where(({ not, exists, selectFrom }) =>
      not(exists(
        selectFrom("guest").select("guest.id")
          .whereRef("guest.event_id", "=", "deletion.event_id")
          .whereRef("guest.id", "=", "deletion.record_id"),
      ))
    )
    .orderBy("deletion.at")
    .limit(most)
    .execute()
}
