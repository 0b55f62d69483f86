import { adviceAbout, adviceFor } from "./advice.ts"
import { groupsOf } from "./alike.ts"
import { thresholds } from "./definitions.ts"
import type { PartnerReport } from "./partner-report.ts"
import type { ListHealth } from "./list-health.ts"
import type { LastError } from "./partner-health.ts"
import { formatMoment } from "../../../core/plugin.ts"
import { whatToDo } from "./access-sentences.ts"
import { describeDuration } from "./duration.ts"

type Facts = Omit<PartnerReport, "sentences">

const aWeek = 7 * 86_400

/** Returns how a partner is doing, why, and what to do, in sentences: the most important first. */
export function describePartner(facts: Facts): string[] {
  const sentences = [
    describeState(facts),
    ...worstLists(facts),
    lastRefusal(facts),
    lastRequest(facts),
    sessions(facts),
    ...lostEvents(facts),
    ...grants(facts),
    waitingDeletions(facts),
    resync(facts),
    lastError(facts),
    `What to do: ${toDo(facts)}`,
  ]
  return sentences.filter((sentence) => sentence !== undefined)
}

function describeState({ health: { account, state, since, lag, reason }, at }: Facts): string {
  if (state === "behind") return `${account} is behind by ${describeDuration(lag)}. ${reason}`
  const what = state === "never polled" ? "not polling yet" : state
  const span = since === null
    ? ""
    : ` since ${formatMoment(since)} (${describeDuration(at - since)})`
  return `${account} ${state === "no access" ? "has" : "is"} ${what}${span}. ${reason}`
}

/** The most lists that are named of those that are alike. */
const mostLists = 5

/** Describes the worst list of each kind of trouble, and only names the others. */
function worstLists({ lists, at, health }: Facts): string[] {
  if (["silent", "locked out", "no access"].includes(health.state)) return []
  const bad = lists.filter(({ state }) => state === "stuck" || state === "behind")
  const alike = groupsOf(
    bad,
    (list) => `${list.state} ${list.skippedTo !== null} ${list.asksSince !== null}`,
  )
  return alike.flatMap(([worst, ...others]) => {
    if (others.length === 0) return [describeList(worst, at)]
    const names = others.slice(0, mostLists - 1).map(nameOf)
    const rest = others.length - names.length
    const all = rest > 0 ? [...names, `${rest} more lists`] : names
    return [describeList(worst, at), `Also ${worst.state}: ${all.join("; ")}.`]
  })
}

function describeList(list: ListHealth, at: number): string {
  const { walkCompleted, walkStarted, covered, newest } = list
  const completed = walkCompleted === null
    ? "no walk was ever completed"
    : `the last walk was completed at ${formatMoment(walkCompleted)}`
  if (list.state === "stuck") {
    const begun = formatMoment(walkStarted)
    const since = list.asksSince === null
      ? ""
      : `, with a since in the future: ${formatMoment(list.asksSince)}`
    return `Stuck with ${nameOf(list)}: ${completed}, and the last one began at ${begun}${since}.`
  }
  if (list.skippedTo !== null) {
    return `Behind with ${nameOf(list)}: it asked for changes since ${
      formatMoment(list.skippedTo)
    }, ` +
      `and had what changed before ${formatMoment(at - list.lag)}.`
  }
  const from = covered === null ? completed : `it has what changed before ${formatMoment(covered)}`
  const age = describeDuration(at - (newest ?? at))
  const change = `the newest change is from ${formatMoment(newest)}, ${age} ago`
  return `Behind with ${nameOf(list)}: ${from}; ${change}.`
}

function nameOf({ list, family, eventName, eventId }: ListHealth): string {
  const event = eventId === null ? "" : ` of ${eventName ?? "a deleted event"} (${eventId})`
  return `${list}${event} by ${family}`
}

function lastRefusal({ health: { refused, state } }: Facts): string | undefined {
  if (!refused || state !== "locked out") return undefined
  const from = refused.address ?? "an unknown address"
  const id = refused.requestId ? `, request id ${refused.requestId}` : ""
  return `The last refused request came at ${formatMoment(refused.at)} from ${from}${id}.`
}

/** Says from where a partner without access tries, unless the reason does. */
function lastRequest({ health: { noAccess } }: Facts): string | undefined {
  if (!noAccess?.last || ["disabled", "network"].includes(noAccess.cause)) return undefined
  return `Its last request for a list came from ${noAccess.last.address}.`
}

function sessions({ health: { sessions: count, sessionEnds }, lastSession, at }: Facts): string {
  if (count > 0) {
    const until = formatMoment(sessionEnds)
    const isSoon = sessionEnds !== null && sessionEnds - at < aWeek
    const soon = isSoon ? `, in ${describeDuration(sessionEnds - at)}` : ""
    return `It has ${count} ${
      count === 1 ? "session" : "sessions"
    }, the last until ${until}${soon}.`
  }
  if (!lastSession) return "It has no session."
  const { ended, reason } = lastSession
  const why = reason === null ? ", when its time was up" : `, because of: ${reason}`
  return `It has no live session: the last one ended at ${formatMoment(ended)}${why}.`
}

