import { Attempts, type Database, type Log, remember } from "../../../core/capability.ts"
import { type PartnerNumbers, readPartnerNumbers } from "./partner-numbers.ts"

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
