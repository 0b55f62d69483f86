import {
  Attempts,
  type Database,
  type Log,
  remember,
  type Snapshot,
} from "../../../core/capability.ts"
import { skippingLists, unreadLists } from "./list-conditions.ts"
import { readPartners } from "./list-partners.ts"
import { type HealthOptions, type PartnerHealth, readAtOneTime } from "./partner-health.ts"
import { keepReadable } from "./readable-events.ts"

/** A list that a partner is behind with. */
export interface LateList {
  readonly account: string
  readonly family: string
  readonly eventId: string
  readonly list: string
  /** Seconds since the time that the last completed walk covers. */
  readonly lag: number
}

/** What metrics show of partners. */
export interface PartnerNumbers {
  /** The worst first. */
  readonly partners: readonly PartnerHealth[]
  /** The 1,000 lists that are furthest behind. */
  readonly late: readonly LateList[]
}

/** The most lists of `late`. */
const mostLate = 1000

/**
 * Returns what reads for the metrics how partners are doing, however often it is called: not more than every ten
 * seconds. It returns undefined if the database cannot say, and never rejects.
 */
export function watchPartners(
  database: Database,
  { retention, log }: { readonly retention: number; readonly log: Log },
): () => Promise<PartnerNumbers | undefined> {
  const attempts = new Attempts(() => log, {
    failed: "cannot read for the metrics how partners are doing",
    over: "the metrics of partners are read again",
  })
  const read = async () => {
    try {
      const numbers = await readPartnerNumbers(database, { retention })
      attempts.succeeded()
      return numbers
    } catch (error) {
      attempts.failed(error)
      return undefined
    }
  }
  return remember(read, { fresh: 10_000, rest: 20 })
}

/** Reads what metrics show of partners. @throws {Unavailable} */
export async function readPartnerNumbers(
  database: Database,
  options: HealthOptions,
): Promise<PartnerNumbers> {
  return await readAtOneTime(database, options, async (snapshot, by) => {
    const partners = await readPartners(snapshot, by)
    return { partners, late: await readLate(snapshot, { now: by.now, partners }) }
  })
}

async function readLate(
  snapshot: Snapshot,
  { now, partners }: Pick<PartnerNumbers, "partners"> & { readonly now: number },
): Promise<readonly LateList[]> {
  const { db, run } = snapshot
  const late = await run(
    db
      .selectFrom(unreadLists(snapshot, { now }).as("unread"))
      .innerJoin("account", "account.id", "unread.account_id")
      .select([
        "unread.account_id",
        "account.username as account",
        "unread.family",
        "unread.event_id",
        "unread.list",
        "unread.behind_from",
      ])
      .where("unread.is_late", "=", 1)
      .where("account.role", "in", ["service", "partner"])
      .where("account.viewer", "=", 0)
      .where("account.disabled", "=", 0)
      .orderBy("unread.behind_from")
      .limit(mostLate),
  )
  const skipping = partners.filter(({ skipping }) => skipping > 0)
  const names = new Map(skipping.map(({ accountId, account }) => [accountId, account]))
  const accountIds = [...names.keys()]
  const skipped = accountIds.length === 0
    ? []
    : await run(skippingLists(snapshot, { now, accountIds }))
  const all = [
    ...late,
    ...skipped.map((row) => ({ ...row, account: names.get(row.account_id) ?? "" })),
  ]
  const readable = await keepReadable(snapshot, now, all)
  return readable
    .map(({ account, family, event_id, list, behind_from }) => ({
      ...{ account, family, eventId: event_id, list },
      lag: now - (behind_from ?? now),
    }))
    .toSorted((a, b) => b.lag - a.lag)
    .slice(0, mostLate)
}
