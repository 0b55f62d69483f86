import { walkLifetime } from "../change-log/walk-lifetime.ts"
import { maximumSearch } from "../request/listing/query.ts"
import type { Numbers } from "../routes/contract.ts"
import type { Plan } from "../routes/plan.ts"

/** Returns the numbers that a plan gives an account, by its name; without a name, those of most accounts. */
export function numbersOf(
  { limits, accounts, session, polling, export: { records, seconds } }:
    & Pick<Plan, "limits" | "accounts" | "polling">
    & {
      readonly session: Pick<Plan["session"], "lifetime" | "idle">
      readonly export: Pick<Plan["export"], "records" | "seconds">
    },
  username?: string,
): Numbers {
  const own = username !== undefined && Object.hasOwn(accounts, username) ? accounts[username] : {}
  const { lag, retention, intervals, wait } = polling
  // The interval of an account is that of a running event, and the least of others.
  const least = own?.poll_interval ?? 0
  return {
    limits: {
      burst: own?.burst ?? limits.burst,
      quota: own?.quota ?? limits.quota,
      concurrent: own?.concurrent ?? limits.concurrent,
      waiting: own?.waiting ?? limits.waiting,
    },
    session: { lifetime: session.lifetime, idle: session.idle },
    polling: {
      lag,
      retention,
      wait,
      intervals: {
        running: own?.poll_interval ?? intervals.running,
        upcoming: Math.max(intervals.upcoming, least),
        closed: Math.max(intervals.closed, least),
      },
    },
    export: { records, seconds },
    cursor: walkLifetime,
    search: maximumSearch,
  }
}
