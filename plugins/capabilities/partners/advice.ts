import { type ProblemCode, problems } from "../../../core/plugin.ts"
import { clauseOf, restoringCommand } from "./access-sentences.ts"
import { thresholds } from "./definitions.ts"
import type { ListHealth } from "./list-health.ts"
import type { LostEvent } from "./lost-events.ts"
import type { NoAccess } from "./no-access.ts"
import type { LastError, PartnerHealth } from "./partner-health.ts"
import type { Voice } from "./voice.ts"

/** What to do: what an operator is told, and what the partner itself. */
type Advice = Readonly<Record<Voice, string>>

type Code = Pick<LastError, "code" | "parameters"> & { readonly status?: number }

const asItWasGiven: Advice = {
  operator:
    "tell the partner to send the Next-Since of its last complete walk as since, not a time of its own",
  partner: "send the Next-Since of your last complete walk as since, not a time of your own",
}

/** Returns what to do about the state of a partner, as the end of a sentence. */
export function adviceOn(health: PartnerHealth, lists: readonly ListHealth[]): Advice {
  const { state, account, refused, lastError, sessions, noAccess, lastPoll } = health
  switch (state) {
    case "in sync":
      return same("nothing.")
    case "disabled":
      return {
        operator: `nothing, or event-export account disable ${account} --undo.`,
        partner: "ask the operator.",
      }
    case "locked out":
      return {
        operator: refused && refused.session === null
          ? `event-export account passwd ${account} sets a new password, if the partner has lost its own.`
          : `event-export account session ${account} opens a session for it; or let it log in again.`,
        partner: "log in again, or make a token for your program.",
      }
    case "no access":
      return noAccess ? adviceOnAccess(account, noAccess) : same("nothing.")
    case "never polled":
      return {
        operator: sessions > 0
          ? "wait for its first poll, or ask the partner."
          : `give the partner its password, or a session: event-export account session ${account}.`,
        partner: "read the guide's first page: it has your first request.",
      }
    case "silent":
      return {
        operator: "ask the partner whether its job runs. Its requests do not arrive here.",
        partner: "see whether your program runs. Its requests do not arrive here.",
      }
    case "stuck":
      if (health.ahead > 0) return ending(asItWasGiven, ".")
      return lastError && isTheReason(lastError, lastPoll) ? adviceFor(lastError) : {
        operator:
          "tell the partner to follow the links to the last page, and to keep Next-Since only then.",
        partner: "follow the links to the last page, and keep Next-Since only then.",
      }
    case "partial":
      return {
        operator: "nothing, if the partner needs no more; else ask how it reads these lists.",
        partner: "nothing, if you need no more. Else read these lists whole, from since=-1 on.",
      }
    case "behind":
      if (health.skipping > 0 || health.ahead > 0) {
        return ending(asItWasGiven, "; and these lists once with since=-1.")
      }
      return lists.some((list) => list.state === "behind" && isUnasked(list, health))
        ? {
          operator: "ask the partner why it does not poll these lists now, or withdraw its grant.",
          partner: "poll these lists again. If you do not need them any more, tell the operator.",
        }
        : {
          operator: "wait for its next poll. If it lasts, ask the partner.",
          partner:
            "poll again. If that does not help, see whether your program reads each walk to its last page.",
        }
  }
}

function same(advice: string): Advice {
  return { operator: advice, partner: advice }
}

function ending({ operator, partner }: Advice, end: string): Advice {
  return { operator: operator + end, partner: partner + end }
}

/** True for an error about `since`, and for one that is hardly older than the last page, or newer. */
function isTheReason({ at, parameters }: LastError, lastPoll: number | null): boolean {
  return parameters === "since" || at > (lastPoll ?? 0) - 3600
}

/** True if a partner polls others, but no longer this list. */
function isUnasked({ lastPoll, pollInterval }: ListHealth, health: PartnerHealth): boolean {
  return (health.lastPoll ?? 0) - (lastPoll ?? 0) > 3 * (pollInterval ?? thresholds.interval)
}

