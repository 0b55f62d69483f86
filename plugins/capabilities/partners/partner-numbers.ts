import { type Database, type Log, remember, RetryLog } from "../../../core/capability.ts"
import { readAllPartners } from "./list-partners.ts"
import type { HealthOptions, PartnerHealth } from "./partner-health.ts"

/** A list with which a partner is behind. */
export interface LateList {
  readonly account: string
  readonly family: string
  readonly eventId: string
  readonly list: string
  /** Seconds since the time up to which the last completed walk covers the list. */
  readonly lag: number
}

/** The numbers behind the metrics of partners. */
export interface PartnerNumbers {
  /** The worst first. */
  readonly partners: readonly PartnerHealth[]
  /** The 1,000 lists that are furthest behind. */
  readonly late: readonly LateList[]
}

/** The most lists in `late`. */
const mostLate = 1000

/**
 * Returns a function that reads partners' health for the metrics, at most every ten seconds however often it is called.
 * It returns undefined if the database fails, and never rejects.
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

/** Reads the numbers for the metrics of partners. @throws {Unavailable} */
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
