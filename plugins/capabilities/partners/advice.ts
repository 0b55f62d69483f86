import { type ProblemCode, problems } from "../../../core/plugin.ts"
import { clauseOf, restoringCommand } from "./access-sentences.ts"
import { type AccountLimits, adviceOnLimit } from "./account-limits.ts"
import { wordsOf } from "./causes.ts"
import type { LastError } from "./last-errors.ts"
import type { LostEvent } from "./lost-events.ts"
import type { NoAccess } from "./no-access.ts"
import type { PartnerHealth, UnauthorizedRequest } from "./partner-health.ts"
import { type Voice, voiced } from "./voice.ts"

/** What to do, worded for the operator and for the partner. */
type Advice = Readonly<Record<Voice, string>>

type Code = Pick<LastError, "code" | "parameters"> & { readonly status?: number }

/** Returns what to do about a partner's state, as the end of a sentence. */
export function adviceOn(health: PartnerHealth, limits?: AccountLimits): Advice {
  const { state, account, refused, lastError, sessions, tokens, noAccess, lastPoll, causes } =
    health
  const [cause = "late"] = causes
  switch (state) {
    case "in sync":
      return inBoth("nothing.")
    case "disabled":
      return {
        operator: `nothing, or event-export account disable ${account} --undo.`,
        partner: "ask the operator.",
      }
    case "locked out":
      return adviceOnRefusal(account, refused)
    case "no access":
      return noAccess ? adviceOnAccess(account, noAccess) : inBoth("nothing.")
    case "never polled":
      return {
        operator: sessions + tokens > 0
          ? "wait for its first poll, or ask the partner."
          : `give the partner its password, or a session: event-export account session ${account}.`,
        partner: "read the guide's first page: it has your first request.",
      }
    case "silent":
      return inBoth(
        cause === "not served"
          ? wordsOf(cause).advice
          : "[ask the partner whether its|see whether your] program runs, and whether a proxy there answers from a cache. " +
            "No poll arrives here.",
      )
    case "stuck":
      if (cause !== "own time" && lastError && isTheReason(lastError, lastPoll)) {
        return adviceFor(lastError, { account, limits })
      }
      return inBoth(wordsOf(cause).advice)
    case "partial":
    case "behind":
      return inBoth(wordsOf(cause).advice)
  }
}

/** Returns advice in both voices. */
function inBoth(text: string): Advice {
  return { operator: voiced(text, "operator"), partner: voiced(text, "partner") }
}

/** Returns true for an error about `since`, and for one that is newer than the last page or barely older. */
function isTheReason({ at, parameters }: LastError, lastPoll: number | null): boolean {
  return parameters === "since" || at > (lastPoll ?? 0) - 3600
}

function adviceOnRefusal(account: string, refused: UnauthorizedRequest | null): Advice {
  const ended = refused?.ended
  const logIn = "log in again, or make a token for your program."
  if (ended === undefined) {
    return {
      operator:
        `event-export account passwd ${account} sets a new password, if the partner has lost its own.`,
      partner: "compare name and password. The operator can set a new one.",
    }
  }
  const session = `event-export account session ${account} opens a session for it.`
  switch (ended?.kind) {
    case "token":
      return inBoth(
        "[let the partner make|make] another token, on [its|your] page /docs/me or with POST /session/tokens.",
      )
    case "session":
      return { operator: `let it log in again; or ${session}`, partner: logIn }
    default:
      return {
        operator: `let it log in again, or make another token; or ${session}`,
        partner: logIn,
      }
  }
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

/** Returns what to do about a 404 for an event, depending on the account's current grants for it. */
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

/** Returns what to do about a partner's error, in a sentence or two. */
export function adviceFor(
  { status = 0, code, parameters }: Code,
  { account = "NAME", limits }: {
    readonly account?: string
    readonly limits?: AccountLimits | undefined
  } = {},
): Advice {
  if (code === "invalid_parameter" && parameters === "since") return ofSince
  const [operator, partner] = byCode[code] ?? []
  const known = Object.hasOwn(problems, code) && problems[code as ProblemCode]
  return {
    operator: operator ?? adviceOnLimit(code, account, limits) ??
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

/** For the operator; and for the partner, if it can know more than its response says. */
const byCode: Readonly<Record<string, readonly [operator: string, partner?: string]>> = {
  unauthenticated: [
    "Its session or token has ended, or it sends none. Let it log in again, or make another token.",
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
  insufficient_scope: [
    "Its token is limited to other families, events or lists. Let the partner make a token for this list, or one without a scope.",
    "Your token is limited to other families, events or lists. Make one for this list, or one without a scope.",
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
    "It asks for deletions that are forgotten. It must read everything again with since=-1, and continue from there.",
  ],
  cursor_expired: ["Its walk took longer than a day. It must begin the walk again."],
  too_many_log_ins: [
    "It logs in with a wrong password again and again. It must wait for Retry-After.",
  ],
  unavailable: [
    "The database did not respond. Look at the health of the service, not at the partner.",
  ],
  internal: ["The service has failed. Search the log for the request id: the cause is there."],
}
