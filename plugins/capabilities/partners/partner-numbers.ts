import { type Database, type Log, remember, RetryLog } from "../../../core/capability.ts"
import { readAllPartners } from "./list-partners.ts"
import type { HealthOptions, PartnerHealth } from "./partner-health.ts"

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
  const attempts = new RetryLog(() => log, {
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
  return await readAllPartners(
    database,
    { ...options, isBrief: true },
    async (_snapshot, { partners, late, now }) => {
      const names = new Map(
        partners.flatMap(({ accountId, account, state, noAccess }) =>
          state === "disabled" || noAccess?.cause === "disabled" ? [] : [[accountId, account]]
        ),
      )
      const lists = late.flatMap(({ account_id, family, event_id, list, behind_from }) => {
        const account = names.get(account_id)
        const lag = now - behind_from
        return account === undefined ? [] : { account, family, eventId: event_id, list, lag }
      })
      return { partners, late: lists.toSorted((a, b) => b.lag - a.lag).slice(0, mostLate) }
    },
  )
}
