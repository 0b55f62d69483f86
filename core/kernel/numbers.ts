import { walkLifetime } from "../change-log/walk-lifetime.ts"
import type { Config } from "../config/read.ts"
import { maximumSearch } from "../request/listing/query.ts"
import { intervalsFor } from "../request/listing/walks.ts"
import type { Numbers } from "../routes/contract.ts"

/** Returns the numbers that a plan gives an account, by its name; without a name, what most accounts have. */
export function numbersOf(
  { limits, accounts, session, polling, capabilities }: Config,
  username?: string,
): Numbers {
  const own = username !== undefined && Object.hasOwn(accounts, username) ? accounts[username] : {}
  const { burst, quota, concurrent, waiting } = { ...limits, ...own }
  const { retention, intervals } = polling
  const [exported] = capabilities.flatMap(({ capability: { offers }, settings }) =>
    offers?.exports?.(settings) ?? []
  )
  const mayWait = capabilities.some(({ capability: { offers } }) => offers?.waiting)
  return {
    limits: { burst, quota, concurrent, waiting: mayWait ? waiting : 0 },
    session: { lifetime: session.lifetime, idle: session.idle },
    polling: {
      retention,
      wait: mayWait ? polling.wait : 0,
      intervals: intervalsFor(username, { intervals, accounts }),
    },
    export: exported ?? { records: 0, seconds: 0 },
    cursor: walkLifetime,
    search: maximumSearch,
  }
}
