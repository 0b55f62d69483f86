import { clauseOf, restoringCommand } from "./access-sentences.ts"
import type { LostEvent } from "./lost-events.ts"

/** Returns what to do about an error of a partner, in a sentence or two. */
export function adviceFor(
  { status, code, parameters }: {
    readonly status: number
    readonly code: string
    readonly parameters?: string | null
  },
): string {
  if (code === "invalid_parameter" && parameters === "since") return ofSince
  const own = byCode[code]
  if (own) return own
  if (status >= 500) return "Search the log for the request id: the cause is there."
  return "Search the audit log for the request id, and tell the partner what its request was."
}

const ofSince =
  "It asks for changes since a time in the future, or one that is no time. It must send the " +
  "Next-Since of its last complete walk."

/** Returns what to do about a 404 of an event, by what the account's grants say of it now. */
export function adviceAbout({ eventId, eventName, noAccess }: LostEvent, account: string): string {
  if (noAccess === null) {
    return `It may read ${eventName} (${eventId}) now: a grant for it counts. Its next request shows it.`
  }
  if (eventName === null) {
    return `There is no event ${eventId}. Compare the partner's id with the events that it may read.`
  }
  const command = restoringCommand(account, noAccess, `event ${eventId}`)
  const event = `${eventName} (${eventId})`
  return `It may not read ${event}: ${clauseOf(noAccess)}. ${command} lets it read.`
}

const byCode: Readonly<Record<string, string>> = {
  unauthenticated:
    "Its session or token has ended, or it sends none. Open a session for it, or let it log in again.",
  invalid_credentials:
    "It logs in with a wrong name or password. Set a new password if it has lost it.",
  not_service_user:
    "It uses the paths of another customer. Compare its URL with service_user in the configuration.",
  connector_not_enabled:
    "The family is not turned on for the event's organization. Add it in the configuration, if it should be.",
  event_not_found: "It has no grant for the event now, or there is no such event. List its grants.",
  not_available: "The service does not offer this list. The partner must not request it.",
  not_found: "There is no such path. Compare the partner's URL with event-export routes.",
  method_not_allowed: "It sends another method than GET. Let the partner correct its program.",
  invalid_parameter:
    "Its request has a wrong parameter. The response names it: let the partner correct its program.",
  resync_required:
    "It has not polled for longer than deletions are remembered. It must read everything again.",
  cursor_expired: "Its walk took longer than a day. It must begin the walk again.",
  too_fast:
    "It sends more requests per second than accounts.NAME.burst, or else limits.burst. It must wait for Retry-After.",
  too_many_requests:
    "It sends more requests per hour than accounts.NAME.quota, or else limits.quota. It must wait for Retry-After.",
  too_many_at_once:
    "It sends more requests at the same time than accounts.NAME.concurrent, or else limits.concurrent.",
  too_many_log_ins:
    "It logs in with a wrong password again and again. It must wait for Retry-After.",
  unavailable:
    "The database did not respond. Look at the health of the service, not at the partner.",
  internal: "The service has failed. Search the log for the request id: the cause is there.",
}
