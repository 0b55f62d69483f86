import type { Activity } from "../access/activity.ts"
import type { Observer } from "../request/facts.ts"

const ofLogIns = new Set(["invalid_credentials", "too_many_log_ins"])

/**
 * Returns an observer that records who is locked out: requests with the cookie of a session that has
 * ended, and refused log-ins of accounts that exist.
 */
export function recordRefusals(activity: Activity): Observer {
  return ({ line, ended }) => {
    const { id: request, address, action, account, code } = line
    if (code === undefined) return
    if (ended) {
      const { account: id, session } = ended
      activity.recordRefused({ account: { id }, code, request, session, address })
    } else if (action === "log-in" && account !== undefined && ofLogIns.has(code)) {
      activity.recordRefused({
        account: { username: account },
        code,
        request,
        session: null,
        address,
      })
    }
  }
}
