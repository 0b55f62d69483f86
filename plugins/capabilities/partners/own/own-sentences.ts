import { formatMoment, type ProblemCode, problems } from "../../../../core/plugin.ts"
import { describeDuration } from "../duration.ts"
import type { NoAccess } from "../no-access.ts"
import type { LastError } from "../partner-health.ts"
import { countOf } from "../reasons.ts"
import { isRecent, isUnasked } from "../sentences.ts"
import type { OwnReport } from "./read-own.ts"

const aDay = 86_400
const aWeek = 7 * aDay

/** What a partner is told about itself. */
export interface OwnSentences {
  /** How it is doing, and why. */
  readonly state: string
  readonly toDo: string
  /** What else matters now, the most important first. */
  readonly more: readonly string[]
}

/** Tells a partner how it is doing and what to do. Says the same as the operator's sentences, and names nobody else. */
export function describeOwn(report: OwnReport): OwnSentences {
  const more = [refusal(report), resync(report), deletions(report), ...grants(report)]
  return {
    state: describeState(report),
    toDo: toDo(report),
    more: more.filter((sentence) => sentence !== undefined),
  }
}

function describeState({ health, at }: OwnReport): string {
  const { state, since, lists, stuck, behind, lag, lastPoll, lastError, refused } = health
  const span = since === null
    ? ""
    : ` since ${formatMoment(since)} (${describeDuration(at - since)})`
  const youAre = since === null ? "You are" : "You have been"
  switch (state) {
    case "in sync":
      return `You are in sync: you have everything that changed until your last poll at ${
        formatMoment(lastPoll)
      }.`
    case "partial":
      return together(
        health.partial < lists && "The lists that you read whole are in sync.",
        health.partial > 0 &&
          `The service cannot tell whether you have all of ${
            health.partial < lists ? countOf(health.partial, lists) : "what you read"
          }: ${unknown}`,
        health.unreadEvents > 0 &&
          `You do not read ${health.unreadEvents} of your events that have not ended.`,
      )
    case "behind": {
      const have = `${countOf(behind, lists)} ${behind === 1 ? "has" : "have"}`
      return together(
        `You are behind by ${describeDuration(lag)}: ${have} changes that you have not fetched.`,
        health.skipping > 0 && "You ask for changes since times that you were not given.",
        health.ahead > 0 && asksAhead,
      )
    }
    case "stuck":
      if (lastPoll === null) return `You get errors only${span}${errorText(lastError)}.`
      return together(
        `${youAre} stuck${span}: ${countOf(stuck, lists)} cannot be completed.`,
        health.ahead > 0 && asksAhead,
      )
    case "silent":
      return `${youAre} silent${span}: no request for a list has arrived.`
    case "never polled":
      return "You have read no list yet."
    case "locked out":
      return `Your program is locked out${span}: its requests are refused with 401, because its ${
        refused?.session ? "session or token has ended" : "log-in was refused"
      }.`
    case "no access":
      return `You can read nothing${span}: ${
        health.noAccess ? whyNot(health.noAccess) : "no grant counts"
      }.`
    case "disabled":
      return "Your account is disabled."
  }
}

function together(...sentences: readonly (string | false)[]): string {
  return sentences.filter(Boolean).join(" ")
}

const unknown =
  "you read only a part, by category or search; have not finished your first walk; began with a since of your own; " +
  "or repeat the same request."

const asksAhead = "You ask for changes since a time in the future."

function errorText(error: LastError | null): string {
  return error ? `; the last one was ${error.status} ${error.code}` : ""
}

/** The networks of a grant are for the operator. */
function whyNot({ cause, grant, at, last }: NoAccess): string {
  switch (cause) {
    case "network":
      return `your grant for ${grant} does not count from ${last?.address}, where your last request came from`
    case "ended":
      return `your grant for ${grant} has ended${at === null ? "" : ` at ${formatMoment(at)}`}`
    default:
      return "you have no grant now"
  }
}

