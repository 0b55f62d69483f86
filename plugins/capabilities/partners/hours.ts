import { sql } from "kysely"
import type { Dialect } from "../../../core/capability.ts"
import type { Schema } from "../../../core/tables.ts"

/** What an account did in an hour. */
export type HourCounts = Readonly<Omit<Schema["partner_hour"], "account_id">>

/** What somebody did at a time, in Unix seconds. */
interface Deed {
  readonly accountId: string
  readonly at: number
  readonly counts: Partial<HourCounts>
}

/** Returns rows of `partner_hour` that add up deeds, in the order in which every instance takes the locks. */
export function hoursOf(deeds: readonly Deed[]): readonly Schema["partner_hour"][] {
  const rows = new Map<string, Schema["partner_hour"]>()
  for (const { accountId: account_id, at, counts } of deeds) {
    const hour = at - at % 3600
    const { polls = 0, walks = 0, records = 0, errors = 0, lag = null } = counts
    const key = `${account_id} ${String(hour).padStart(12)}`
    const sum = rows.get(key)
    rows.set(key, {
      account_id,
      hour,
      polls: polls + (sum?.polls ?? 0),
      walks: walks + (sum?.walks ?? 0),
      records: records + (sum?.records ?? 0),
      errors: errors + (sum?.errors ?? 0),
      lag: sum == null || sum.lag === null || (lag !== null && lag > sum.lag) ? lag : sum.lag,
    })
  }
  return [...rows].sort(([one], [other]) => one < other ? -1 : 1).map(([, row]) => row)
}

/** Returns how the row of an hour changes by another one. */
export function addHours({ incoming }: Dialect) {
  const old = (column: string) => sql.ref<number>(`partner_hour.${column}`)
  const sum = (column: string) => sql<never>`${old(column)} + ${incoming(column)}`
  return {
    polls: sum("polls"),
    walks: sum("walks"),
    records: sum("records"),
    errors: sum("errors"),
    lag: sql<never>`case when ${old("lag")} is null or ${incoming("lag")} > ${old("lag")}
      then ${incoming("lag")} else ${old("lag")} end`,
  }
}
