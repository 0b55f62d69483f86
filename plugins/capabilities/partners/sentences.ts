import { formatMoment } from "../../../core/plugin.ts"
import { adviceAbout, adviceOn } from "./advice.ts"
import { groupsOf } from "./alike.ts"
import { describeDuration } from "./duration.ts"
import type { ListHealth } from "./list-health.ts"
import type { PartnerReport } from "./partner-report.ts"
import { credentialOf, reasonOf } from "./reasons.ts"
import { inVoice, type Voice } from "./voice.ts"

type Facts = Omit<PartnerReport, "sentences">

/** The facts that a partner may know about itself. */
type OwnFacts = Pick<Facts, "health" | "at" | "lists" | "grants" | "unreadEvents">

const aWeek = 7 * 86_400

/** The most lists to name among those in the same trouble. */
const mostLists = 5

/** Describes to operators how a partner is doing, why, and what to do, most important sentence first. */
export function describePartner(facts: Facts): string[] {
  const { health, errors } = facts
  // For events that it may not read, the groups of errors know more than the last error does.
  const ofEvents = errors.find(({ code }) => code === "event_not_found")
  const isOfEvent = health.state === "stuck" && health.lastError?.code === "event_not_found"
  const advice = adviceOn(health, facts.limits).operator
  const sentences = [
    describeState(facts, health.reason, "operator"),
    unreadEvents(facts, "operator"),
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

/** Describes the same to the partner itself, as far as it may know. Names nobody else. */
export function describeOwn(facts: OwnFacts): string[] {
  const { health, at } = facts
  const sentences = [
    describeState(facts, reasonOf(health, at, "partner"), "partner"),
    unreadEvents(facts, "partner"),
    // Anyone may have tried to log in under this name.
    health.refused && at - health.refused.at <= aWeek && describeRefusal(facts),
    resync(facts, "partner"),
    waitingDeletions(facts),
    ...grants(facts, "partner"),
    `What to do: ${adviceOn(health).partner}`,
  ]
  return sentences.filter((sentence) => typeof sentence === "string")
}

function describeState({ health, at }: OwnFacts, reason: string, voice: Voice): string {
  const { account, state, since, lag } = health
  const [is, has] = voice === "operator"
    ? [`${account} is`, `${account} has`]
    : ["You are", "You have"]
  if (state === "behind") return `${is} behind by ${describeDuration(lag)}. ${reason}`
  if (state === "never polled") return `${has} never polled. ${reason}`
  if (state === "partial") {
    return `${voice === "operator" ? `${account}'s` : "Your"} copy may be incomplete. ${reason}`
  }
  const isWithout = state === "no access"
  if (since === null) return `${isWithout ? has : is} ${state}. ${reason}`
  const span = `since ${formatMoment(since)} (${describeDuration(at - since)})`
  return `${has} ${isWithout ? "had" : "been"} ${state} ${span}. ${reason}`
}

/** Says which events a partner that reads others does not read. */
function unreadEvents(
  { unreadEvents: count, health }: OwnFacts,
  voice: Voice,
): string | undefined {
  if (count === 0 || !["in sync", "partial", "behind"].includes(health.state)) return undefined
  return inVoice(
    voice,
  )`[It does|You do] not read ${count} of [its|your] events that have not ended.`
}

/** Describes the worst list of each kind of trouble, and only names the others. */
function worstLists({ lists, at, health }: Facts): string[] {
  if (["silent", "locked out", "no access"].includes(health.state)) return []
  const bad = lists.filter(({ state }) => state === "stuck" || state === "behind")
  const alike = groupsOf(bad, ({ state, cause }) => `${state} ${cause}`)
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
    if (walkStarted === null) {
      return `Stuck with ${nameOf(list)}: it only got errors.`
    }
    const since = list.asksSince === null
      ? ""
      : `, with a since in the future: ${formatMoment(list.asksSince)}`
    return `Stuck with ${nameOf(list)}: ${completed}, and the last one began at ${
      formatMoment(walkStarted)
    }${since}.`
  }
  if (list.skippedTo !== null) {
    return `Behind with ${nameOf(list)}: it asked for changes since ${
      formatMoment(list.skippedTo)
    }, ` +
      `and had what changed before ${formatMoment(at - list.lag)}.`
  }
  const from = covered === null
    ? completed
    : list.lastPoll === null
    ? "it has never read it"
    : `it has what changed before ${formatMoment(covered)}`
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
  const what = refused.ended === undefined
    ? "A log-in"
    : `A request with a ${credentialOf(refused.ended)} that has ended`
  const from = refused.address === null ? "" : ` from ${refused.address}`
  const id = refused.requestId ? `, request id ${refused.requestId}` : ""
  return `${what} was refused at ${formatMoment(refused.at)}${from}${id}.`
}

/** Says from where a partner without access sends requests, unless the reason says so. */
function lastRequest({ health: { noAccess } }: Facts): string | undefined {
  if (!noAccess?.last || ["disabled", "network"].includes(noAccess.cause)) return undefined
  return `Its last request for a list came from ${noAccess.last.address}.`
}

function sessions({ health, lastSession, at }: Facts): string {
  const { sessions, tokens, sessionEnds } = health
  if (sessions + tokens > 0) {
    const both = [countOf(sessions, "session"), countOf(tokens, "token")].filter(Boolean)
    const until = formatMoment(sessionEnds)
    const isSoon = sessionEnds !== null && sessionEnds - at < aWeek
    const soon = isSoon ? `, in ${describeDuration(sessionEnds - at)}` : ""
    const ends = sessions + tokens === 1 ? "which ends at" : "the last until"
    return `It has ${both.join(" and ")}, ${ends} ${until}${soon}.`
  }
  if (!lastSession) return "It has no session and no token."
  const { ended, reason, isToken } = lastSession
  const why = reason === null ? "when its time was up" : endings[reason] ?? reason
  return `Its last ${isToken ? "token" : "session"} ended at ${formatMoment(ended)}, ${why}.`
}

/** Why a session or token ended before its time. */
const endings: Readonly<Record<string, string>> = {
  "logged-out": "by a log-out",
  revoked: "because it was revoked",
  replaced: "because another took its place",
  password: "with a new password",
  disabled: "when the account was disabled",
}

function countOf(count: number, name: string): string | false {
  return count > 0 && `${count} ${name}${count === 1 ? "" : "s"}`
}

/** Says which events it may no longer read, grouped by grant. Leaves out what its state already says. */
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