/** Says who was refused, if that was lately. Anyone may have tried the account's name. */
function refusal({ health: { refused }, at }: OwnReport): string | undefined {
  if (!refused || at - refused.at > aWeek) return undefined
  const what = refused.session ? "A request with a session or token that has ended" : "A log-in"
  const from = refused.address === null ? "" : ` from ${refused.address}`
  const id = refused.requestId ? `, request id ${refused.requestId}` : ""
  return `${what} was refused at ${formatMoment(refused.at)}${from}${id}.`
}

function resync({ health: { daysUntilResync: days }, at }: OwnReport): string | undefined {
  if (days === null) return undefined
  return days <= 0
    ? "What was deleted after your last poll is forgotten: the next one of deletions or of the feed gets 410, which says how to begin again."
    : `If you poll neither deletions nor the feed, you get 410 on ${
      formatMoment(at + days * aDay).slice(0, 10)
    } at the earliest, and must read everything again.`
}

function deletions({ health }: OwnReport): string | undefined {
  const { deletionsWaiting: count, moreDeletionsWaiting: more } = health
  if (count === 0) return undefined
  return `You have not fetched ${count}${more ? " or more" : ""} ${
    count === 1 && !more ? "deletion" : "deletions"
  }.`
}

function grants({ grants, at }: OwnReport): string[] {
  return grants.map(({ target, ends }) =>
    `Your grant for ${target} ${ends <= at ? "has ended" : "ends"} at ${formatMoment(ends)}.`
  )
}

const asItWasGiven =
  "Send the Next-Since of your last complete walk as since, not a time of your own"

function toDo({ health, lists }: OwnReport): string {
  const { lastError } = health
  switch (health.state) {
    case "in sync":
      return "Nothing."
    case "partial":
      return "Nothing, if you need no more. Else read these lists whole, from since=-1 on."
    case "behind": {
      if (health.skipping > 0 || health.ahead > 0) {
        return `${asItWasGiven}; and read these lists once with since=-1.`
      }
      return lists.some((list) => list.state === "behind" && isUnasked(list, health))
        ? "Poll these lists again. If you do not need them any more, tell the operator."
        : "Poll again. If that does not help, see whether your program reads each walk to its last page."
    }
    case "stuck":
      if (health.ahead > 0) return `${asItWasGiven}.`
      return lastError && isRecent(health)
        ? adviseOwn(lastError)
        : "Follow the links to the last page, and keep Next-Since only then."
    case "silent":
      return "See whether your program runs: its requests do not arrive here."
    case "never polled":
      return "Read the guide's first page: it has your first request."
    case "locked out":
      return "Log in again, or make a token for your program."
    case "no access": {
      const address = health.noAccess?.cause === "network" && health.noAccess.last?.address
      return address
        ? `Ask the operator to let you read from ${address}, or send your requests from where you did before.`
        : "Ask the operator, or stop your program."
    }
    case "disabled":
      return "Ask the operator."
  }
}

/** Tells a partner what to do about an error. */
export function adviseOwn({ code, parameters }: Pick<LastError, "code" | "parameters">): string {
  if (code === "invalid_parameter" && parameters) {
    return parameters === "since" ? `${asItWasGiven}.` : `Correct the parameter ${parameters}.`
  }
  const own = byCode[code]
  if (own !== undefined) return own
  const known = Object.hasOwn(problems, code) && problems[code as ProblemCode]
  return known && "detail" in known
    ? known.detail
    : "Ask the operator, and tell them the request id."
}

/** For errors whose response says more than that. */
const byCode: Readonly<Record<string, string>> = {
  unauthenticated: "Log in again, or make a token for your program.",
  invalid_credentials: "Compare name and password. The operator can set a new one.",
  not_service_user: "This path is another customer's. Compare your URL with those in the guide.",
  connector_not_enabled: "Ask the operator to turn the connector on for the event's organization.",
  event_not_found:
    "Compare the id with your list of events. If you should read it, ask the operator.",
  not_available: "Do not request this list: it is not offered yet.",
  invalid_parameter: "Correct the parameter that the response names.",
}
