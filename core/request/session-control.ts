import { TooManyLogIns } from "../access/log-in.ts"
import { translateError } from "../data/unavailable.ts"
import type { SessionControl } from "../routes/contract.ts"
import type { Call } from "./answer.ts"
import type { Services } from "./app.ts"
import { Problem } from "../http/problems.ts"

/** Logging in and out on behalf of one request. */
export function sessionControl(
  { sessions, logIn, activity }: Services,
  { peer, entry }: Pick<Call, "peer" | "entry">,
): SessionControl {
  return {
    async begin(username, password) {
      entry.action = "log-in"
      try {
        const { address } = peer
        const { cookie, account } = await logIn.attempt({ username, password, address })
        // What was typed as a name may be anything; only names that exist are written down.
        if (account) entry.account = account.username
        if (cookie !== undefined && account) activity.loggedIn(account.id)
        return cookie
      } catch (error) {
        throw error instanceof TooManyLogIns ? tooMany(error) : translateError(error)
      }
    },
    async end(session) {
      try {
        return await sessions.end(session)
      } catch (error) {
        throw translateError(error)
      }
    },
  }
}

function tooMany({ retryAfter }: TooManyLogIns): Problem {
  return new Problem(
    "too_many_log_ins",
    `Too many log-ins failed under this name or from this address. Try again in ${retryAfter} s.`,
    { headers: { "retry-after": String(retryAfter) } },
  )
}
