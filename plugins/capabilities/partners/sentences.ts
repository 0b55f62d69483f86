import { formatMoment } from "../../../core/plugin.ts"
import { adviceAbout, adviceOn } from "./advice.ts"
import { groupsOf } from "./alike.ts"
import { describeDuration } from "./duration.ts"
import type { ListHealth } from "./list-health.ts"
import type { PartnerReport } from "./partner-report.ts"
import { reasonOf } from "./reasons.ts"
import { inVoice, type Voice } from "./voice.ts"

type Facts = Omit<PartnerReport, "sentences">

/** What is known of a partner, and may be told to itself. */
type OwnFacts = Pick<Facts, "health" | "at" | "lists" | "grants">

const aWeek = 7 * 86_400

/** The most lists that are named of those that are alike. */
const mostLists = 5

/** Returns how a partner is doing, why, and what to do, in sentences for operators: the most important first. */
export function describePartner(facts: Facts): string[] {
  const { health, lists, errors } = facts
  // Of events that it may not read, the groups of errors know more than the last error.
  const ofEvents = errors.find(({ code }) => code === "event_not_found")
  const isOfEvent = health.state === "stuck" && health.lastError?.code === "event_not_found"
  const advice = adviceOn(health, lists).operator
  const sentences = [
    describeState(facts, health.reason, "operator"),
    ...worstLists(facts),
    health.state === "locked out" && describeRefusal(facts),
    lastRequest(facts),
    sessions(facts),
    ...lostEvents(facts),
    ...grants(facts, "operator"),
    waitingDeletions(facts),
    resync(facts, "operator"),
    lastError(facts),
    `What to do: ${isOfEvent && ofEvents ? ofEvents.advice : advice}`,
  ]
  return sentences.filter((sentence) => typeof sentence === "string")
}

/** Tells a partner the same of itself, as far as it may know it. Names nobody else. */
export function describeOwn(facts: OwnFacts): string[] {
  const { health, lists, at } = facts
  const sentences = [
    describeState(facts, reasonOf(health, at, "partner"), "partner"),
    // Anyone may have tried the account's name.
    health.refused && at - health.refused.at <= aWeek && describeRefusal(facts),
    resync(facts, "partner"),
    waitingDeletions(facts),
    ...grants(facts, "partner"),
    `What to do: ${adviceOn(health, lists).partner}`,
  ]
  return sentences.filter((sentence) => typeof sentence === "string")
}

function describeState({ health, at }: OwnFacts, reason: string, voice: Voice): string {
  const { account, state, since, lag } = health
  const [is, has] = voice === "operator"
    ? [`${account} is`, `${account} has`]
    : ["You are", "You have"]
  if (state === "behind") return `${is} behind by ${describeDuration(lag)}. ${reason}`
  const what = state === "never polled" ? "not polling yet" : state
  const span = since === null
    ? ""
    : ` since ${formatMoment(since)} (${describeDuration(at - since)})`
  return `${state === "no access" ? has : is} ${what}${span}. ${reason}`
}

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

function describeRefusal({ health: { refused } }: OwnFacts): string | undefined {
  if (!refused) return undefined
  const what = refused.session ? "A request with a session or token that has ended" : "A log-in"
  const from = refused.address === null ? "" : ` from ${refused.address}`
  const id = refused.requestId ? `, request id ${refused.requestId}` : ""
  return `${what} was refused at ${formatMoment(refused.at)}${from}${id}.`
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

function grants({ grants, at, health: { noAccess } }: OwnFacts, voice: Voice): string[] {
  const say = inVoice(voice)
  const others = grants.filter(({ target, ends }) =>
    !(ends === noAccess?.ends && noAccess.grant?.endsWith(` ${target}`))
  )
  return others.map(({ target, ends }) => {
    const how = ends <= at ? "has ended" : "ends"
    return say`[Its|Your] grant for ${target} ${how} at ${formatMoment(ends)}.`
  })
}

function waitingDeletions({ health }: OwnFacts): string | undefined {
  const { deletionsWaiting: count, moreDeletionsWaiting: more } = health
  if (count === 0) return undefined
  const have = count === 1 && !more ? "deletion has" : "deletions have"
  return `${count}${more ? " or more" : ""} ${have} not been fetched.`
}

function resync({ health: { daysUntilResync: days } }: OwnFacts, voice: Voice): string | undefined {
  if (days === null) return undefined
  const say = inVoice(voice)
  return days <= 0
    ? say`What was deleted after [its|your] last since is forgotten: the next poll of deletions or of the feed gets 410.`
    : say`Without another poll of deletions or of the feed, [it gets|you get] 410 in ${
      Math.floor(days)
    } days at the ` +
      say`earliest, and must read everything again.`
}

function lastError({ health: { lastError }, at }: Facts): string | undefined {
  if (!lastError || at - lastError.at > aWeek) return undefined
  const { status, code, requestId } = lastError
  const when = formatMoment(lastError.at)
  return `Its last error was ${status} ${code} at ${when}, request id ${requestId}.`
}
