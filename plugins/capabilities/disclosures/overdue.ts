import type { Kysely } from "kysely"
import type { Database } from "../../../core/capability.ts"
import type { Schema } from "../../../core/tables.ts"
import { type End, type EndKind, Filters, findEnds, type Withdrawals } from "./ends.ts"
import { findGapEnd } from "./record-start.ts"
import { findSteps, isOfPersons, meets } from "./find-disclosures.ts"

/** Days after which a deletion should have been acknowledged. */
export const overdueDays = 7

/** Guests of an event that an account received, and whose deletion or withdrawal it has not acknowledged in time. */
export interface Overdue {
  readonly account: string
  readonly event: { readonly id: string; readonly name: string | null }
  readonly kind: EndKind
  /** Number of guests. */
  readonly guests: number
  /** When the first and the last of them were deleted, or left the account's list, in Unix seconds. */
  readonly first: number
  readonly last: number
}

/** Numbers of guests by account. */
export type OverdueCounts = Readonly<Record<EndKind, ReadonlyMap<string, number>>>

/**
 * Counts the guests whose erasure is overdue, by account: 0 for those that received guests and are late with none, of
 * withdrawals only if it was by a list with a filter. See `listOverdue`.
 */
export async function countOverdue(
  database: Database,
  days: number,
  withdrawals?: Withdrawals,
): Promise<OverdueCounts> {
  const ledger = await readLedger(database.writer, withdrawals)
  const { recipients, filters } = ledger
  const chosen = recipients.filter(({ prefix, organization }) => filters.of(prefix, organization))
  const none = (rows: typeof recipients) => new Map(rows.map((row) => [nameOf(row), 0]))
  const counts = { deleted: none(recipients), withdrawn: none(chosen) }
  for (
    const { account, kind, guests } of await findOverdue(database, ledger, { days, withdrawals })
  ) {
    counts[kind].set(account, (counts[kind].get(account) ?? 0) + guests)
  }
  return counts
}

/**
 * Lists what is not acknowledged so many days after the deletion of guests, or so many hours after their withdrawal, by
 * account and event, the oldest first. Knows both as long as the service remembers them. Counts an account that may have
 * received a guest; a withdrawal only if that was by the list which the guest has left.
 */
export async function listOverdue(
  database: Database,
  days: number,
  withdrawals?: Withdrawals,
): Promise<Overdue[]> {
  const ledger = await readLedger(database.writer, withdrawals)
  return await findOverdue(database, ledger, { days, withdrawals })
}

/** Who received guests, by lists with which filters. */
interface Ledger {
  readonly recipients: Awaited<ReturnType<typeof findRecipients>>
  readonly filters: Filters
}

async function readLedger(
  db: Kysely<Schema>,
  withdrawals: Withdrawals | undefined,
): Promise<Ledger> {
  return { recipients: await findRecipients(db), filters: await Filters.read(db, withdrawals) }
}

async function findOverdue(
  { writer: db, dialect }: Database,
  { recipients, filters }: Ledger,
  { days, withdrawals }: {
    readonly days: number
    readonly withdrawals: Withdrawals | undefined
  },
): Promise<Overdue[]> {
  const { now } = await db.selectNoFrom(dialect.now.as("now")).executeTakeFirstOrThrow()
  const acknowledged = await findAcknowledged(db)
  const steps = await findSteps(db)
  const gapEnd = await findGapEnd(db)
  const dues = {
    deleted: now - days * 86_400,
    withdrawn: now - (withdrawals?.hours ?? 0) * 3600,
  }
  const findLate = async (
    { event_id: event, organization }: RecipientRow,
    list: string,
    ofList: readonly RecipientRow[],
  ): Promise<LateGuest[]> => {
    const filter = filters.of(list, organization)
    const byAccount = Map.groupBy(ofList, ({ account_id }) => account_id)
    const untilOf = (account: string, kind: EndKind) =>
      Math.max(
        -1,
        ...(acknowledged.get(`${event} ${account}`) ?? [])
          .filter(({ prefix: by }) => filters.tells({ by, list, organization, kind }))
          .map(({ until }) => until),
      )
    const kind = filter ? "withdrawn" : "deleted"
    const since = Math.min(...[...byAccount.keys()].map((each) => untilOf(each, kind))) + 1
    const before = filter ? Math.max(dues.deleted, dues.withdrawn) : dues.deleted
    const ends = await findEnds(db, gapEnd, { event, filter, since, before })
    return [...byAccount].flatMap(([account, rows]) => {
      const until = {
        deleted: untilOf(account, "deleted"),
        withdrawn: untilOf(account, "withdrawn"),
      }
      return ends.filter(({ kind, at, from, to }) =>
        at < dues[kind] && at > until[kind] &&
        rows.some((row) => meets({ from, to, deleted: at }, row, steps))
      ).map(({ id, kind, at }) => ({ row: rows[0] as RecipientRow, kind, id, at }))
    })
  }
  const overdue: Overdue[] = []
  for (const ofEvent of Map.groupBy(recipients, ({ event_id }) => event_id).values()) {
    const [first] = ofEvent as [RecipientRow]
    const { event_id: id, name, organization } = first
    const byList = Map.groupBy(
      ofEvent,
      ({ prefix }) => filters.of(prefix, organization) ? prefix : "",
    )
    const late: LateGuest[] = []
    for (const [list, ofList] of byList) late.push(...await findLate(first, list, ofList))
    const byAccount = Map.groupBy(late, ({ row, kind }) => `${row.account_id} ${kind}`)
    for (const same of byAccount.values()) {
      const [{ row, kind }] = same as [LateGuest]
      // An account may have received a guest by several lists.
      const guests = new Map(same.map(({ id, at }) => [id, at]))
      const times = [...guests.values()].toSorted((a, b) => a - b)
      overdue.push({
        account: nameOf(row),
        event: { id, name },
        kind,
        guests: guests.size,
        first: times[0] ?? 0,
        last: times.at(-1) ?? 0,
      })
    }
  }
  return overdue.toSorted((a, b) => a.first - b.first || (a.account < b.account ? -1 : 1))
}

type RecipientRow = Ledger["recipients"][number]

/** A guest whose end an account has not acknowledged in time. */
interface LateGuest extends Pick<End, "id" | "kind" | "at"> {
  /** What the account received. */
  readonly row: RecipientRow
}

function nameOf({ username, formerly, account_id }: RecipientRow): string {
  return username ?? formerly ?? account_id
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
    .leftJoin("organization", "organization.id", "event.organization_id")
    .select(["disclosure.event_id", "disclosure.account_id", "account.username", "event.name"])
    .select(["former.username as formerly", "organization.slug as organization"])
    .select(["disclosure.prefix", "disclosure.from_time", "disclosure.to_time"])
    .select("disclosure.first_next")
    .where("disclosure.fields", "in", persons.map(({ id }) => id))
    .execute()
}

/** Returns up to when each account has acknowledged the deletions of guests by its families, by event and account. */
async function findAcknowledged(db: Kysely<Schema>) {
  const rows = await db
    .selectFrom("erasure_notice")
    .select((eb) => ["event_id", "account_id", "prefix", eb.fn.max("to_time").as("until")])
    .where("list", "=", "guests")
    .where("kind", "=", "acknowledged")
    .groupBy(["event_id", "account_id", "prefix"])
    .execute()
  return Map.groupBy(rows, ({ event_id, account_id }) => `${event_id} ${account_id}`)
}