/** Says which events it may not read any more, those of the same grant together; not what its state says already. */
function lostEvents({ health: { account, noAccess: told }, lostEvents }: Facts): string[] {
  const refused = lostEvents.filter(({ noAccess }) =>
    noAccess !== null && noAccess.grant !== told?.grant
  )
  const byReason = Map.groupBy(refused, (event) => `${event.noAccess?.grant} ${event.noAccess?.at}`)
  const described = [...byReason.values()].slice(0, mostLists).map(([first, ...others]) => {
    const more = others.length === 0
      ? ""
      : ` It may not read ${others.length} more of its events for the same reason.`
    return first ? `${adviceAbout(first, account)}${more}` : ""
  })
  const rest = byReason.size - mostLists
  return rest > 0 ? [...described, `It may not read others for ${rest} more reasons.`] : described
}

function grants({ grants, at, health: { noAccess } }: Facts): string[] {
  const others = grants.filter(({ target, ends }) =>
    !(ends === noAccess?.ends && noAccess.grant?.endsWith(` ${target}`))
  )
  return others.map(({ target, ends }) =>
    `Its grant for ${target} ${ends <= at ? "has ended" : "ends"} at ${formatMoment(ends)}.`
  )
}

function waitingDeletions({ health }: Facts): string | undefined {
  const { deletionsWaiting: count, moreDeletionsWaiting: more } = health
  if (count === 0) return undefined
  const have = count === 1 && !more ? "deletion has" : "deletions have"
  return `${count}${more ? " or more" : ""} ${have} not been fetched.`
}

function resync({ health: { daysUntilResync: days } }: Facts): string | undefined {
  if (days === null) return undefined
  return days <= 0
    ? "What was deleted after its last since is forgotten: the next poll of deletions gets 410."
    : `Without another poll of deletions, it gets 410 in ${Math.floor(days)} days at the earliest.`
}

function lastError({ health: { lastError }, at }: Facts): string | undefined {
  if (!lastError || at - lastError.at > aWeek) return undefined
  const { status, code, requestId } = lastError
  const when = formatMoment(lastError.at)
  return `Its last error was ${status} ${code} at ${when}, request id ${requestId}.`
}

function toDo({ health, lists, errors }: Facts): string {
  const { state, account, refused, lastError, sessions, noAccess } = health
  switch (state) {
    case "in sync":
      return "nothing."
    case "disabled":
      return `nothing, or event-export account disable ${account} --undo.`
    case "locked out":
      return refused && refused.session === null
        ? `event-export account passwd ${account} sets a new password, if the partner has lost its own.`
        : `event-export account session ${account} opens a session for it; or let it log in again.`
    case "no access":
      return noAccess ? `${whatToDo(account, noAccess)}.` : "nothing."
    case "never polled":
      return sessions > 0
        ? "wait for its first poll, or ask the partner."
        : `give the partner its password, or a session: event-export account session ${account}.`
    case "silent":
      return "ask the partner whether its job runs. Its requests do not arrive here."
    case "stuck":
      if (health.ahead > 0) {
        return "tell the partner to send the Next-Since of its last complete walk as since, not a time of its own."
      }
      if (lastError?.parameters === "since") return adviceFor(lastError)
      return lastError && isRecent(health)
        ? adviceOn(lastError, errors)
        : "tell the partner to follow the links to the last page, and to keep Next-Since only then."
    case "partial":
      return "nothing, if the partner needs no more; else ask how it reads these lists."
    case "behind": {
      if (health.skipping > 0 || health.ahead > 0) {
        return "tell the partner to send the Next-Since of its last complete walk as since, and to read " +
          "these lists once with since=-1."
      }
      const unasked = lists.some((list) => list.state === "behind" && isUnasked(list, health))
      return unasked
        ? "ask the partner why it does not poll these lists now, or withdraw its grant."
        : "wait for its next poll. If it lasts, ask the partner."
    }
  }
}

/** Of events that it may not read, the groups of errors know more than the last error. */
function adviceOn(lastError: LastError, errors: Facts["errors"]): string {
  const { code } = lastError
  const known = code === "event_not_found" && errors.find((group) => group.code === code)
  return known ? known.advice : adviceFor(lastError)
}

/** True if the last error is hardly older than the last page, or newer. */
export function isRecent({ lastError, lastPoll }: Facts["health"]): boolean {
  return lastError !== null && lastError.at > (lastPoll ?? 0) - 3600
}

/** True if a partner polls others, but no longer this list. */
export function isUnasked(
  { lastPoll, pollInterval }: ListHealth,
  health: Facts["health"],
): boolean {
  return (health.lastPoll ?? 0) - (lastPoll ?? 0) > 3 * (pollInterval ?? thresholds.interval)
}