function adviceOnAccess(account: string, noAccess: NoAccess): Advice {
  const { cause, last } = noAccess
  const command = `${restoringCommand(account, noAccess)}.`
  const partner = "ask the operator, or stop your program."
  switch (cause) {
    case "disabled":
      return {
        operator: `tell the partner to stop its program; or let it in again: ${command}`,
        partner,
      }
    case "network":
      return {
        operator: `if ${last?.address} is the partner's address, add it: ${command}`,
        partner:
          `ask the operator to let you read from ${last?.address}, or send your requests from where you did before.`,
      }
    case "none":
    case "unknown":
      return {
        operator: `let it read, or tell the partner to stop its program: ${command}`,
        partner,
      }
    case "withdrawn":
    case "ended":
      return {
        operator: `give the grant back, or tell the partner to stop its program: ${command}`,
        partner,
      }
  }
}

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
  return `It may not read ${event}: ${clauseOf(noAccess, "operator")}. ${command} lets it read.`
}

/** Returns what to do about an error of a partner, in a sentence or two. */
export function adviceFor({ status = 0, code, parameters }: Code): Advice {
  if (code === "invalid_parameter" && parameters === "since") return ofSince
  const [operator, partner] = byCode[code] ?? []
  const known = Object.hasOwn(problems, code) && problems[code as ProblemCode]
  return {
    operator: operator ??
      (status >= 500
        ? "Search the log for the request id: the cause is there."
        : "Search the audit log for the request id, and tell the partner what its request was."),
    partner: code === "invalid_parameter" && parameters
      ? `Correct the parameter ${parameters}.`
      : partner ?? (known && "detail" in known
        ? known.detail
        : "Ask the operator, and tell them the request id."),
  }
}

const ofSince: Advice = {
  operator:
    "It asks for changes since a time in the future, or a value that is not a time. It must send the " +
    "Next-Since of its last complete walk.",
  partner: "Send the Next-Since of your last complete walk as since, not a time of your own.",
}

/** For the operator, and for the partner if the response says less than that. */
const byCode: Readonly<Record<string, readonly [operator: string, partner?: string]>> = {
  unauthenticated: [
    "Its session or token has ended, or it sends none. Open a session for it, or let it log in again.",
    "Log in again, or make a token for your program.",
  ],
  invalid_credentials: [
    "It logs in with a wrong name or password. Set a new password if it has lost it.",
    "Compare name and password. The operator can set a new one.",
  ],
  not_service_user: [
    "It uses the paths of another customer. Compare its URL with service_user in the configuration.",
    "This path is another customer's. Compare your URL with those in the guide.",
  ],
  connector_not_enabled: [
    "The family is not turned on for the event's organization. Add it in the configuration, if it should be.",
    "Ask the operator to turn the connector on for the event's organization.",
  ],
  event_not_found: [
    "It has no grant for the event now, or there is no such event. List its grants.",
    "Compare the id with your list of events. If you should read it, ask the operator.",
  ],
  not_available: [
    "The service does not offer this list. The partner must not request it.",
    "Do not request this list: it is not offered yet.",
  ],
  not_found: ["There is no such path. Compare the partner's URL with event-export routes."],
  method_not_allowed: ["It sends another method than GET. Let the partner correct its program."],
  invalid_parameter: [
    "Its request has a wrong parameter. The response names it: let the partner correct its program.",
    "Correct the parameter that the response names.",
  ],
  resync_required: [
    "It has not polled for longer than deletions are remembered. It must read everything again.",
  ],
  cursor_expired: ["Its walk took longer than a day. It must begin the walk again."],
  too_fast: [
    "It sends more requests per second than accounts.NAME.burst, or else limits.burst. It must wait for Retry-After.",
  ],
  too_many_requests: [
    "It sends more requests per hour than accounts.NAME.quota, or else limits.quota. It must wait for Retry-After.",
  ],
  too_many_at_once: [
    "It sends more requests at the same time than accounts.NAME.concurrent, or else limits.concurrent.",
  ],
  too_many_log_ins: [
    "It logs in with a wrong password again and again. It must wait for Retry-After.",
  ],
  unavailable: [
    "The database did not respond. Look at the health of the service, not at the partner.",
  ],
  internal: ["The service has failed. Search the log for the request id: the cause is there."],
}
